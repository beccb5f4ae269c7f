// SPDX-License-Identifier: BSD-3-Clause
// etna's element types and reductions in MPI's words, and its errors in ours. Read next: mpi_requests.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <etna/group/process_group.hpp>

#if defined(ETNA_WITH_MPI)
// (MPI's old C++ classes, which would want another library.)
#if !defined(OMPI_SKIP_MPICXX)
#define OMPI_SKIP_MPICXX 1
#endif
#if !defined(MPICH_SKIP_MPICXX)
#define MPICH_SKIP_MPICXX 1
#endif
#include <climits>
#include <cstddef>
#include <string>
#include <type_traits>

#include <mpi.h>

#include <etna/message/runtime.hpp>

namespace etna::dist {

namespace detail {

inline void check_mpi(int code, char const* what) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING + 1]{};
  int length = 0;
  if (MPI_Error_string(code, text, &length) != MPI_SUCCESS) length = 0;
  message::raise<168>(std::string(what) + ": MPI says '" + std::string(text, std::size_t(length)) + "'");
}

/// `bytes` as one value of MPI's, whose counts are int.
class block_type {
 public:
  explicit block_type(std::size_t bytes) {
    constexpr std::size_t unit = std::size_t(1) << 30;
    if (bytes <= INT_MAX) MPI_Type_contiguous(int(bytes), MPI_BYTE, &type_);
    else {
      MPI_Datatype gib = MPI_DATATYPE_NULL, many = MPI_DATATYPE_NULL, rest = MPI_DATATYPE_NULL;
      MPI_Type_contiguous(int(unit), MPI_BYTE, &gib);
      MPI_Type_contiguous(int(bytes / unit), gib, &many);
      MPI_Type_contiguous(int(bytes % unit), MPI_BYTE, &rest);
      int const ones[]{1, 1};
      MPI_Aint const places[]{0, MPI_Aint(bytes / unit * unit)};
      MPI_Datatype const parts[]{many, rest};
      MPI_Type_create_struct(2, ones, places, parts, &type_);
      for (auto* part : {&gib, &many, &rest}) MPI_Type_free(part);
    }
    check_mpi(MPI_Type_commit(&type_), "MPI_Type_commit");
  }
  block_type(block_type const&) = delete;
  block_type& operator=(block_type const&) = delete;
  /// Requests that use it go on.
  ~block_type() { MPI_Type_free(&type_); }
  operator MPI_Datatype() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

/// What MPI does not do: numbers of 16 bits; and the greatest and the least where there is a NaN, which is NaN, as with
/// one process. (MPI's own depend on whose it is.)
template <class T, reduction R> void reduce_numbers(void* in, void* both, int* n, MPI_Datatype*) {
  using wide = std::conditional_t<std::is_same_v<T, double>, double, float>;
  auto const* x = static_cast<T const*>(in);
  auto* y = static_cast<T*>(both);
  for (int i = 0; i < *n; ++i) {
    wide const a = wide(x[i]), b = wide(y[i]);
    y[i] = T(R == reduction::sum ? a + b : b != b || (R == reduction::max ? b > a : b < a) ? b : a);
  }
}
struct number_type {
  MPI_Datatype type;
  MPI_Op op;
};
template <class T, reduction R> MPI_Op own_op() {
  static MPI_Op const op = [] {
    MPI_Op made;
    check_mpi(MPI_Op_create(&reduce_numbers<T, R>, 1, &made), "MPI_Op_create");
    return made;
  }();
  return op;
}
template <class T> MPI_Op own_op(reduction r) {
  if (r == reduction::sum) return own_op<T, reduction::sum>();
  return r == reduction::max ? own_op<T, reduction::max>() : own_op<T, reduction::min>();
}
inline number_type number_type_of(dtype t, reduction r) {
  MPI_Op const op = r == reduction::sum ? MPI_SUM : r == reduction::max ? MPI_MAX : MPI_MIN;
  switch (t) {
    case dtype::boolean: return {MPI_UINT8_T, r == reduction::min ? MPI_MIN : MPI_MAX};  // a sum is whether any is true
    case dtype::u8: return {MPI_UINT8_T, op};
    case dtype::u16: return {MPI_UINT16_T, op};
    case dtype::u32: return {MPI_UINT32_T, op};
    case dtype::u64: return {MPI_UINT64_T, op};
    case dtype::i8: return {MPI_INT8_T, op};
    case dtype::i16: return {MPI_INT16_T, op};
    case dtype::i32: return {MPI_INT32_T, op};
    case dtype::i64: return {MPI_INT64_T, op};
    case dtype::bf16: return {MPI_UINT16_T, own_op<bfloat16>(r)};
    case dtype::f16: return {MPI_UINT16_T, own_op<float16>(r)};
    case dtype::f32: return {MPI_FLOAT, r == reduction::sum ? op : own_op<float>(r)};
    case dtype::f64: return {MPI_DOUBLE, r == reduction::sum ? op : own_op<double>(r)};
  }
  return {MPI_BYTE, op};
}

}  // namespace detail

}  // namespace etna::dist
#endif

#include <etna/set_back.hpp>
