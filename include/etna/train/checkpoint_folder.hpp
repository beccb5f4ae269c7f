// SPDX-License-Identifier: BSD-3-Clause
// A folder of checkpoints, step_000400.safetensors: which there are, the newest that reads, and which go.
// Read next: background.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <cstdio>
#include <filesystem>

#include <etna/data/checkpoint.hpp>

#include "run_record.hpp"

namespace etna::train {

/// The folder; it is made when something is first written.
///
/// example test/unit/train/checkpoint_folder.cpp  [the newest that reads is loaded]
class checkpoint_folder {
 public:
  explicit checkpoint_folder(std::filesystem::path folder) : folder_(std::move(folder)) {}

  std::filesystem::path path(std::uint64_t step) const {
    char name[48];
    std::snprintf(name, sizeof name, "step_%06llu.safetensors", static_cast<unsigned long long>(step));
    return folder_ / name;
  }
  /// Of which steps there are files, in ascending order.
  std::vector<std::uint64_t> steps() const {
    std::vector<std::uint64_t> all;
    std::error_code why;
    for (std::filesystem::directory_iterator i(folder_, why), end; !why && i != end; i.increment(why))
      if (auto const step = step_of(i->path().filename().string())) all.push_back(*step);
    std::sort(all.begin(), all.end());
    return all;
  }

  /// Write a tree, and the record and other words beside it.
  ///
  /// errors  E123 it cannot be written; what was there before is still there
  template <class Tree>
  void write(Tree const& tree, run_record const& r, std::map<std::string, std::string> words = {}) const {
    make_folder();
    for (auto const& [key, text] : r.words()) words[key] = text;
    data::save(tree, path(r.step), words);
  }
  /// Remove all but the last `keep` up to this step, and the best. Newer ones are no run's of now: they were damaged
  /// when it began, and stay until their step comes again.
  void prune(std::uint64_t step, int keep, std::uint64_t best) const {
    auto all = steps();
    std::erase_if(all, [&](std::uint64_t s) { return s > step; });
    for (std::size_t i = 0; i + std::size_t(std::max(keep, 1)) < all.size(); ++i)
      if (all[i] != best) remove(all[i]);
  }
  /// Remove those from this step on.
  void remove_from(std::uint64_t first) const {
    for (auto step : steps())
      if (step >= first) remove(step);
  }

  /// Copy the file of this step from another folder, where it is there and not here.
  ///
  /// errors  E123 it cannot be written
  void take_along(std::uint64_t step, std::filesystem::path const& from) const {
    auto const there = checkpoint_folder(from).path(step);
    if (!std::filesystem::exists(there) || std::filesystem::exists(path(step))) return;
    auto const bytes = data::detail::read_whole(there);
    make_folder();
    data::replacement file(path(step));
    file.write(bytes.data(), bytes.size());
    file.commit();
  }

  /// Load a checkpoint, of any name.
  ///
  /// errors  E121 it is none of a run; else as data::load; the tree is then as it was
  template <class Tree> static run_record load_file(Tree& tree, std::filesystem::path const& file) {
    auto loaded = tree;
    auto r = run_record::of(data::load(loaded, file));
    if (!r) message::raise<121>(file.string() + ": it is no checkpoint of a run");
    tree = std::move(loaded);
    return *r;
  }
  /// Load the newest that is not damaged; a sentence on stderr names those that are. Nothing where there is none.
  ///
  /// errors  E121 all are damaged; E122, E124, E128 as data::load; the tree is then as it was
  template <class Tree> std::optional<run_record> load(Tree& tree) const {
    auto const all = steps();
    for (std::size_t i = all.size(); i-- > 0;) try {
        auto r = load_file(tree, path(all[i]));
        if (r.step != all[i]) message::raise<121>(path(all[i]).string() + ": it is named for another step");
        return r;
      } catch (error const& e) {
        if (e.number != 121 || i == 0) throw;
        std::fprintf(stderr, "etna: %s; the checkpoint before it is taken\n", e.what());
      }
    return std::nullopt;
  }

 private:
  std::filesystem::path folder_;

  void make_folder() const {
    std::error_code why;
    std::filesystem::create_directories(folder_, why);
    if (why) message::raise<123>(folder_.string() + " (" + why.message() + ")");
  }
  static std::optional<std::uint64_t> step_of(std::string_view name) {
    constexpr std::string_view first = "step_", last = ".safetensors";
    if (!name.starts_with(first) || !name.ends_with(last)) return std::nullopt;
    name.remove_prefix(first.size());
    name.remove_suffix(last.size());
    std::uint64_t step = 0;
    auto const [end, wrong] = std::from_chars(name.data(), name.data() + name.size(), step);
    if (name.size() < 6 || wrong != std::errc() || end != name.data() + name.size()) return std::nullopt;
    return step;
  }
  // One that cannot be removed is in nobody's way.
  void remove(std::uint64_t step) const {
    std::error_code why;
    std::filesystem::remove(path(step), why);
  }
};

}  // namespace etna::train

#include <etna/set_back.hpp>
