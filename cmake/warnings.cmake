# SPDX-License-Identifier: BSD-3-Clause
# etna_dev: what etna's own tests and examples are compiled with, and no consumer. Sanitizers join in sanitize.cmake.
option(ETNA_WERROR "Warnings are errors" OFF)
add_library(etna_dev INTERFACE)
target_compile_options(etna_dev INTERFACE -Wall -Wextra $<$<BOOL:${ETNA_WERROR}>:-Werror>)
