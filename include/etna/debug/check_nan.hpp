// SPDX-License-Identifier: BSD-3-Clause
// A function run by the interpreter that stops at the first NaN. Read next: <etna/exec/jit.hpp>.
#pragma once
#include <etna/eager/interpreter.hpp>

namespace etna::debug {

/// While this lives, the thread's calls look for NaN, those of compiled functions too.
class looking_for_nan {
 public:
  looking_for_nan() : outer_(eager::instead_of_plans) { eager::instead_of_plans = eager::interpreter(); }
  looking_for_nan(looking_for_nan const&) = delete;
  ~looking_for_nan() { eager::instead_of_plans = outer_; }

 private:
  eager::recorder const* outer_;
};

template <class F> struct nan_checked {
  [[no_unique_address]] F f;
  template <class... A> constexpr decltype(auto) operator()(A&&... args) const {
    if (__builtin_is_constant_evaluated()) return f(std::forward<A>(args)...);
    return look(std::forward<A>(args)...);
  }

 private:
  template <class... A> decltype(auto) look(A&&... args) const {
    looking_for_nan here;
    return f(std::forward<A>(args)...);
  }
};

/// check_nan(f): f, run equation by equation, which stops with E113 where a result is NaN for the first time; the error
/// names the operation, its result and its scope.
///
/// f       any function, compiled ones too: check_nan(train_step), check_nan(grad(loss)) with the backward pass
/// errors  E113 a value became NaN
/// source  JAX debug_nans
template <class F> constexpr auto check_nan(F f) { return nan_checked<F>{f}; }

}  // namespace etna::debug
