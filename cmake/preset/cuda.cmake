# SPDX-License-Identifier: BSD-3-Clause
# On a GPU, with a Kokkos that was built for CUDA (-DKokkos_ENABLE_CUDA=ON) and installed at Kokkos_ROOT.
#     Kokkos_ROOT=... cmake -C cmake/preset/cuda.cmake -S . -B build/cuda && cmake --build build/cuda
if(NOT EXISTS "$ENV{Kokkos_ROOT}/bin/nvcc_wrapper")
  message(FATAL_ERROR "etna: no bin/nvcc_wrapper in Kokkos_ROOT ('$ENV{Kokkos_ROOT}'): name a Kokkos that was built for CUDA")
endif()
set(Kokkos_ROOT "$ENV{Kokkos_ROOT}" CACHE PATH "")
set(CMAKE_CXX_COMPILER "$ENV{Kokkos_ROOT}/bin/nvcc_wrapper" CACHE STRING "")
