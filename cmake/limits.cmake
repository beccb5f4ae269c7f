# SPDX-License-Identifier: BSD-3-Clause
# What a compiler may spend on constant evaluation. etna traces and differentiates there, so the defaults, made for
# small tables, are too low; the flags travel with etna::language to every consumer.
# g++ prints the way to an error before the error: two places of it, so that the sentence is among the first eight lines.
set(gnu -ftemplate-backtrace-limit=2 -fconstexpr-ops-limit=4000000000 -fconstexpr-loop-limit=100000000 -fconstexpr-depth=4000 -ftemplate-depth=4000)
set(clang -fconstexpr-steps=2000000000 -fconstexpr-depth=4000 -ftemplate-depth=4000 -fbracket-depth=4096)
list(JOIN gnu "," gnu_by_comma)
set(nvcc --expt-relaxed-constexpr --expt-extended-lambda "SHELL:-Xcudafe --max_cost_constexpr_call=2000000000"
  "SHELL:-Xcudafe --max_depth_constexpr_call=4000" -Xcompiler=${gnu_by_comma})
target_compile_options(etna_language INTERFACE
  "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:${gnu}>"
  "$<$<COMPILE_LANG_AND_ID:CXX,Clang,AppleClang>:${clang}>"
  "$<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:${nvcc}>")
