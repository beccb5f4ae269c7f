// SPDX-License-Identifier: BSD-3-Clause
// Functions that several rows make together, jitted: a kernel for 4,096 arguments.
#include <etna/etna.hpp>

#include "accuracy/kernel.hpp"

namespace accuracy {
namespace {

constexpr std::size_t length = 4096;
template <class T> using block = etna::array<T, etna::extent(length)>;

template <class T> block<T> copied(T const* from) {
  return block<T>::build([from](T* to) { std::copy_n(from, length, to); });
}
template <class F, class T> void run(T const* x, T const* y, T* out, std::size_t n) {
  for (std::size_t i = 0; i < n; i += length) {
    block<T> r = [&] {
      if constexpr (std::is_invocable_v<F, block<T>, block<T>>)
        return etna::jit([](block<T> a, block<T> b) { return F{}(a, b); })(copied(x + i), copied(y + i));
      else return etna::jit([](block<T> a) { return F{}(a); })(copied(x + i));
    }();
    std::copy_n(r.data(), length, out + i);
  }
}
template <class F> kernel program(char const* name, int operands, F) {
  return {name, operands, {run<F, float>, run<F, float>}, {run<F, double>, run<F, double>}};
}

}  // namespace

std::vector<kernel> programs() {
  return {program("log_sigmoid", 1, [](auto x) { return etna::log_sigmoid(x); }),
          program("softplus", 1, [](auto x) { return etna::softplus(x); }),
          program("sinc", 1, [](auto x) { return etna::sinc(x); }),
          program("remainder", 2, [](auto x, auto y) { return etna::remainder(x, y); })};
}

}  // namespace accuracy
