// SPDX-License-Identifier: BSD-3-Clause
// How the processor rounds, and whether numbers below the normal ones are numbers to it. A register of each thread.
// Read next: launch.hpp.
#pragma once

namespace etna {

namespace exec {

#if defined(__x86_64__)
struct float_mode {
  static constexpr unsigned flush = 0x8040;  // results, and operands
  unsigned bits;
  static float_mode now() {
    unsigned b;
    asm volatile("stmxcsr %0" : "=m"(b));
    return {b & ~0x3fu};  // the rest says what has happened
  }
  void set() const { asm volatile("ldmxcsr %0" : : "m"(bits)); }
};
#elif defined(__aarch64__)
struct float_mode {
  static constexpr unsigned long flush = 1ul << 24;
  unsigned long bits;
  static float_mode now() {
    unsigned long b;
    asm volatile("mrs %0, fpcr" : "=r"(b));
    return {b};
  }
  void set() const { asm volatile("msr fpcr, %0" : : "r"(bits)); }
};
#else
struct float_mode {
  static constexpr unsigned flush = 0;
  unsigned bits = 0;
  static float_mode now() { return {}; }
  void set() const {}
};
#endif

/// A mode while it lives; then the one before.
class in_float_mode {
 public:
  explicit in_float_mode(float_mode m) : before_(float_mode::now()) {
    if (m.bits != before_.bits) m.set();
  }
  ~in_float_mode() {
    if (float_mode::now().bits != before_.bits) before_.set();
  }
  in_float_mode(in_float_mode const&) = delete;
  in_float_mode& operator=(in_float_mode const&) = delete;

 private:
  float_mode before_;
};

}  // namespace exec

/// While it lives, numbers below the normal ones (in f32 below 1.2e-38) are 0 in this thread and in the kernels that it
/// runs, as XLA has it on a CPU. Gradients of deep networks and squares of them get there, and Intel's processors take
/// some hundred cycles for each. Where the processor is neither x86-64 nor AArch64, nothing changes.
///
/// example test/unit/exec/float_mode.cpp  [flush_denormals]
class flush_denormals {
 public:
  flush_denormals() : mode_({exec::float_mode::now().bits | exec::float_mode::flush}) {}

 private:
  exec::in_float_mode mode_;
};

}  // namespace etna
