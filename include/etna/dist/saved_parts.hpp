// SPDX-License-Identifier: BSD-3-Clause
// Which process writes which part of a tree's arrays, under which name, in which file. Read next: save_sharded.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <charconv>
#include <filesystem>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <string_view>
#include <utility>

#include "placed_leaf.hpp"
#include <etna/data/aside.hpp>

namespace etna::dist::detail {

inline constexpr char index_name[] = "model.safetensors.index.json";

/// One part as it is written: "kernel[0:392,0:128]", or "kernel" where it is all of it.
struct saved_part {
  std::size_t leaf;
  std::string name;
  box where;
  int rank;
};
inline std::string part_name(std::string const& path, box const& b) {
  std::string s = path + "[";
  for (std::size_t i = 0; i < b.from.size(); ++i)
    s += (i ? "," : "") + std::to_string(b.from[i]) + ":" + std::to_string(b.from[i] + b.size[i]);
  return s + "]";
}
/// The box in the name of a part of this array.
inline std::optional<box> box_in(std::string_view name, std::string_view path) {
  if (name.size() < path.size() + 2 || name.substr(0, path.size()) != path || name[path.size()] != '[' ||
      name.back() != ']')
    return {};
  box b;
  char const *at = name.data() + path.size() + 1, *end = name.data() + name.size();
  auto take = [&](std::int64_t& n, char behind) {
    auto const [next, wrong] = std::from_chars(at, end, n);
    if (wrong != std::errc{} || n < 0 || next == end || (*next != behind && (behind != ',' || *next != ']')))
      return false;
    at = next + 1;
    return true;
  };
  while (at < end) {
    std::int64_t from = 0, to = 0;
    if (!take(from, ':') || !take(to, ',') || to < from) return {};
    b.from.push_back(from);
    b.size.push_back(to - from);
  }
  return b;
}

/// Each part once, by the process that has the fewest bytes to write among those that hold it. All processes of so many
/// find the same.
inline std::vector<saved_part> parts_to_save(std::vector<placed_leaf> const& leaves, int ranks) {
  std::vector<saved_part> all;
  std::vector<std::uint64_t> load(std::size_t(ranks), 0);
  for (std::size_t k = 0; k < leaves.size(); ++k) {
    placed_leaf const& leaf = leaves[k];
    box const everything{sizes_t(leaf.whole.size(), 0), leaf.whole};
    bool const is_empty = everything.volume() == 0;
    std::map<sizes_t, saved_part> parts;
    for (int r = 0; r < ranks; ++r) {
      box const b = is_empty ? everything : leaf.held_by(r);
      if (b.volume() == 0 && !is_empty) continue;
      auto const [at, fresh] = parts.try_emplace(b.from, saved_part{k, part_name(leaf.path, b), b, r});
      if (!fresh && load[std::size_t(r)] < load[std::size_t(at->second.rank)]) at->second.rank = r;
    }
    for (auto& [from, part] : parts) {
      if (parts.size() == 1) part.name = leaf.path;
      load[std::size_t(part.rank)] += std::uint64_t(part.where.volume()) * leaf.item;
      all.push_back(std::move(part));
    }
  }
  return all;
}

/// The names of the files, of those processes that have something to write.
inline std::vector<std::string> files_of(std::vector<saved_part> const& parts, int ranks, std::string const& stem) {
  std::vector<std::string> r(std::size_t(ranks), "");
  std::set<int> writers;
  for (auto const& p : parts) writers.insert(p.rank);
  int number = 0;
  for (int w : writers) {
    char name[48];
    std::snprintf(name, sizeof name, "-%05d-of-%05d.safetensors", ++number, int(writers.size()));
    r[std::size_t(w)] = stem + name;
  }
  return r;
}

/// The parts of checkpoints in a folder, each with the beginning of its name.
inline std::vector<std::pair<std::filesystem::path, std::string>> files_in(std::filesystem::path const& folder) {
  static std::regex const form("(model(?:\\.[0-9]+)?)-[0-9]{5}-of-[0-9]{5}\\.safetensors");
  std::vector<std::pair<std::filesystem::path, std::string>> r;
  std::error_code why;
  for (std::filesystem::directory_iterator i(folder, why), end; !why && i != end; i.increment(why)) {
    std::smatch m;
    std::string const name = i->path().filename().string();
    if (std::regex_match(name, m, form)) r.emplace_back(i->path(), m[1]);
  }
  return r;
}
inline std::string stem_of(int number) { return number ? "model." + std::to_string(number) : "model"; }
/// How the files of a new checkpoint begin, as a number: "model", or "model.1", ... where files of that name are there:
/// they may belong to the checkpoint that is read until this one is complete.
inline int free_number(std::filesystem::path const& folder) {
  std::set<std::string> taken;
  for (auto const& [path, stem] : files_in(folder)) taken.insert(stem);
  int k = 0;
  while (taken.contains(stem_of(k))) ++k;
  return k;
}
/// Removes files of checkpoints that no index names any more, as Hugging Face's save_pretrained does, and what dead
/// writers left aside.
inline void remove_all_but(std::filesystem::path const& folder, std::string const& stem) {
  std::error_code why;
  for (auto const& [path, of] : files_in(folder))
    if (of != stem) std::filesystem::remove(path, why);
  static std::regex const aside("(model(?:\\.[0-9]+)?-[0-9]{5}-of-[0-9]{5}\\.safetensors)\\..*\\.part");
  std::set<std::string> targets;
  for (std::filesystem::directory_iterator i(folder, why), end; !why && i != end; i.increment(why)) {
    std::smatch m;
    std::string const name = i->path().filename().string();
    if (std::regex_match(name, m, aside)) targets.insert(m[1]);
  }
  for (auto const& t : targets) data::detail::aside::sweep(folder, data::detail::aside::prefix(t));
}

}  // namespace etna::dist::detail

#include <etna/set_back.hpp>
