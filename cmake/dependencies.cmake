# SPDX-License-Identifier: BSD-3-Clause
# What etna::etna stands on: Kokkos::kokkos, the header libraries (etna::headers) and what is used where present
# (etna::optional: zlib, minizip, libpng, libjpeg, libcsv; etna::mpi). Also installed: the package configuration includes this file.

# Kokkos first as the user has it. Debian's package is the exception: its configuration names static libraries which
# the package does not ship, and loading it is a fatal error, so look before loading and import the library by hand.
set(arch_lib lib/${CMAKE_LIBRARY_ARCHITECTURE})
find_file(ETNA_KOKKOS_CONFIG KokkosConfig.cmake
  HINTS ${Kokkos_DIR} ${Kokkos_ROOT} ENV Kokkos_DIR ENV Kokkos_ROOT
  PATH_SUFFIXES lib/cmake/Kokkos lib64/cmake/Kokkos ${arch_lib}/cmake/Kokkos ../lib/cmake/Kokkos ../lib64/cmake/Kokkos
  ../${arch_lib}/cmake/Kokkos)
mark_as_advanced(ETNA_KOKKOS_CONFIG)
set(debian "")
get_filename_component(found "${ETNA_KOKKOS_CONFIG}" REALPATH)
if(found MATCHES "(.*)/usr/lib/[^/]+/cmake/Kokkos/KokkosConfig.cmake$")
  if(NOT EXISTS "${CMAKE_MATCH_1}/usr/${arch_lib}/libkokkoscore.a")
    set(debian "${CMAKE_MATCH_1}/usr")
  endif()
endif()
if(NOT debian AND NOT TARGET Kokkos::kokkos)
  find_package(Kokkos CONFIG QUIET)
endif()
if(NOT TARGET Kokkos::kokkos)
  if(NOT debian)
    set(debian "${ETNA_PREFIX}/usr")
  endif()
  set(kokkos "${debian}/${arch_lib}/libkokkoscore.so")
  if(NOT EXISTS "${kokkos}")
    message(FATAL_ERROR "etna: no Kokkos; give one by -DKokkos_ROOT=..., or run 'sh cmake/prefix.sh', which fetches it")
  endif()
  find_package(OpenMP REQUIRED COMPONENTS CXX)
  add_library(Kokkos::kokkos INTERFACE IMPORTED GLOBAL)
  target_include_directories(Kokkos::kokkos SYSTEM INTERFACE "${debian}/include/kokkos")
  # By the flag and not by the path of the library, whose folder would hide the prefix's.
  target_compile_options(Kokkos::kokkos INTERFACE $<$<COMPILE_LANGUAGE:CXX>:${OpenMP_CXX_FLAGS}>)
  target_link_options(Kokkos::kokkos INTERFACE ${OpenMP_CXX_FLAGS})
  target_link_libraries(Kokkos::kokkos INTERFACE "${kokkos}" ${CMAKE_DL_LIBS})
  # The prefix's library wants that suite's libc: the program takes the libc and its loader from the prefix too, and
  # whatever the prefix lacks from the system. Linked against the system's older libc, hence the undefined symbols.
  file(GLOB loader "${debian}/${arch_lib}/ld-linux*.so.*")
  if(loader AND NOT debian STREQUAL "/usr")
    set(rpath "${debian}/${arch_lib}:/usr/${arch_lib}")
    set(ETNA_LOADER "${loader}" --library-path "${rpath}")  # in front of a program of the system's that loads a library
    target_link_options(Kokkos::kokkos INTERFACE "LINKER:--dynamic-linker=${loader}" "LINKER:--disable-new-dtags"
      "LINKER:-rpath,${rpath}" "LINKER:--allow-shlib-undefined")
  endif()
endif()
# Built for CUDA, Kokkos brings nvcc_wrapper, which CMake takes for g++: nvcc's own limits besides those of limits.cmake.
set(ETNA_CUDA OFF)
if("${Kokkos_DEVICES}" MATCHES CUDA)
  set(ETNA_CUDA ON)
endif()

# Header-only libraries. xtensor's headers lie in folders since 0.27 and flat before; etna accepts both.
if(NOT TARGET etna::headers)
  add_library(etna::headers INTERFACE IMPORTED GLOBAL)
  set(flat_xtensor xtensor/xarray.hpp)
  foreach(header xsimd/xsimd.hpp xtl/xtl_config.hpp xtensor/containers/xarray.hpp nlohmann/json.hpp)
    string(REGEX REPLACE "/.*" "" library ${header})
    find_path(ETNA_${library}_INCLUDE NAMES ${header} ${flat_${library}} HINTS "${ETNA_PREFIX}/usr/include")
    mark_as_advanced(ETNA_${library}_INCLUDE)
    if(NOT ETNA_${library}_INCLUDE)
      message(FATAL_ERROR "etna: no ${library}; give it by -DCMAKE_PREFIX_PATH=..., or run 'sh cmake/prefix.sh'")
    endif()
    target_include_directories(etna::headers SYSTEM INTERFACE "${ETNA_${library}_INCLUDE}")
  endforeach()
  if(ETNA_CUDA)
    target_compile_options(etna::headers INTERFACE --expt-relaxed-constexpr "SHELL:-Xcudafe --max_cost_constexpr_call=2000000000"
      "SHELL:-Xcudafe --max_depth_constexpr_call=4000")
  endif()
endif()

if(NOT TARGET etna::optional)
  add_library(etna::optional INTERFACE IMPORTED GLOBAL)
  if(NOT ZLIB_ROOT AND EXISTS "${ETNA_PREFIX}/usr/include/zlib.h")
    set(ZLIB_ROOT "${ETNA_PREFIX}/usr")
  endif()
  find_package(ZLIB QUIET)
  if(ZLIB_FOUND)
    target_link_libraries(etna::optional INTERFACE ZLIB::ZLIB)
  else()
    target_compile_definitions(etna::optional INTERFACE ETNA_NO_ZLIB)
  endif()
  # The headers are known by data/source.hpp, interop/npz.hpp, data/png.hpp, data/jpeg.hpp and data/csv.hpp themselves.
  # Where the library is not there, ETNA_NO_NAME tells them so: the compiler may see a header of the system all the same.
  # etna_optional(NAME HEADER NEEDS NAMES-OF-THE-LIBRARY...): a target, so that what the library NEEDS comes behind it on
  # the linker's line.
  function(etna_optional name header needs)
    string(TOUPPER ${name} upper)
    find_path(ETNA_${upper}_INCLUDE ${header} HINTS "${ETNA_PREFIX}/alone/usr/include")
    find_library(ETNA_${upper}_LIBRARY NAMES ${ARGN} HINTS "${ETNA_PREFIX}/alone/usr/${arch_lib}")
    mark_as_advanced(ETNA_${upper}_INCLUDE ETNA_${upper}_LIBRARY)
    if(ETNA_${upper}_INCLUDE AND ETNA_${upper}_LIBRARY AND ("${needs}" STREQUAL "" OR TARGET "${needs}"))
      set(folders "${ETNA_${upper}_INCLUDE}")
      if(EXISTS "${ETNA_${upper}_INCLUDE}/${CMAKE_LIBRARY_ARCHITECTURE}/jconfig.h" AND ${name} STREQUAL jpeg)
        list(APPEND folders "${ETNA_${upper}_INCLUDE}/${CMAKE_LIBRARY_ARCHITECTURE}")
      endif()
      add_library(etna::${name} UNKNOWN IMPORTED GLOBAL)
      set_target_properties(etna::${name} PROPERTIES IMPORTED_LOCATION "${ETNA_${upper}_LIBRARY}" INTERFACE_LINK_LIBRARIES "${needs}"
        INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${folders}" INTERFACE_INCLUDE_DIRECTORIES "${folders}")
      target_link_libraries(etna::optional INTERFACE etna::${name})
    else()
      target_compile_definitions(etna::optional INTERFACE ETNA_NO_${upper})
    endif()
  endfunction()
  etna_optional(minizip minizip/unzip.h ZLIB::ZLIB minizip)
  etna_optional(png png.h ZLIB::ZLIB png16 png)
  etna_optional(jpeg jpeglib.h "" jpeg)
  etna_optional(csv csv.h "" csv)
endif()
# MPI, for etna::dist. Without it etna::dist is etna::etna, and programs run as one rank.
if(NOT TARGET etna::mpi)
  add_library(etna::mpi INTERFACE IMPORTED GLOBAL)
  set(MPI_CXX_SKIP_MPICXX ON)
  find_package(MPI QUIET COMPONENTS CXX)
  if(MPI_CXX_FOUND)
    target_link_libraries(etna::mpi INTERFACE MPI::MPI_CXX)
    target_compile_definitions(etna::mpi INTERFACE ETNA_WITH_MPI)
  endif()
endif()
