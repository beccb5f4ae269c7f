# SPDX-License-Identifier: BSD-3-Clause
# Installation: headers, the targets in two export sets (so that etna::language asks for no Kokkos), the version, etna-run.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)
set(config_dir "${CMAKE_INSTALL_LIBDIR}/cmake/etna")

install(TARGETS etna_language EXPORT etna_language FILE_SET HEADERS)
install(EXPORT etna_language NAMESPACE etna:: FILE etna_language_targets.cmake DESTINATION ${config_dir})
if(NOT ETNA_LANGUAGE_ONLY)
  install(TARGETS etna etna_dist EXPORT etna)
  install(EXPORT etna NAMESPACE etna:: FILE etna_targets.cmake DESTINATION ${config_dir})
  install(FILES cmake/dependencies.cmake DESTINATION ${config_dir})
  install(PROGRAMS cmake/etna_run.sh DESTINATION ${CMAKE_INSTALL_BINDIR} RENAME etna-run)
endif()
configure_package_config_file(cmake/config.cmake.in etnaConfig.cmake INSTALL_DESTINATION ${config_dir}
  NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(etnaConfigVersion.cmake COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES "${PROJECT_BINARY_DIR}/etnaConfig.cmake" "${PROJECT_BINARY_DIR}/etnaConfigVersion.cmake"
  DESTINATION ${config_dir})
