// SPDX-License-Identifier: BSD-3-Clause
// DLPack both ways: tensors of NumPy, PyTorch and JAX in the CPU's memory, without a copy where their layout allows,
// each kept alive by the other side. The structs are laid out as DLPack's; those of <dlpack/dlpack.h> serve as well.
#pragma once
#include <etna/set_aside.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "strided.hpp"

namespace etna {
namespace dlpack {

// DLPack's structs under names of our own; their fields have DLPack's names, since programs write them too.
struct device_type_and_id {
  std::int32_t device_type, device_id;
};
struct data_type {
  std::uint8_t code, bits;
  std::uint16_t lanes;
};
struct tensor {
  void* data;
  device_type_and_id device;
  std::int32_t ndim;
  data_type dtype;
  std::int64_t* shape;
  std::int64_t* strides;  // in elements; null: row-major
  std::uint64_t byte_offset;
};
/// What a capsule named "dltensor" holds: DLManagedTensor.
struct managed_tensor {
  tensor dl_tensor;
  void* manager_ctx;
  void (*deleter)(managed_tensor*);
};
struct version_number {
  std::uint32_t first, second;
};
/// What a capsule named "dltensor_versioned" holds, of DLPack 1.0 and later: DLManagedTensorVersioned.
struct managed_tensor_versioned {
  version_number version;
  void* manager_ctx;
  void (*deleter)(managed_tensor_versioned*);
  std::uint64_t flags;
  tensor dl_tensor;
};
static_assert(sizeof(tensor) == 32 + 2 * sizeof(void*) && sizeof(version_number) == 8);

inline constexpr int cpu = 1;
inline constexpr std::uint64_t read_only = 1, is_copied = 2;  // flags

/// These structs, or those of <dlpack/dlpack.h>.
template <class M> concept managed = requires(M& m) {
  m.dl_tensor.device.device_type;
  m.dl_tensor.byte_offset;
  m.deleter(&m);
  m.manager_ctx;
};
template <class M> concept versioned = managed<M> && requires(M& m) { m.flags; };

enum class code : int { integer = 0, natural = 1, floating = 2, brain_float = 4, complex_number = 5, boolean = 6 };
template <element T> inline constexpr data_type type_of{std::uint8_t(std::is_same_v<T, bool>       ? code::boolean
                                                                     : std::is_same_v<T, bfloat16> ? code::brain_float
                                                                     : is_real<T>                  ? code::floating
                                                                     : std::is_unsigned_v<T>       ? code::natural
                                                                                                   : code::integer),
                                                        std::uint8_t(8 * sizeof(T)), 1};

/// "float32", "bfloat16", "float32 in 4 lanes": as NumPy says it.
inline std::string spelled(int c, int bits, int lanes) {
  static constexpr char const* names[] = {"int", "uint", "float", "a handle of ", "bfloat", "complex", "bool"};
  std::string text = c >= 0 && c < 7 ? names[c] : "type " + std::to_string(c) + " of ";
  if (c != int(code::boolean)) text += std::to_string(bits);
  return text + (lanes == 1 ? "" : " in " + std::to_string(lanes) + " lanes");
}

/// A tensor's elements, where the host may read them as T.
///
/// errors  E112 more than 10 axes, E140 another element type, E141 memory of a device, or none, or not aligned
template <element T, class Tensor> interop::strided<T const> elements(Tensor const& t) {
  constexpr data_type wanted = type_of<T>;
  if (int(t.dtype.code) != wanted.code || t.dtype.bits != wanted.bits || t.dtype.lanes != 1)
    message::raise<140>("it holds " + spelled(int(t.dtype.code), t.dtype.bits, t.dtype.lanes) + ", the array " +
                        spelled(wanted.code, wanted.bits, 1));
  if (int(t.device.device_type) != cpu)
    message::raise<141>("it is that of a device of kind " + std::to_string(int(t.device.device_type)));
  if (t.ndim < 0 || (t.ndim > 0 && !t.shape)) message::raise<141>("it has no shape");
  interop::strided<T const> s{nullptr, interop::rank_of(std::size_t(t.ndim)), {}, {}};
  extent n = 1;
  for (int i = s.rank - 1; i >= 0; --i) {
    s.size[i] = t.shape[i];
    s.stride[i] = t.strides ? t.strides[i] : n;
    if (s.size[i] < 0) message::raise<141>("axis " + std::to_string(i) + " has size " + std::to_string(s.size[i]));
    n *= s.size[i];
  }
  if (n == 0) return s;
  if (!t.data) message::raise<141>("its address is null");
  auto const address = reinterpret_cast<std::uintptr_t>(t.data) + std::uintptr_t(t.byte_offset);
  if (address % alignof(T) != 0)
    message::raise<141>("its elements begin at an address that " + std::to_string(alignof(T)) + " does not divide");
  s.data = reinterpret_cast<T const*>(address);
  return s;
}

/// Tensors of one major version are laid out alike.
template <class Version> void check_version(Version const& v) {
  auto const& [first, second] = v;  // DLPack's names for them are macros of POSIX
  if (first != 1) message::raise<141>("it is of DLPack " + std::to_string(first) + "." + std::to_string(second));
}

/// A tensor that is given back when this is gone.
template <managed M> class held {
 public:
  explicit held(M* m) : m_(m) {}
  held(held&& o) noexcept : m_(std::exchange(o.m_, nullptr)) {}
  ~held() {
    if (m_ && m_->deleter) m_->deleter(m_);
  }

 private:
  M* m_;
};

/// An array as a tensor: what its deleter deletes.
template <managed M, any_array A> struct exported {
  static constexpr std::size_t rank = std::size_t(A::rank);
  M head{};
  A array;
  std::int64_t shape[rank + 1]{}, strides[rank + 1]{};

  exported(A&& x, std::uint64_t flags) : array(std::move(x)) {
    auto const sizes = array.shape();
    std::int64_t n = 1;
    for (std::size_t i = rank; i-- > 0; n *= shape[i]) {
      shape[i] = sizes[i];
      strides[i] = n;
    }
    using T = typename A::value_type;
    auto& t = head.dl_tensor;
    t.data = etna::detail::access::writable(array);
    t.device.device_type = static_cast<decltype(t.device.device_type)>(cpu);
    t.ndim = A::rank;
    t.dtype.code = type_of<T>.code;
    t.dtype.bits = type_of<T>.bits;
    t.dtype.lanes = 1;
    t.shape = shape;
    t.strides = strides;
    head.manager_ctx = this;
    head.deleter = [](M* m) { delete static_cast<exported*>(m->manager_ctx); };
    if constexpr (versioned<M>) {
      head.version = {1, 0};
      head.flags = flags;
    }
  }
};
template <any_array A> A copy_of(A const& x) {
  return A::build([&](auto* out) { std::copy_n(x.data(), x.size(), out); }, x.shape());
}

}  // namespace dlpack

/// The array that a DLPack tensor is, read where it lies. No copy where that is row-major and the array is larger than
/// 256 bytes; otherwise a copy. The tensor is etna's from then on: its deleter is called once, by whichever thread lets
/// the last array go that reads it. While one does, the tensor must not be written: an array is a value.
///
/// m       a DLManagedTensor or DLManagedTensorVersioned, of etna/interop/dlpack.hpp or <dlpack/dlpack.h>; after an
///         error it is the caller's still
/// shape   the array's own extents must agree; names take the sizes that are there
/// errors  E110 a name would stand for two sizes, E112 another shape, E140 another element type, E141 memory of a
///         device, or not aligned, or another major version of DLPack (all at run time)
/// example test/unit/interop/dlpack.cpp  [a tensor is read where it lies]
/// source  DLPack, https://dmlc.github.io/dlpack/latest/
template <any_array A, dlpack::managed M> A from_dlpack(M* m) {
  using T = typename A::value_type;
  if constexpr (dlpack::versioned<M>) dlpack::check_version(m->version);
  auto const s = dlpack::elements<T>(m->dl_tensor);
  (void)interop::sizes_for<A>(s);  // whatever is wrong is said before the tensor is taken
  if constexpr (!A::in_object)
    if (s.is_plain()) return interop::adopt<A>(s, dlpack::held<M>(m), true);
  A copy = interop::copy_elements<A>(s);
  dlpack::held<M> done(m);
  return copy;
}

/// An array as a DLPack tensor, whose deleter lets go of the array. Of an rvalue that nobody shares the memory is
/// handed over, and may be written there. What others read as well is copied; as a DLManagedTensorVersioned it is
/// shared and marked read-only instead.
///
/// shape   that of x, row-major
/// errors  E035 a transform follows the value
/// example test/unit/interop/dlpack.cpp  [an array is handed over]
/// source  DLPack, https://dmlc.github.io/dlpack/latest/
template <dlpack::managed M = dlpack::managed_tensor, any_array A> M* to_dlpack(A&& x) {
  using access = etna::detail::access;
  using array_type = std::remove_cvref_t<A>;
  constexpr bool is_rvalue = !std::is_lvalue_reference_v<A> && !std::is_const_v<A>;
  bool const is_number = !access::traced(x).g;
  auto give = [](array_type&& own, std::uint64_t flags) {
    return &(new dlpack::exported<M, array_type>(std::move(own), flags))->head;
  };
  if constexpr (is_rvalue)
    if (is_number && access::sole_owner(x)) return give(std::forward<A>(x), 0);
  if constexpr (dlpack::versioned<M> && !array_type::in_object)
    if (is_number) return give(array_type(x), dlpack::read_only);
  return give(dlpack::copy_of(x), dlpack::is_copied);
}

}  // namespace etna

#include <etna/set_back.hpp>
