# SPDX-License-Identifier: BSD-3-Clause
# A compiler cache where there is one.
find_program(ETNA_CCACHE ccache)
mark_as_advanced(ETNA_CCACHE)
if(ETNA_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER sh ${PROJECT_SOURCE_DIR}/cmake/ccache.sh)
endif()
