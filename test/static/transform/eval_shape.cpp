// SPDX-License-Identifier: BSD-3-Clause
// eval_shape: the types of a result, in its tree, without evaluation.
#include <etna/language.hpp>

using namespace etna;

namespace {

using matrix = array<float, 3, 4>;
constexpr auto rows = [](auto x) { return sum<1>(x * 2.0f); };
constexpr tensor_type three{dtype::f32, 1, {3}};
static_assert(eval_shape(rows, matrix{}) == three);
static_assert(eval_shape<matrix>(rows) == three);
static_assert(eval_shape<array<double, 7, 4>>(rows) == tensor_type{dtype::f64, 1, {7}});
static_assert(eval_shape([](auto x) { return x * x; }, 2.0) == tensor_type{dtype::f64, 0, {}});

// Names stay names.
static_assert(eval_shape<array<float, "batch"_n, 4>>(rows) == tensor_type{dtype::f32, 1, {"batch"_n}});

// Trees keep their nodes; transforms are functions like others.
struct line {
  array<float, 3> slope;
  array<int> at;
};
constexpr auto both = [](line const& l, matrix x) { return std::pair{dot(l.slope, x), l}; };
constexpr auto types_of_both = eval_shape(both, line{}, matrix{});
static_assert(types_of_both.first == tensor_type{dtype::f32, 1, {4}});
static_assert(types_of_both.second.get<&line::slope>() == three);
static_assert(types_of_both.second.get<&line::at>() == tensor_type{dtype::i32, 0, {}});
static_assert(eval_shape<array<float, 3>>(jacrev([](auto x) { return x * x; })) == tensor_type{dtype::f32, 2, {3, 3}});
static_assert(eval_shape<array<float, 5, 3>>(vmap<0>([](auto x) { return sum(x); })) ==
              tensor_type{dtype::f32, 1, {5}});

// Arguments that exist only while the program runs: only their type is used.
[[maybe_unused]] tensor_type of_running(matrix const& x) { return eval_shape(rows, x); }
[[maybe_unused]] constexpr auto list = eval_shape([](auto x) { return std::array{x, x}; }, matrix{});
static_assert(list[1] == matrix::type);

}  // namespace
