# SPDX-License-Identifier: BSD-3-Clause
# test/backend/*.cpp: one program per file, run with one thread and with two: results must not depend on it.
file(GLOB files CONFIGURE_DEPENDS test/backend/*.cpp)
foreach(file IN LISTS files)
  get_filename_component(stem ${file} NAME_WE)
  etna_program(backend_${stem} ${file})
  etna_run(backend.${stem}.one_thread backend_${stem} backend 1)
  etna_run(backend.${stem}.two_threads backend_${stem} backend 2)
endforeach()
