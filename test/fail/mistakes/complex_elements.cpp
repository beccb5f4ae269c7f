// SPDX-License-Identifier: BSD-3-Clause
// expect: E059
// expect: complex<float>
// remedy: bool_uint8_t_uint32_t_int_int64_t_float_double
#include <etna/language.hpp>
#include <complex>

using namespace etna;

array<std::complex<float>, 3> x;
