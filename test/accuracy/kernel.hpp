// SPDX-License-Identifier: BSD-3-Clause
// A function as a program measures it: loops over numbers, by pointers. Read next: kernels.hpp.
#pragma once
#include <cstddef>
#include <type_traits>
#include <vector>

namespace accuracy {

/// A function of all of `count` numbers, y only where it has two operands.
template <class T> using loop = void (*)(T const* x, T const* y, T* out, std::size_t count);
template <class T> struct loops {
  loop<T> registers, numbers;
};

struct kernel {
  char const* name;
  int operands;
  loops<float> f32;
  loops<double> f64;
};
template <class T> loops<T> const& of(kernel const& k) {
  if constexpr (std::is_same_v<T, float>) return k.f32;
  else return k.f64;
}

/// jit of what is composed of several rows, in loops over multiples of 4,096 numbers.
std::vector<kernel> programs();

}  // namespace accuracy
