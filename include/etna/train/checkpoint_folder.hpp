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
  ///
  /// errors  E128 the folder is there, and cannot be read
  std::vector<std::uint64_t> steps() const {
    std::vector<std::uint64_t> all;
    std::error_code why;
    for (std::filesystem::directory_iterator i(folder_, why), end; !why && i != end; i.increment(why))
      if (auto const step = step_of(i->path().filename())) all.push_back(*step);
    bool const missing = why == std::errc::no_such_file_or_directory || why == std::errc::not_a_directory;
    if (why && !missing) message::raise<128>(folder_.string() + " (" + why.message() + ")");
    std::sort(all.begin(), all.end());
    return all;
  }

  /// Write a tree, and the record and other words beside it.
  ///
  /// errors  E123 it cannot be written; what was there before is still there
  template <tree::any_tree Tree>
  void write(Tree const& tree, run_record const& r, std::map<std::string, std::string> words = {}) const {
    make_folder();
    for (auto const& [key, text] : r.words()) words[key] = text;
    data::save(tree, path(r.step), words);
  }
  /// Remove all but the last `keep` up to this step, and the best. Newer ones are no run's of now: they were damaged
  /// when it began, and stay until their step comes again.
  ///
  /// errors  E128 as steps. One that cannot be removed is in nobody's way
  void prune(std::uint64_t step, int keep, std::uint64_t best) const {
    auto all = steps();
    std::erase_if(all, [&](std::uint64_t s) { return s > step; });
    for (std::size_t i = 0; i + std::size_t(std::max(keep, 1)) < all.size(); ++i)
      if (all[i] != best) (void)remove(all[i]);
  }
  /// Remove those from this step on.
  ///
  /// errors  E123 one cannot be removed, so that the next start would go on from it; E128 as steps
  void remove_from(std::uint64_t first) const {
    for (auto step : steps())
      if (auto const why = step >= first ? remove(step) : std::error_code())
        message::raise<123>(path(step).string() + " (" + why.message() + ")");
  }

  /// Copy this file as that of a step.
  ///
  /// errors  E123 it cannot be written; E120, E128 the other cannot be read
  void take_along(std::uint64_t step, std::filesystem::path const& from) const {
    std::error_code why;
    if (std::filesystem::equivalent(from, path(step), why)) return;
    auto const bytes = data::detail::read_whole(from);
    make_folder();
    data::replacement file(path(step));
    file.write(bytes.data(), bytes.size());
    file.commit();
  }

  /// Load a checkpoint, of any name.
  ///
  /// errors  E121 it is none of a run; else as data::load; the tree is then as it was
  template <tree::any_tree Tree> static run_record load_file(Tree& tree, std::filesystem::path const& file) {
    auto loaded = tree;
    auto r = record_in(data::load(loaded, file), file);
    tree = std::move(loaded);
    return r;
  }
  /// Load the newest that is not damaged; a sentence on stderr names those that are. Nothing where there is none.
  ///
  /// errors  E121 all are damaged; E122, E124, E128 as data::load; the tree is then as it was
  template <tree::any_tree Tree> std::optional<run_record> load(Tree& tree) const {
    auto loaded = tree;
    auto words = newest([&](std::filesystem::path const& file) { return data::load(loaded, file); });
    if (!words) return std::nullopt;
    tree = std::move(loaded);
    return run_record::of(*words);
  }
  /// The words of the checkpoint that load takes; its arrays are not looked at.
  ///
  /// errors  E121 all are damaged; E124, E128
  std::optional<std::map<std::string, std::string>> words() const {
    return newest([](std::filesystem::path const& file) { return data::read_safetensors(file).metadata; });
  }

 private:
  std::filesystem::path folder_;

  static run_record record_in(std::map<std::string, std::string> const& words, std::filesystem::path const& file) {
    auto r = run_record::of(words);
    if (!r) message::raise<121>(file.string() + ": it is no checkpoint of a run");
    return *r;
  }
  // The words that read(file) gives, of the newest file that is not damaged.
  template <class Read> std::optional<std::map<std::string, std::string>> newest(Read read) const {
    auto const all = steps();
    for (std::size_t i = all.size(); i-- > 0;) try {
        auto const file = path(all[i]);
        auto words = read(file);
        if (record_in(words, file).step != all[i])
          message::raise<121>(file.string() + ": it is named for another step");
        return words;
      } catch (error const& e) {
        if (e.number != 121 || i == 0) throw;
        std::fprintf(stderr, "etna: %s; the checkpoint before it is taken\n", e.what());
      }
    return std::nullopt;
  }
  void make_folder() const {
    std::error_code why;
    std::filesystem::create_directories(folder_, why);
    if (why) message::raise<123>(folder_.string() + " (" + why.message() + ")");
  }
  // Only names that path() gives.
  std::optional<std::uint64_t> step_of(std::filesystem::path const& name) const {
    std::string const text = name.string();
    constexpr std::size_t first = std::string_view("step_").size();
    std::uint64_t step = 0;
    if (text.size() < first) return std::nullopt;
    auto const wrong = std::from_chars(text.data() + first, text.data() + text.size(), step).ec;
    if (wrong != std::errc() || path(step).filename() != name) return std::nullopt;
    return step;
  }
  std::error_code remove(std::uint64_t step) const {
    std::error_code why;
    std::filesystem::remove(path(step), why);
    return why;
  }
};

}  // namespace etna::train

#include <etna/set_back.hpp>
