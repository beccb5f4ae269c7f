// SPDX-License-Identifier: BSD-3-Clause
// Everything: the language, and jit with its kernels through Kokkos and xsimd.
#pragma once
#include <etna/array/print.hpp>
#include <etna/exec/bucket.hpp>
#include <etna/exec/point.hpp>
#include <etna/language.hpp>
