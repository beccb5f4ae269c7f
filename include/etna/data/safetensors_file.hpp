// SPDX-License-Identifier: BSD-3-Clause
// A safetensors file of which parts are read: of a checkpoint that is larger than memory, or of which a process needs
// little. Read next: checkpoint.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include "safetensors.hpp"

namespace etna::data {

/// The header of a file, and the bytes of its arrays when they are asked for. The file stays open.
///
/// errors  as read_safetensors
/// example test/unit/data/safetensors_file.cpp  [parts of an array]
class safetensors_file {
 public:
  explicit safetensors_file(std::filesystem::path const& path) : file_(path) {
    unsigned char first[8]{};
    file_.read(first, sizeof first);
    std::string text(detail::header_size(first, file_.size(), file_.name()), '\0');
    begin_ = 8 + text.size();
    fill(8, text.data(), text.size());
    told_ = detail::read_header(text, file_.size() - begin_, file_.name());
    for (auto const& a : told_.arrays) by_name_[a.what.name] = &a;
  }
  safetensors_file(safetensors_file const&) = delete;
  safetensors_file& operator=(safetensors_file const&) = delete;

  std::string const& path() const { return file_.name(); }
  std::map<std::string, std::string> const& metadata() const { return told_.metadata; }
  std::vector<std::string> names() const {
    std::vector<std::string> r;
    r.reserve(told_.arrays.size());
    for (auto const& a : told_.arrays) r.push_back(a.what.name);
    return r;
  }
  /// Dtype and shape of an array, without bytes; null where there is none of this name.
  entry const* find(std::string const& name) const {
    auto const at = by_name_.find(name);
    return at == by_name_.end() ? nullptr : &at->second->what;
  }
  /// n bytes of an array that is there, from byte `from` on.
  ///
  /// errors  E111 it has not so many; E121 the file became shorter
  void read(std::string const& name, std::uint64_t from, void* out, std::size_t n) {
    auto const& a = *by_name_.at(name);
    if (from > a.end - a.begin || n > a.end - a.begin - from)
      message::raise<111>(path() + ": bytes behind the end of '" + name + "'");
    fill(begin_ + a.begin + from, out, n);
  }

 private:
  void fill(std::uint64_t at, void* out, std::size_t n) {
    file_.seek(at);
    if (file_.read(out, n) != n) message::raise<121>(path() + ": it became shorter while it was read");
  }
  input file_;
  std::uint64_t begin_ = 0;
  detail::told_by_header told_;
  std::map<std::string, detail::placed const*> by_name_;
};

}  // namespace etna::data

#include <etna/set_back.hpp>
