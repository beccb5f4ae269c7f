// SPDX-License-Identifier: BSD-3-Clause
// Numbers at which element types end, or at which a conversion rounds.
#pragma once
#include <cstdint>
#include <limits>

namespace test {

inline constexpr double inf = std::numeric_limits<double>::infinity(), none = std::numeric_limits<double>::quiet_NaN();
inline constexpr double reals_at_ends[] = {
    0, -0., .5, 1.5, -1.9, 127.4, 127.5, -128.7, -129, 254.9, 255.5, 256, 32767.5, 32768, -32768.9, -32769, 65504,
    65519.9, 65520, 65535.5, 65536, 2147483520., 2147483647.5, 2147483648., -2147483649., 4294967040., 4294967295.,
    4294967296., 9.3e18, 1.9e19, -1e20, 3.39e38, 3.4e38, 1e300, inf, -inf, none, -none,
    // half way, and beside it
    1 + 0x1p-8, 1 + 0x1p-8 + 0x1p-30, 1 + 0x1p-11, 1 + 0x1p-11 + 0x1p-40, 1 + 0x1p-24, 1 + 0x1p-24 + 0x1p-50,
    0x1p-14 - 0x1p-26, 0x1p-25, 0x1p-25 + 0x1p-60, 0x1p-26, 0x1p-126, 0x1p-134, 0x1p-134 + 0x1p-170, 1e-40, 3.3e-46,
    16777217., .1};
inline constexpr std::int64_t integers_at_ends[] = {
    0, 1, -1, 127, 128, -128, -129, 255, 256, 257,
    // of more digits than a type of 16 bits has, or one of 32
    2049, 2051, 32767, 32768, -32769, 65504, 65519, 65520, 65535, 65537, 8421376, 8421377, 16777217, 16842753,
    2147483647, 2147483648, -2147483648, 4000000001, 4294967295, (std::int64_t(1) << 40) + 129,
    (std::int64_t(1) << 53) + 1, -(std::int64_t(1) << 53) - 1, (std::int64_t(1) << 62) + 12345,
    (std::int64_t(257) << 54) + 1, std::numeric_limits<std::int64_t>::min()};

}  // namespace test
