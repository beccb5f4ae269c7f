// SPDX-License-Identifier: BSD-3-Clause
// One argument that is a tuple is one argument: it is not taken for the list of arguments.
#include <etna/language.hpp>

using namespace etna;

namespace {

using pair = std::tuple<array<float, 3>, array<float>>;
using pairs = std::tuple<array<float, 4, 3>, array<float, 4>>;
constexpr auto total = [](pair const& t) { return sum(std::get<0>(t)) * std::get<1>(t); };

static_assert(std::is_same_v<decltype(grad(total)(pair{})), pair>);
static_assert(std::is_same_v<decltype(value_and_grad(total)(pair{})), std::pair<array<float>, pair>>);
static_assert(std::is_same_v<decltype(vmap(total)(pairs{})), array<float, 4>>);
static_assert(std::is_same_v<decltype(vmap(grad(total))(pairs{})), pairs>);
static_assert(std::is_same_v<decltype(vjp(total, pair{}).second(array<float>{})), pair>);
static_assert(std::is_same_v<decltype(linearize(total, pair{}).second(pair{})), array<float>>);
static_assert(
    std::is_same_v<decltype(jvp(total, std::tuple<pair>{pair{}}, std::tuple<pair>{pair{}}).second), array<float>>);

// A tuple in a tuple stays one.
using nested = std::tuple<pair>;
static_assert(std::is_same_v<decltype(tree::map([](auto const& x) { return x; }, nested{pair{}})), nested>);
static_assert(std::is_same_v<
              decltype(grad([](nested const& t) { return std::get<1>(std::get<0>(t)); })(nested{pair{}})), nested>);

}  // namespace
