// SPDX-License-Identifier: BSD-3-Clause
// The types of NumPy's names: shapes broadcast, contract, reduce and move as NumPy has it.
#include <etna/language.hpp>

using namespace etna;

namespace {

template <extent... E> using f = array<float, E...>;
template <extent... E> using i = array<int, E...>;
template <extent... E> using b = array<bool, E...>;
template <class Expected, class X> inline constexpr bool same = std::is_same_v<Expected, X>;
constexpr extent n = "batch"_n;
template <class T> T of();

// Broadcasting.
static_assert(same<f<2, 3>, decltype(of<f<2, 3>>() + of<f<3>>())>);
static_assert(same<f<2, 3>, decltype(of<f<2, 1>>() * of<f<3>>())>);
static_assert(same<f<4, 2, 3>, decltype(of<f<4, 1, 3>>() - of<f<2, 1>>())>);
static_assert(same<f<2, 3>, decltype(of<f<>>() / of<f<2, 3>>())>);
static_assert(same<f<n, 3>, decltype(of<f<n, 3>>() + of<f<3>>())>);
static_assert(same<f<n, 3>, decltype(of<f<n, 1>>() + of<f<1, 3>>())>);
static_assert(same<f<0, 3>, decltype(of<f<0, 3>>() + of<f<1>>())>);
static_assert(same<f<2>, decltype(of<i<2>>() / of<i<2>>())>);
static_assert(same<b<2>, decltype(of<i<2>>() < of<f<>>())>);
static_assert(same<f<2, 3>, decltype(where(of<b<2, 1>>(), of<f<3>>(), 0))>);
static_assert(same<f<3>, decltype(exp(of<i<3>>()))>);
static_assert(same<array<double, 3>, decltype(exp(of<array<double, 3>>()))>);
static_assert(same<f<2, 3>, decltype(broadcast_to<2, 3>(of<f<3>>()))>);

// Reductions.
static_assert(same<f<3, 4>, decltype(sum<0>(of<f<2, 3, 4>>()))>);
static_assert(same<f<2, 3>, decltype(sum<-1>(of<f<2, 3, 4>>()))>);
static_assert(same<f<3>, decltype(sum<2, 0>(of<f<2, 3, 4>>()))>);
static_assert(same<f<>, decltype(sum(of<f<2, 3, 4>>()))>);
static_assert(same<f<2, 1, 4>, decltype(max<1>(of<f<2, 3, 4>>(), keepdims))>);
static_assert(same<f<1, 1>, decltype(min(of<f<2, 3>>(), keepdims))>);
static_assert(same<i<3>, decltype(sum<0>(of<b<2, 3>>()))>);
static_assert(same<f<3>, decltype(mean<0>(of<i<2, 3>>()))>);
static_assert(same<f<3>, decltype(mean<0>(of<f<n, 3>>()))>);
static_assert(same<i<2>, decltype(argmax<1>(of<f<2, 3>>()))>);
static_assert(same<i<>, decltype(argmin(of<f<2, 3>>()))>);
static_assert(same<b<2>, decltype(any<1>(of<b<2, 3>>()))>);

// Movement.
static_assert(same<f<3, 2>, decltype(transpose(of<f<2, 3>>()))>);
static_assert(same<f<4, 2, 3>, decltype(transpose<2, 0, 1>(of<f<2, 3, 4>>()))>);
static_assert(same<f<2, 4, 3>, decltype(swapaxes<1, 2>(of<f<2, 3, 4>>()))>);
static_assert(same<f<3, 4, 2>, decltype(moveaxis<0, -1>(of<f<2, 3, 4>>()))>);
static_assert(same<f<6, 4>, decltype(reshape<6, -1>(of<f<2, 3, 4>>()))>);
static_assert(same<f<24>, decltype(ravel(of<f<2, 3, 4>>()))>);
static_assert(same<f<n, 12>, decltype(reshape<n, 12>(of<f<n, 3, 4>>()))>);
static_assert(same<f<n, 12>, decltype(reshape<-1, 12>(of<f<n, 3, 4>>()))>);
static_assert(same<f<1, 3>, decltype(expand_dims<0>(of<f<3>>()))>);
static_assert(same<f<3, 1>, decltype(expand_dims<-1>(of<f<3>>()))>);
static_assert(same<f<3>, decltype(squeeze(of<f<1, 3, 1>>()))>);
static_assert(same<f<1, 3>, decltype(squeeze<-1>(of<f<1, 3, 1>>()))>);

// Products.
static_assert(same<f<2, 4>, decltype(dot(of<f<2, 3>>(), of<f<3, 4>>()))>);
static_assert(same<f<>, decltype(dot(of<f<3>>(), of<f<3>>()))>);
static_assert(same<f<n, 4>, decltype(dot(of<f<n, 3>>(), of<f<3, 4>>()))>);
static_assert(same<f<5, 2, 4>, decltype(matmul(of<f<5, 2, 3>>(), of<f<5, 3, 4>>()))>);
static_assert(same<f<6, 5, 2, 4>, decltype(matmul(of<f<6, 1, 2, 3>>(), of<f<5, 3, 4>>()))>);
static_assert(same<f<5, 2>, decltype(matmul(of<f<5, 2, 3>>(), of<f<3>>()))>);
static_assert(same<f<5, 4>, decltype(matmul(of<f<3>>(), of<f<5, 3, 4>>()))>);
static_assert(same<f<2, 5>, decltype(outer(of<f<2>>(), of<f<5>>()))>);
static_assert(same<f<2, 4>, decltype(einsum<"ij,jk->ik">(of<f<2, 3>>(), of<f<3, 4>>()))>);
static_assert(same<f<>, decltype(einsum<"ii">(of<f<3, 3>>()))>);
static_assert(same<f<3>, decltype(einsum<"ii->i">(of<f<3, 3>>()))>);
static_assert(same<f<4, 2>, decltype(einsum<"bij,bj,i->jb">(of<f<2, 3, 4>>(), of<f<2, 4>>(), of<f<3>>()))>);
static_assert(same<array<double, 2, 4>, decltype(dot(of<f<2, 3>>(), of<array<double, 3, 4>>()))>);

// Indexing and losses.
static_assert(same<f<2, 5, 4>, decltype(take<1>(of<f<2, 3, 4>>(), of<i<5>>()))>);
static_assert(same<f<2, 1>, decltype(take_along_axis<1>(of<f<2, 3>>(), of<i<2, 1>>()))>);
static_assert(same<f<4, 10>, decltype(one_hot<float, 10>(of<i<4>>()))>);
static_assert(same<f<2, 3>, decltype(slice<every, 1, range{0, 3}>(of<f<2, 3, 4>>()))>);
static_assert(same<f<1, 2, 2, 4>, decltype(slice<newaxis, every, range{rest, rest, -2}>(of<f<2, 3, 4>>()))>);
static_assert(same<f<n, 1>, decltype(slice<every, range{5, 9}>(of<f<n, 6>>()))>);
static_assert(same<f<>, decltype(slice<-1>(of<f<3>>()))>);
static_assert(same<f<2, 3>, decltype(of<f<2, 3>>().at<1>().set(0.5))>);
static_assert(same<f<n, 6>, decltype(pad<0, 0, 1, 2>(of<f<n, 3>>()))>);
static_assert(same<array<double, 2, 8>, decltype(concatenate<-1>(of<f<2, 3>>(), of<array<double, 2, 5>>()))>);
static_assert(same<f<n, 2, 3>, decltype(stack<1>(of<f<n, 3>>(), of<f<n, 3>>()))>);
static_assert(same<std::array<f<2, 2>, 3>, decltype(split<3, 1>(of<f<2, 6>>()))>);
static_assert(same<std::array<f<2>, 3>, decltype(unstack<1>(of<f<2, 3>>()))>);
static_assert(same<f<4, 1, 9>, decltype(tile<4, 1, 3>(of<f<3>>()))>);
static_assert(same<f<ext::mul(2, n), 3>, decltype(repeat<2>(of<f<n, 3>>()))>);
static_assert(same<f<2, 1>, decltype(dynamic_slice<2, 1>(of<f<4, 3>>(), of<i<>>(), 0))>);
static_assert(same<f<4>, decltype(dynamic_index_in_dim<1>(of<f<4, 3>>(), of<i<>>()))>);
static_assert(same<i<6>, decltype(cumsum(of<b<2, 3>>()))>);
static_assert(same<i<n, 3>, decltype(argsort<0>(of<f<n, 3>>()))>);
static_assert(same<std::pair<f<2, 5>, i<2, 5>>, decltype(top_k<5>(of<f<2, 9>>()))>);
static_assert(same<f<2, 5, 1, 4>, decltype(of<f<2, 3, 4>>().at<every, picked>(of<i<5, 1>>()).get())>);
static_assert(same<f<4>, decltype(softmax_cross_entropy(of<f<4, 10>>(), of<i<4>>()))>);
static_assert(same<f<n>, decltype(softmax_cross_entropy(of<f<n, 10>>(), of<array<std::uint8_t, n>>()))>);
static_assert(same<f<4, 10>, decltype(softmax(of<f<4, 10>>()))>);

}  // namespace
