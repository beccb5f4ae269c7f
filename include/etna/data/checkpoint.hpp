// SPDX-License-Identifier: BSD-3-Clause
// Trees of arrays (parameters, optimizer states) in safetensors files: every leaf under its path,
// "layers.0.w". A file is loaded into a tree only when all of it fits.
// Read next: stored.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <bit>
#include <cstring>

#include <etna/array/tree.hpp>

#include "safetensors.hpp"

namespace etna::data {

namespace detail {

static_assert(std::endian::native == std::endian::little, "safetensors are little-endian, and so must the machine be");

template <class T> constexpr char const* safetensors_dtype() { return row_of(dtype_of<T>).safetensors; }
inline bool is_read_here(std::string const& dtype_name) {
  for (auto const& row : dtypes)
    if (dtype_name == row.safetensors) return true;
  return false;
}

// A leaf is an array, or a C++ number, which is saved as an array without axes.
template <class Leaf> struct leaf_of {
  using value_type = Leaf;
  static std::vector<std::int64_t> shape(Leaf const&) { return {}; }
  static void const* data(Leaf const& x) { return &x; }
  static bool fits(std::vector<std::int64_t> const& shape) { return shape.empty(); }
  template <class Fill> static void set(Leaf& x, std::vector<std::int64_t> const&, Fill fill) { fill(&x); }
};
template <any_array A> struct leaf_of<A> {
  using value_type = typename A::value_type;
  static std::vector<std::int64_t> shape(A const& x) {
    auto const s = x.shape();
    return {s.begin(), s.end()};
  }
  static void const* data(A const& x) { return x.data(); }
  // A named extent takes any size.
  static bool fits(std::vector<std::int64_t> const& shape) {
    if (shape.size() != A::extents.size()) return false;
    for (std::size_t i = 0; i < shape.size(); ++i)
      if (A::extents[i] >= 0 && A::extents[i] != shape[i]) return false;
    return true;
  }
  template <class Fill> static void set(A& x, std::vector<std::int64_t> const& shape, Fill fill) {
    auto sizes = A::extents;
    for (std::size_t i = 0; i < sizes.size(); ++i) sizes[i] = shape[i];
    x = A::build(fill, sizes);
  }
};

inline std::string spelled(std::string const& dtype, std::vector<std::int64_t> const& shape) {
  std::string text = dtype + "[";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (i > 0) text += ',';
    text += std::to_string(shape[i]);  // g++ 12 warns of "" + string, falsely
  }
  return text + "]";
}

template <class Leaf>
void check_leaf(archive const& from, std::string const& name, Leaf const& x, std::string const& file) {
  using leaf = leaf_of<Leaf>;
  std::string const dtype = safetensors_dtype<typename leaf::value_type>();
  entry const* e = from.find(name);
  if (!e) message::raise<122>(file + " has no '" + name + "'");
  if (!is_read_here(e->dtype)) not_read_here(file, name, e->dtype);
  if (e->dtype != dtype || !leaf::fits(e->shape))
    message::raise<122>(file + " has '" + name + "' as " + spelled(e->dtype, e->shape) + ", not " +
                        spelled(dtype, leaf::shape(x)));
}

template <class Leaf> void load_leaf(entry const& e, Leaf& x) {
  using T = typename leaf_of<Leaf>::value_type;
  leaf_of<Leaf>::set(x, e.shape, [&](T* out) {
    if constexpr (std::is_same_v<T, bool>)  // any byte but 0 and 1 would be undefined as a bool
      std::transform(e.bytes.begin(), e.bytes.end(), out, [](unsigned char b) { return b != 0; });
    else if (!e.bytes.empty()) std::memcpy(out, e.bytes.data(), e.bytes.size());
  });
}

}  // namespace detail

/// Save the leaves of a tree, each under its path, and some words beside them.
///
/// errors  E123 the file cannot be written; the one before it is then still there
/// example test/unit/data/checkpoint.cpp  [loads what was saved]
template <class Tree> void save(Tree const& tree, std::filesystem::path const& path,
                                std::map<std::string, std::string> const& metadata = {}) {
  std::vector<entry> entries;
  tree::for_each_with_path(tree, [&](std::string const& name, auto& x) {
    using leaf = detail::leaf_of<std::remove_cvref_t<decltype(x)>>;
    auto const shape = leaf::shape(x);
    std::size_t bytes = sizeof(typename leaf::value_type);
    for (auto size : shape) bytes *= std::size_t(size);
    entries.push_back({name,
                       detail::safetensors_dtype<typename leaf::value_type>(),
                       shape,
                       {static_cast<unsigned char const*>(leaf::data(x)), bytes}});
  });
  write_safetensors(path, entries, metadata);
}

/// Load a tree that save wrote, and return the words beside it. The tree changes only if all fits.
///
/// errors  E120 missing, E128 not readable, E121 damaged, E122 a leaf too few or too many, or another dtype or shape,
///         E124 a dtype that arrays do not have
template <class Tree> std::map<std::string, std::string> load(Tree& tree, std::filesystem::path const& path) {
  archive from = read_safetensors(path);
  std::set<std::string> wanted;
  tree::for_each_with_path(tree, [&](std::string const& name, auto& x) {
    detail::check_leaf(from, name, x, path.string());
    wanted.insert(name);
  });
  for (auto const& e : from.entries)
    if (!wanted.contains(e.name))
      message::raise<122>(path.string() + " has '" + e.name + "', which is not in the tree");
  tree::for_each_with_path(tree, [&](std::string const& name, auto& x) { detail::load_leaf(*from.find(name), x); });
  return from.metadata;
}

}  // namespace etna::data

#include <etna/set_back.hpp>
