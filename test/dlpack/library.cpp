// SPDX-License-Identifier: BSD-3-Clause
// A library that Python calls by ctypes: tensors in, tensors out, as docs/ways_in_and_out.md has it. See check.py.
#include <cstdio>

#include <etna/etna.hpp>
#include <etna/interop/dlpack.hpp>

namespace {

using namespace etna;
template <class T> using rows_of = array<T, "n"_n, 8>;
template <class T> constexpr auto twice = jit([](rows_of<T> const& x) { return 2.0f * x; });
using rows = rows_of<float>;
rows kept;

/// Errors become numbers here, with their sentences in `said`: an exception would not pass through Python.
template <class F> int guarded(char* said, std::size_t size, F f) {
  try {
    f();
    return 0;
  } catch (error const& e) {
    std::snprintf(said, size, "%s", e.what());
    return e.number;
  }
}
template <class T = float, class M> int call(M* in, M** out, void const** read, char* said, std::size_t size) {
  return guarded(said, size, [&] {
    auto x = from_dlpack<rows_of<T>>(in);
    *read = x.data();
    *out = to_dlpack<M>(twice<T>(x));
  });
}

}  // namespace

extern "C" {
int etna_twice(dlpack::managed_tensor* in, dlpack::managed_tensor** out, void const** read, char* said,
               std::size_t size) {
  return call(in, out, read, said, size);
}
int etna_twice_versioned(dlpack::managed_tensor_versioned* in, dlpack::managed_tensor_versioned** out,
                         void const** read, char* said, std::size_t size) {
  return call(in, out, read, said, size);
}
int etna_twice_float16(dlpack::managed_tensor* in, dlpack::managed_tensor** out, void const** read, char* said,
                       std::size_t size) {
  return call<float16>(in, out, read, said, size);
}
int etna_twice_bfloat16(dlpack::managed_tensor* in, dlpack::managed_tensor** out, void const** read, char* said,
                        std::size_t size) {
  return call<bfloat16>(in, out, read, said, size);
}
/// Reads on until etna_drop.
int etna_keep(dlpack::managed_tensor* in, char* said, std::size_t size) {
  return guarded(said, size, [&] { kept = from_dlpack<rows>(in); });
}
/// The kept array for others to read, without a copy.
dlpack::managed_tensor_versioned* etna_share() { return to_dlpack<dlpack::managed_tensor_versioned>(kept); }
void etna_drop() { kept = rows(); }
}
