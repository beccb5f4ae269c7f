// SPDX-License-Identifier: BSD-3-Clause
// Trees saved by all processes, each its own file, and an index that makes them one checkpoint, as public ones have it.
// Read next: load_sharded.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <exception>
#include <memory>

#include "collectives.hpp"
#include "saved_parts.hpp"

namespace etna::dist {

namespace detail {

/// Something that each process does alone and that may fail. Where it failed on one, all throw: that one its own error,
/// the others E177; so nobody waits for who will not come.
template <class F> void done_by_all(process_group& g, char const* what, F const& f) {
  std::exception_ptr mine;
  try {
    f();
  } catch (...) { mine = std::current_exception(); }
  std::unique_ptr<std::int32_t[]> failed(new std::int32_t[2]{mine ? 1 : 0, 0});
  wait_for(g, g.all_reduce(failed.get(), failed.get() + 1, 1, dtype::i32, reduction::max), &failed, 1);
  if (mine) std::rethrow_exception(mine);
  if (failed[1])
    message::raise<177>(std::string(what) + ", on rank " + std::to_string(g.rank()) + " of " +
                        std::to_string(g.size()));
}

/// The file of one process.
inline void write_own(std::filesystem::path const& path, std::vector<placed_leaf> const& leaves,
                      std::vector<saved_part> const& parts, int rank, std::map<std::string, std::string> words) {
  std::vector<data::entry> entries;
  std::vector<std::vector<unsigned char>> without_padding;
  nlohmann::json cut_ones = nlohmann::json::object();
  for (auto const& p : parts) {
    if (p.rank != rank) continue;
    placed_leaf const& leaf = leaves[p.leaf];
    std::size_t const bytes = std::size_t(p.where.volume()) * leaf.item;
    unsigned char const* from = leaf.data;
    if (p.where.size != leaf.shard) {
      auto& packed = without_padding.emplace_back(bytes);
      box const held{sizes_t(leaf.shard.size(), 0), p.where.size};
      std::size_t const row = std::size_t(row_length(held)) * leaf.item;
      for (std::int64_t i = 0; i < row_count(held); ++i)
        std::memcpy(packed.data() + std::size_t(i) * row, from + row_begin(leaf.shard, held, i) * leaf.item, row);
      from = packed.data();
    }
    entries.push_back({p.name, leaf.dtype, p.where.size, {from, bytes}});
    if (p.name != leaf.path) cut_ones[leaf.path] = leaf.whole;
  }
  if (!cut_ones.empty()) words["whole_shapes"] = cut_ones.dump();
  data::write_safetensors(path, entries, words);
}
inline void write_index(std::filesystem::path const& folder, std::vector<placed_leaf> const& leaves,
                        std::vector<saved_part> const& parts, std::vector<std::string> const& file_of,
                        std::map<std::string, std::string> const& words) {
  nlohmann::json index;
  index["metadata"] = words;
  index["weight_map"] = nlohmann::json::object();
  std::uint64_t bytes = 0;
  for (auto const& p : parts) {
    index["weight_map"][p.name] = file_of[std::size_t(p.rank)];
    bytes += std::uint64_t(p.where.volume()) * leaves[p.leaf].item;
    if (p.name != leaves[p.leaf].path) index["metadata"]["whole_shapes"][leaves[p.leaf].path] = leaves[p.leaf].whole;
  }
  index["metadata"]["total_size"] = bytes;
  data::replacement file(folder / index_name);
  file.write(index.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
  file.commit();
}
/// What all processes have agreed on: process 0 says it.
inline int said_by_first(process_group& g, int number) {
  std::unique_ptr<int[]> n(new int[1]{number});
  wait_for(g, g.broadcast(n.get(), sizeof(int), 0), &n, 1);
  return n[0];
}
inline void save_parts(process_group& g, std::filesystem::path const& folder, std::vector<placed_leaf> const& leaves,
                       std::map<std::string, std::string> const& words) {
  check_alike(g, sign_of_leaves(leaves), "save_sharded");
  int number = 0;
  done_by_all(g, "save_sharded", [&] {
    if (g.rank() != 0) return;
    std::error_code why;
    std::filesystem::create_directories(folder, why);
    if (why) message::raise<123>(folder.string() + " (" + why.message() + ")");
    number = free_number(folder);
  });
  std::string const stem = stem_of(said_by_first(g, number));
  auto const parts = parts_to_save(leaves, g.size());
  auto const files = files_of(parts, g.size(), stem);
  std::string const& own = files[std::size_t(g.rank())];
  try {
    done_by_all(g, "save_sharded", [&] {
      if (!own.empty()) write_own(folder / own, leaves, parts, g.rank(), words);
    });
    done_by_all(g, "save_sharded", [&] {
      if (g.rank() == 0) write_index(folder, leaves, parts, files, words);
    });
  } catch (...) {
    std::error_code why;
    if (!own.empty()) std::filesystem::remove(folder / own, why);
    throw;
  }
  if (g.rank() == 0) remove_all_but(folder, stem);
}

}  // namespace detail

/// Save a tree into a folder that all processes see: whole leaves by one process each, shards each by one that has it.
///
///     dist::save_sharded(m, "run/step_1000", s.params);   // model-00001-of-00004.safetensors, ...
///     auto p = dist::load_sharded<net>(m, "run/step_1000");
///
/// The files are written aside and renamed, and last the index, model.safetensors.index.json: until it is there, the
/// checkpoint that was there before is read. Where no array is cut this is what Hugging Face's libraries read and
/// write. Part of one that is cut is named by its place, "kernel[0:392,0:128]", and whole_shapes among the metadata has
/// the whole's sizes.
///
/// words   for the metadata; {{"format", "pt"}} where transformers shall read it
/// errors  E123 it cannot be written; E177 another process could not; E168 to E170; E178 an array is sharded over
///         another mesh (while compiling)
/// source  Hugging Face, save_pretrained
/// example test/ranks/checkpoint.cpp  [saved by some, loaded by others]
template <any_mesh M, tree::any_tree T> void save_sharded(M const& m, std::filesystem::path const& folder, T const& t,
                                                          std::map<std::string, std::string> const& words = {}) {
  detail::save_parts(m.all(), folder, detail::leaves_of(m, t), words);
}

}  // namespace etna::dist

#include <etna/set_back.hpp>
