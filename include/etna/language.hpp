// SPDX-License-Identifier: BSD-3-Clause
// The language without Kokkos: arrays, trees, transforms, NumPy's names, eager evaluation. Enough to
// write, differentiate and debug; jit and its kernels are in etna.hpp.
#pragma once
#include <etna/control/custom.hpp>
#include <etna/control/loop.hpp>
#include <etna/control/named_axis.hpp>
#include <etna/debug/check_nan.hpp>
#include <etna/debug/named_scope.hpp>
#include <etna/debug/printout.hpp>
#include <etna/eager/interpreter.hpp>
#include <etna/nn/activation.hpp>
#include <etna/nn/attention.hpp>
#include <etna/nn/dropout.hpp>
#include <etna/nn/loss.hpp>
#include <etna/nn/norm.hpp>
#include <etna/numpy/einsum.hpp>
#include <etna/numpy/sorting.hpp>
#include <etna/transform/eval_shape.hpp>
#include <etna/transform/types.hpp>
#include <etna/version.hpp>
