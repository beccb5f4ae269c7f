// SPDX-License-Identifier: BSD-3-Clause
// Checkpoints of others: safetensors files whose entries have other names than the leaves of a tree, and lie otherwise.
// A naming says for the path of each leaf where the file has it; torch_names is one, of regular expressions.
// Read next: ../optim/update.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <regex>

#include "stored.hpp"

namespace etna::data {

/// A callable that says for a leaf's path where a file has it.
template <class N> concept naming = std::is_invocable_r_v<stored, N const&, std::string const&>;

/// What a load by names permits, beyond a file that is all of the tree and nothing else.
struct loading {
  bool ignore_extra = false;  ///< entries that the tree has not
  bool convert = false;       ///< floating numbers of another type, such as bf16 for leaves of float
};

/// A regular expression, searched in the path of a leaf, and what is put in its place; and, where the expression is
/// found, which part of the entry the leaf is.
struct renamed {
  std::string from, to;
  int part = 0, parts = 1;
};

/// The names of a torch module: the rules one after another, each where its expression is found; then a last word
/// kernel, scale or embedding is weight. Kernels are taken as [Out, In, ...], unless the module keeps them otherwise.
///
/// source  PyTorch Module.state_dict
/// example test/unit/data/naming.cpp  [a torch module is loaded by names]
class torch_names {
 public:
  explicit torch_names(std::initializer_list<renamed> rules, layout kernels = layout::out_in) : kernels_(kernels) {
    for (auto const& r : rules) rules_.push_back({std::regex(r.from), r});
  }
  stored operator()(std::string const& path) const {
    stored r{path, path.ends_with("kernel") ? kernels_ : layout::in_out};
    for (auto const& [expression, rule] : rules_) {
      if ((rule.parts != 1 || rule.part != 0) && std::regex_search(r.name, expression))
        r.part = rule.part, r.parts = rule.parts;
      r.name = std::regex_replace(r.name, expression, rule.to);
    }
    static std::regex const weight("(^|\\.)(kernel|scale|embedding)$");
    r.name = std::regex_replace(r.name, weight, "$1weight");
    return r;
  }

 private:
  std::vector<std::pair<std::regex, renamed>> rules_;
  layout kernels_;
};

namespace detail {

/// Where a leaf is: its entries, one or one for each block, and how they lie there.
struct found {
  std::vector<entry const*> entries;
  stored where;
};
inline std::string numbered(std::string name, std::size_t number) {
  return name.replace(name.find('#'), 1, std::to_string(number));
}
template <class Leaf> void check_entry(entry const& e, stored const& where, std::vector<std::int64_t> const& shape,
                                       std::string const& path, std::string const& file, bool converts) {
  std::string const dtype = safetensors_dtype<typename leaf_of<Leaf>::value_type>();
  if (!is_read_here(e.dtype)) not_read_here(file, e.name, e.dtype);
  bool const fits = e.dtype == dtype || (converts && is_real(e.dtype) && is_real(dtype));
  bool const is_part = where.part >= 0 && where.part < where.parts;
  bool const divides =
      is_part &&
      (where.parts == 1 || (!e.shape.empty() && walk_of(e.shape, {"", where.kernel}).size.back() % where.parts == 0));
  if (!fits || !divides || !is_cut_of(shape, walk_of(e.shape, where).size))
    message::raise<122>(file + " has '" + e.name + "' as " + spelled(e.dtype, e.shape) + ", and '" + path + "' is " +
                        (where.parts != 1 || !is_part
                             ? "part " + std::to_string(where.part) + " of " + std::to_string(where.parts) + " of it, "
                             : "") +
                        spelled(dtype, shape) + (where.kernel == layout::out_in ? ", a kernel [..., In, Out]" : ""));
}
template <class Leaf> found find_leaf(archive const& from, stored where, Leaf const& x, std::string const& path,
                                      std::string const& file, bool converts) {
  auto shape = leaf_of<Leaf>::shape(x);
  bool const is_stack = where.name.find('#') != std::string::npos;
  if (is_stack && shape.empty())
    message::raise<122>("'" + path + "' has no blocks, and is looked for as '" + where.name + "'");
  std::size_t const blocks = is_stack ? std::size_t(shape[0]) : 1;
  if (is_stack) shape.erase(shape.begin());
  found r{{}, std::move(where)};
  for (std::size_t k = 0; k < blocks; ++k) {
    std::string const name = is_stack ? numbered(r.where.name, k) : r.where.name;
    entry const* e = from.find(name);
    if (!e)
      message::raise<122>(std::string(file).append(" has no '" + name + "', which '").append(path + "' is to be"));
    check_entry<Leaf>(*e, r.where, shape, path, file, converts);
    r.entries.push_back(e);
  }
  if (is_stack && from.find(numbered(r.where.name, blocks)))
    message::raise<122>(file + " has '" + numbered(r.where.name, blocks) + "', a block more than '" + path + "'");
  return r;
}
template <class Leaf> void fill_leaf(found const& from, Leaf& x) {
  using T = typename leaf_of<Leaf>::value_type;
  leaf_of<Leaf>::set(x, leaf_of<Leaf>::shape(x), [&](T* out) {
    for (entry const* e : from.entries) {
      walk const w = walk_of(e->shape, from.where);
      copy_entry(*e, w, out);
      std::int64_t n = 1;
      for (auto size : w.size) n *= size;
      out += n;
    }
  });
}

}  // namespace detail

/// Load a tree from a file that names and keeps its arrays otherwise: `name_of` says for each leaf's path where it is.
/// A leaf's axes may be the file's cut into several, as heads are. The tree changes only if all fits.
///
/// errors  E120 missing, E128 not readable, E121 damaged, E122 a leaf too few, of another dtype or shape, a block or
///         (unless they are ignored) an entry too many, E124 a dtype that arrays do not have
/// example test/unit/data/naming.cpp  [a torch module is loaded by names]
template <class Tree, naming Naming>
std::map<std::string, std::string> load(Tree& tree, std::filesystem::path const& path, Naming const& name_of,
                                        loading const& permitted = {}) {
  archive from = read_safetensors(path);
  std::vector<detail::found> leaves;
  std::set<std::string> used;
  tree::for_each_with_path(tree, [&](std::string const& name, auto& x) {
    leaves.push_back(detail::find_leaf(from, name_of(name), x, name, path.string(), permitted.convert));
    for (auto const* e : leaves.back().entries) used.insert(e->name);
  });
  for (auto const& e : from.entries)
    if (!permitted.ignore_extra && !used.contains(e.name))
      message::raise<122>(path.string() + " has '" + e.name + "', which is not in the tree");
  std::size_t k = 0;
  tree::for_each_with_path(tree, [&](std::string const&, auto& x) { detail::fill_leaf(leaves[k++], x); });
  return from.metadata;
}

}  // namespace etna::data

#include <etna/set_back.hpp>
