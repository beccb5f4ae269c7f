// SPDX-License-Identifier: BSD-3-Clause
// Objects that are not etna's and are given where a function has an array as a parameter. Here is only what they are
// asked; interop/ answers for spans, views, mdspan and xtensor, and a program may for classes of its own.
#pragma once
#include "array.hpp"

namespace etna::interop {

/// How an object of class X stands for an array. A specialisation has
///
/// told        the array type that X tells by itself: its element type and sizes; void where only objects know their
///             sizes
/// as<A>(x)    an array of type A that reads x's memory where it lies, or a copy where the layout asks for one; x
///             outlives it
/// copy<A>(x)  a copy in any case
template <class X> struct guest;

/// An object that may be given for an array.
template <class X> concept foreign = !any_array<X> && requires { typename guest<std::remove_cvref_t<X>>::told; };

}  // namespace etna::interop
