// SPDX-License-Identifier: BSD-3-Clause
// safetensors: named arrays in one file, a JSON header in front of the plain bytes. Read with every
// claim of the header checked; written aside, then renamed, so that no file is ever written half.
// It knows no etna array. Read next: safetensors_file.hpp, checkpoint.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <map>
#include <new>
#include <set>
#include <span>
#include <stdexcept>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "replace.hpp"
#include "source.hpp"

namespace etna::data {

/// One named array: its bytes are row-major and little-endian, and borrowed.
struct entry {
  std::string name;
  std::string dtype;  // "F32", as safetensors spells it
  std::vector<std::int64_t> shape;
  std::span<unsigned char const> bytes;
};

/// What a file holds; its entries borrow from its memory.
struct archive {
  std::vector<entry> entries;
  std::map<std::string, std::string> metadata;
  std::vector<unsigned char> memory;

  archive() = default;
  archive(archive&&) = default;
  archive& operator=(archive&&) = default;

  /// The entry of this name, or nothing.
  entry const* find(std::string const& name) const {
    for (auto const& e : entries)
      if (e.name == name) return &e;
    return nullptr;
  }
};

namespace detail {

inline constexpr std::size_t longest_header = 100'000'000;  // as the reference implementation has it

/// Bytes of an element; 0 for a type that is not known here, or has parts of a byte (F4, F6_E2M3).
///
/// source  safetensors 0.8, enum Dtype
inline std::uint64_t item_bytes(std::string const& dtype) {
  static std::map<std::string, std::uint64_t> const bytes{
      {"BOOL", 1},        {"U8", 1},  {"I8", 1},  {"F8_E5M2", 1}, {"F8_E4M3", 1}, {"F8_E8M0", 1}, {"F8_E4M3FNUZ", 1},
      {"F8_E5M2FNUZ", 1}, {"I16", 2}, {"U16", 2}, {"F16", 2},     {"BF16", 2},    {"I32", 4},     {"U32", 4},
      {"F32", 4},         {"C64", 8}, {"F64", 8}, {"I64", 8},     {"U64", 8}};
  auto const at = bytes.find(dtype);
  return at == bytes.end() ? 0 : at->second;
}

/// Bytes of an array; more than `limit` where it would not fit. An empty one has any other sizes that can be
/// multiplied.
inline std::uint64_t array_bytes(std::string const& dtype, std::vector<std::int64_t> const& shape,
                                 std::uint64_t limit) {
  std::uint64_t bytes = item_bytes(dtype);
  bool empty = false;
  for (auto size : shape) empty = empty || size == 0;
  std::uint64_t const most = empty ? std::uint64_t(INT64_MAX) : limit;
  for (auto size : shape)
    if (size > 0) {
      if (bytes > most / std::uint64_t(size)) return limit + 1;
      bytes *= std::uint64_t(size);
    }
  return empty ? 0 : bytes;
}

// JSON keeps the last of two equal keys: they are found while it is parsed. Nothing of the format
// is deeper than four levels.
inline nlohmann::json parse_header(std::string_view text) {
  // The parser takes a NUL for the end of all, and would pass over what stands behind it.
  if (auto const nul = text.find('\0'); nul != text.npos)
    throw std::invalid_argument("byte " + std::to_string(nul) + " of its header's " + std::to_string(text.size()) +
                                " is a NUL, and the format fills up with spaces");
  std::vector<std::set<std::string>> keys;
  std::string wrong;
  auto watch = [&](int depth, nlohmann::json::parse_event_t event, nlohmann::json& value) {
    using kind = nlohmann::json::parse_event_t;
    if (depth > 4) wrong = "its header is nested too deeply";
    else if (event == kind::object_start) keys.emplace_back();
    else if (event == kind::object_end && !keys.empty()) keys.pop_back();
    else if (event == kind::key && !keys.empty() && !keys.back().insert(value.get<std::string>()).second)
      wrong = "its header has the name '" + value.get<std::string>() + "' twice";
    if (!wrong.empty()) throw std::invalid_argument(wrong);
    return true;
  };
  return nlohmann::json::parse(text, watch);
}

struct placed {
  std::uint64_t begin, end;
  entry what;
};

inline void require(bool good, char const* wrong) {
  if (!good) throw std::invalid_argument(wrong);
}

[[noreturn]] inline void not_read_here(std::string const& file, std::string const& name, std::string const& dtype) {
  message::raise<124>(file + " ('" + name + "' is " + dtype + ")");
}

// Throws what is wrong; `held` is the number of bytes behind the header.
inline placed read_entry(std::string const& name, nlohmann::json const& told, std::uint64_t held,
                         std::string const& file) {
  auto must = [&](bool good, char const* wrong) {
    if (!good) throw std::invalid_argument("'" + name + "' " + wrong);
  };
  must(told.is_object() && told.size() == 3 && told.contains("dtype") && told.contains("shape") &&
           told.contains("data_offsets"),
       "has other keys than dtype, shape and data_offsets");
  auto const &dtype = told["dtype"], &shape = told["shape"], &offsets = told["data_offsets"];
  must(dtype.is_string(), "has a dtype that is no text");
  if (item_bytes(dtype.get<std::string>()) == 0) not_read_here(file, name, dtype.get<std::string>());
  must(shape.is_array(), "has a shape that is no list");
  entry e{name, dtype.get<std::string>(), {}, {}};
  for (auto const& size : shape) {
    must(size.is_number_unsigned() && size.get<std::uint64_t>() <= std::uint64_t(INT64_MAX),
         "has a shape with an entry that is no size");
    e.shape.push_back(size.get<std::int64_t>());
  }
  must(offsets.is_array() && offsets.size() == 2 && offsets[0].is_number_unsigned() && offsets[1].is_number_unsigned(),
       "has data_offsets that are not two numbers");
  std::uint64_t const begin = offsets[0].get<std::uint64_t>(), end = offsets[1].get<std::uint64_t>();
  must(begin <= end, "has data_offsets that go backward");
  must(end <= held, "goes on behind the end of the file");
  must(end - begin == array_bytes(e.dtype, e.shape, held), "has another number of bytes than its shape and dtype");
  return {begin, end, std::move(e)};
}

/// What a header tells: arrays in the order of their bytes, and words beside them.
struct told_by_header {
  std::vector<placed> arrays;
  std::map<std::string, std::string> metadata;
};
// Throws what is wrong; `held` is the number of bytes behind the header.
inline told_by_header parse_arrays(std::string_view text, std::uint64_t held, std::string const& file) {
  require(!text.empty() && text[0] == '{', "its header does not begin with a brace");
  auto const told = parse_header(text);
  require(told.is_object(), "its header is not an object");
  told_by_header r;
  for (auto const& [name, value] : told.items()) {
    if (name != "__metadata__") {
      r.arrays.push_back(read_entry(name, value, held, file));
      continue;
    }
    require(value.is_object(), "its metadata are not an object");
    for (auto const& [key, word] : value.items()) {
      require(word.is_string(), "its metadata are not all text");
      r.metadata[key] = word.get<std::string>();
    }
  }
  std::stable_sort(r.arrays.begin(), r.arrays.end(), [](placed const& a, placed const& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
  });
  std::uint64_t at = 0;
  for (auto const& p : r.arrays) {
    if (p.begin < at) throw std::invalid_argument("'" + p.what.name + "' overlaps with another array");
    if (p.begin > at) throw std::invalid_argument("there is a hole in front of '" + p.what.name + "'");
    at = p.end;
  }
  require(at == held, "there are bytes behind the last array");
  return r;
}
/// The length of the header, from the first 8 bytes of a file of so many.
inline std::size_t header_size(unsigned char const* first, std::uint64_t file_size, std::string const& file) {
  if (file_size < 8) message::raise<121>(file + ": it has no header");
  std::uint64_t header = 0;
  for (int i = 7; i >= 0; --i) header = header << 8 | first[i];
  if (header > file_size - 8 || header > longest_header)
    message::raise<121>(file + ": its header is longer than the file");
  return std::size_t(header);
}
inline told_by_header read_header(std::string_view text, std::uint64_t held, std::string const& file) try {
  return parse_arrays(text, held, file);
} catch (nlohmann::json::exception const&) {
  message::raise<121>(file + ": its header is no JSON");
} catch (std::invalid_argument const& e) { message::raise<121>(file + ": " + e.what()); }

}  // namespace detail

/// Read a safetensors file; its entries come in the order of their bytes.
///
/// cost    one pass; the file in memory once
/// errors  E120 missing, E128 not readable, E121 damaged: anything that its header claims and the file does not hold,
///         overlaps, holes, names that come twice; E124 a dtype whose size is not known here; E107 too little memory
/// source  safetensors, README, section Format
/// example test/unit/data/safetensors.cpp  [reads what was written]
inline archive read_safetensors(std::filesystem::path const& path) try {
  archive r;
  r.memory = detail::read_whole(path);
  std::size_t const header = detail::header_size(r.memory.data(), r.memory.size(), path.string());
  auto const data = std::span<unsigned char const>(r.memory).subspan(8 + header);
  auto told =
      detail::read_header({reinterpret_cast<char const*>(r.memory.data()) + 8, header}, data.size(), path.string());
  for (auto& p : told.arrays) {
    p.what.bytes = data.subspan(std::size_t(p.begin), std::size_t(p.end - p.begin));
    r.entries.push_back(std::move(p.what));
  }
  r.metadata = std::move(told.metadata);
  return r;
} catch (std::bad_alloc const&) { message::raise<107>(path.string()); }

/// Write entries and metadata as a safetensors file, aside and then renamed.
///
/// cost    the header's text; the bytes are not copied
/// errors  E123 it cannot be written; what was at `path` before is then still there
inline void write_safetensors(std::filesystem::path const& path, std::span<entry const> entries,
                              std::map<std::string, std::string> const& metadata = {}) {
  nlohmann::json header = nlohmann::json::object();
  if (!metadata.empty()) header["__metadata__"] = metadata;
  std::uint64_t at = 0;
  for (auto const& e : entries) {
    std::uint64_t const n = e.bytes.size();
    if (header.contains(e.name) || detail::item_bytes(e.dtype) == 0 || detail::array_bytes(e.dtype, e.shape, n) != n)
      message::raise<122>("'" + e.name + "' comes twice, or its bytes are not its shape times its dtype");
    header[e.name] = {{"dtype", e.dtype}, {"shape", e.shape}, {"data_offsets", {at, at + n}}};
    at += n;
  }
  std::string text = header.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  text.append((8 - text.size() % 8) % 8, ' ');
  unsigned char size[8];
  for (int i = 0; i < 8; ++i) size[i] = static_cast<unsigned char>(std::uint64_t(text.size()) >> (8 * i));
  replacement file(path);
  file.write(size, sizeof size);
  file.write(text.data(), text.size());
  for (auto const& e : entries) file.write(e.bytes.data(), e.bytes.size());
  file.commit();
}

}  // namespace etna::data

#include <etna/set_back.hpp>
