// SPDX-License-Identifier: BSD-3-Clause
// expect: E059
// expect: complex<float>
// remedy: bool_integers_of_8_to_64_bits_bfloat16_float16_float_double
#include <etna/language.hpp>
#include <complex>

using namespace etna;

array<std::complex<float>, 3> x;
