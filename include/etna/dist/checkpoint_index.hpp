// SPDX-License-Identifier: BSD-3-Clause
// A checkpoint of several files: where its index says that each array is, and boxes of arrays read from there.
// Read next: load_sharded.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <memory>

#include "saved_parts.hpp"
#include <etna/data/safetensors_file.hpp>

namespace etna::dist {

namespace detail {

struct stored_part {
  std::string file, name;
  box where;
};
struct stored_array {
  sizes_t whole;
  std::string dtype;
  std::vector<stored_part> parts;
};

/// A folder with an index, or with model.safetensors alone, or one of these two files. Nothing that it says is believed
/// before it was checked.
///
/// errors  E120 missing, E121 damaged: an index that is none, a file that has not what the index says of it; E128
class checkpoint_index {
 public:
  explicit checkpoint_index(std::filesystem::path path) {
    std::error_code why;
    if (std::filesystem::is_directory(path, why)) {
      bool const is_one =
          !std::filesystem::exists(path / index_name, why) && std::filesystem::exists(path / "model.safetensors", why);
      path /= is_one ? "model.safetensors" : index_name;
    }
    name_ = path.string();
    folder_ = path.parent_path();
    if (path.extension() == ".json") read_index();
    else {
      std::string const file = path.filename().string();
      words_ = in(file).metadata();
      for (std::string const& name : in(file).names()) add(name, file);
    }
  }

  std::string const& path() const { return name_; }
  std::map<std::string, std::string> const& words() const { return words_; }
  std::vector<std::string> names() const {
    std::vector<std::string> r;
    r.reserve(arrays_.size());
    for (auto const& [name, array] : arrays_) r.push_back(name);
    return r;
  }
  bool has(std::string const& name) const { return arrays_.contains(name); }
  /// Dtype and sizes of an array, which is there.
  stored_array const& look(std::string const& name) {
    stored_array& a = arrays_.at(name);
    if (a.dtype.empty()) {
      data::entry const& first = entry_of(a.parts[0]);
      a.dtype = first.dtype;
      if (!is_cut(name)) {
        a.whole = first.shape;
        a.parts[0].where = {sizes_t(a.whole.size(), 0), a.whole};
      }
    }
    return a;
  }
  /// The parts that a box of an array is in, each with what it has of it. They are there, as the index says.
  ///
  /// errors  E121 parts are missing, or are in one another
  using found = std::vector<std::pair<stored_part const*, box>>;
  found find(std::string const& name, box const& wanted) {
    stored_array const& a = look(name);
    std::int64_t of_it = 0;
    found r;
    for (stored_part const& p : a.parts) {
      box const both = shared_by(p.where, wanted);
      if (both.volume() == 0) continue;
      data::entry const& e = entry_of(p);
      if (e.dtype != a.dtype || e.shape != p.where.size)
        damaged(p.file + " has '" + p.name + "' as " + data::detail::spelled(e.dtype, e.shape));
      for (auto const& [other, before] : r)
        if (shared_by(before, both).volume() > 0) damaged("'" + p.name + "' overlaps with '" + other->name + "'");
      r.emplace_back(&p, both);
      of_it += both.volume();
    }
    if (of_it != wanted.volume()) damaged("parts of '" + name + "' are missing");
    return r;
  }
  /// What was found of a box, put at the beginning of memory of these sizes.
  void read(found const& parts, box const& wanted, sizes_t const& sizes, std::size_t item, unsigned char* out) {
    for (auto const& [part, both] : parts) copy(*part, both, wanted, sizes, item, out);
  }

 private:
  std::string name_;
  std::filesystem::path folder_;
  std::map<std::string, stored_array> arrays_;
  std::map<std::string, sizes_t> cut_;
  std::map<std::string, std::string> words_;
  std::map<std::string, std::unique_ptr<data::safetensors_file>> open_;

  [[noreturn]] void damaged(std::string const& why) const { message::raise<121>(name_ + ": " + why); }
  bool is_cut(std::string const& name) const { return cut_.contains(name); }
  data::safetensors_file& in(std::string const& file) {
    auto& f = open_[file];
    if (!f) f = std::make_unique<data::safetensors_file>(folder_ / file);
    return *f;
  }
  data::entry const& entry_of(stored_part const& p) {
    data::entry const* e = in(p.file).find(p.name);
    if (!e) damaged(p.file + " has no '" + p.name + "'");
    return *e;
  }
  void add(std::string const& name, std::string const& file) {
    std::string const of = name.substr(0, name.rfind('['));
    auto const whole = cut_.find(of);
    if (whole == cut_.end() || of == name) {
      arrays_[name].parts.push_back({file, name, {}});
      return;
    }
    auto const where = box_in(name, of);
    bool fits = where && where->from.size() == whole->second.size();
    for (std::size_t i = 0; fits && i < where->from.size(); ++i)
      fits = where->from[i] + where->size[i] <= whole->second[i];
    if (!fits) damaged("'" + name + "' is no part of '" + of + "'");
    stored_array& a = arrays_[of];
    a.whole = whole->second;
    a.parts.push_back({file, name, *where});
  }
  void read_index() try {
    auto const bytes = data::detail::read_whole(name_);
    auto const told = data::detail::parse_header({reinterpret_cast<char const*>(bytes.data()), bytes.size()});
    data::detail::require(told.is_object() && told.contains("weight_map") && told["weight_map"].is_object(),
                          "it has no weight_map");
    if (told.contains("metadata")) read_metadata(told["metadata"]);
    for (auto const& [name, file] : told["weight_map"].items()) {
      data::detail::require(file.is_string(), "its weight_map has something else than names of files");
      std::filesystem::path const where = file.get<std::string>();
      data::detail::require(!where.empty() && where == where.filename() && where != ".." && where != ".",
                            "its weight_map names a file of another folder");
      add(name, where.string());
    }
  } catch (nlohmann::json::exception const&) { damaged("it is no JSON"); } catch (std::invalid_argument const& e) {
    damaged(e.what());
  }
  void read_metadata(nlohmann::json const& told) {
    data::detail::require(told.is_object(), "its metadata are not an object");
    for (auto const& [key, word] : told.items())
      if (word.is_string()) words_[key] = word.get<std::string>();
    if (!told.contains("whole_shapes")) return;
    data::detail::require(told["whole_shapes"].is_object(), "its whole_shapes are not an object");
    for (auto const& [name, shape] : told["whole_shapes"].items()) {
      data::detail::require(shape.is_array(), "its whole_shapes have something else than lists");
      for (auto const& n : shape) {
        data::detail::require(n.is_number_unsigned() && n.get<std::uint64_t>() <= std::uint64_t(INT64_MAX),
                              "its whole_shapes have an entry that is no size");
        cut_[name].push_back(n.get<std::int64_t>());
      }
      constexpr std::uint64_t most = std::uint64_t(1) << 60;
      data::detail::require(data::detail::array_bytes("U8", cut_[name], most) <= most,
                            "its whole_shapes have one that no memory holds");
    }
  }
  // What lies between the first and the last byte that is wanted is read at once.
  void copy(stored_part const& p, box const& both, box const& wanted, sizes_t const& sizes, std::size_t item,
            unsigned char* out) {
    box from = both, to = both;
    for (std::size_t i = 0; i < both.from.size(); ++i) {
      from.from[i] -= p.where.from[i];
      to.from[i] -= wanted.from[i];
    }
    std::int64_t const rows = row_count(both);
    std::size_t const row = std::size_t(row_length(both)) * item, first = row_begin(p.where.size, from, 0) * item,
                      end = row_begin(p.where.size, from, rows - 1) * item + row;
    std::size_t const at = row_begin(sizes, to, 0) * item;
    bool const is_one = end - first == std::size_t(rows) * row &&
                        row_begin(sizes, to, rows - 1) * item + row - at == std::size_t(rows) * row;
    if (is_one) return in(p.file).read(p.name, first, out + at, end - first);
    std::vector<unsigned char> some(end - first);
    in(p.file).read(p.name, first, some.data(), some.size());
    for (std::int64_t i = 0; i < rows; ++i)
      std::memcpy(out + row_begin(sizes, to, i) * item, some.data() + row_begin(p.where.size, from, i) * item - first,
                  row);
  }
};

}  // namespace detail

}  // namespace etna::dist

#include <etna/set_back.hpp>
