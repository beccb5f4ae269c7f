# SPDX-License-Identifier: BSD-3-Clause
# test/cuda/*.cu to objects of $(build), with what cuda_test.sh gives: names, build, include (Kokkos), prefix.
# The limits are those of limits.cmake; the host compiler's own go through -Xcompiler.
flags := -std=c++20 -arch=sm_90 -DETNA_MOST_STRAIGHT=0 --expt-extended-lambda --expt-relaxed-constexpr \
  -Xcudafe --max_cost_constexpr_call=2000000000 -Xcudafe --max_depth_constexpr_call=4000 \
  -Xcompiler -fconstexpr-ops-limit=4000000000,-fconstexpr-loop-limit=100000000,-fconstexpr-depth=4000 \
  -Xcompiler -ftemplate-depth=4000 -ftemplate-depth 4000 \
  -Iinclude -Itest -Itest/cuda -I$(build)/kokkos -isystem $(prefix)/usr/include -isystem $(include)

all: $(names:%=$(build)/%.o)
vpath %.cu test/cuda $(build)
$(build)/%.o: %.cu FORCE
	@rm -f $@
	@nvcc $(flags) -c $< -o $@ >$(build)/$*.log 2>&1 || { grep -m5 -A4 error $(build)/$*.log; exit 1; }
.PHONY: all FORCE
