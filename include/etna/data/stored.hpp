// SPDX-License-Identifier: BSD-3-Clause
// How an array lies in a file of others: kernels turned over, several leaves side by side, blocks one by one; and how
// its numbers are copied from there. Read next: naming.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include "checkpoint.hpp"

namespace etna::data {

/// How a file keeps the kernels of products and convolutions: [..., In, Out], as etna and flax do, or [Out, In, ...],
/// as torch does.
enum class layout : bool { in_out, out_in };

/// Where a file has a leaf. In the name # stands for the number of a block: the leaf is one of nn::stacked, whose first
/// axis counts blocks, and the file has an entry for each. Of an entry that holds several leaves side by side the leaf
/// is one of so many equal parts of the last axis (the first of a kernel [Out, In]).
struct stored {
  std::string name;
  layout kernel = layout::in_out;
  int part = 0, parts = 1;
};

namespace detail {

/// The numbers of a leaf, or of a block of one, in an entry: sizes and strides of loops, outermost first.
struct walk {
  std::vector<std::int64_t> size, stride;
  std::int64_t first = 0;
};
inline walk walk_of(std::vector<std::int64_t> const& shape, stored const& where) {
  walk w{shape, std::vector<std::int64_t>(shape.size(), 1)};
  for (std::size_t i = shape.size(); i-- > 1;) w.stride[i - 1] = w.stride[i] * shape[i];
  if (where.kernel == layout::out_in && shape.size() > 1)  // [Out, In, space...] -> [space..., In, Out]
    for (auto* v : {&w.size, &w.stride}) {
      std::rotate(v->begin(), v->begin() + 2, v->end());
      std::swap(v->end()[-1], v->end()[-2]);
    }
  if (where.parts > 1 && !w.size.empty()) {
    w.size.back() /= where.parts;
    w.first = where.part * w.size.back() * w.stride.back();
  }
  return w;
}
/// Are the sizes of a leaf those of the walk, some of them cut into several?
inline bool is_cut_of(std::vector<std::int64_t> const& leaf, std::vector<std::int64_t> const& whole) {
  std::size_t at = 0;
  for (std::int64_t const size : whole) {
    std::int64_t n = 1;
    while (n != size && n > 0 && at < leaf.size() && leaf[at] <= size / n) n *= leaf[at++];
    if (n != size) return false;
  }
  while (at < leaf.size() && leaf[at] == 1) ++at;
  return at == leaf.size();
}
template <class From, class To> void copy_walk(entry const& e, walk const& w, To* out) {
  std::int64_t n = 1;
  for (auto size : w.size) n *= size;
  std::vector<std::int64_t> at(w.size.size(), 0);
  std::int64_t from = w.first;
  for (std::int64_t i = 0; i < n; ++i) {
    From x;
    std::memcpy(&x, e.bytes.data() + std::size_t(from) * sizeof(From), sizeof(From));
    if constexpr (std::is_same_v<To, bool>) out[i] = x != 0;
    else out[i] = static_cast<To>(x);
    for (std::size_t k = at.size(); k-- > 0; at[k] = 0) {
      from += w.stride[k];
      if (++at[k] < w.size[k]) break;
      from -= w.stride[k] * w.size[k];
    }
  }
}
inline bool is_real(std::string const& dtype) {
  return dtype == "F64" || dtype == "F32" || dtype == "F16" || dtype == "BF16";
}
template <class T> void copy_entry(entry const& e, walk const& w, T* out) {
  if constexpr (std::is_same_v<T, bool>) return copy_walk<unsigned char>(e, w, out);
  else {
    if (e.dtype == safetensors_dtype<T>()) return copy_walk<T>(e, w, out);
    if constexpr (is_floating(dtype_of<T>)) {
      if (e.dtype == "F64") copy_walk<double>(e, w, out);
      else if (e.dtype == "F32") copy_walk<float>(e, w, out);
      else if (e.dtype == "F16") copy_walk<float16>(e, w, out);
      else copy_walk<bfloat16>(e, w, out);
    }
  }
}

}  // namespace detail
}  // namespace etna::data

#include <etna/set_back.hpp>
