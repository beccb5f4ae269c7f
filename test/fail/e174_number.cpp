// SPDX-License-Identifier: BSD-3-Clause
// expect: E174
// remedy: or none
#include <etna/etna.hpp>

#include <etna/dist/spec.hpp>

using namespace etna;

constexpr auto cuts = dist::spec<0>::cuts(0);
