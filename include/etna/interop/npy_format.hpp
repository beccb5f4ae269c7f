// SPDX-License-Identifier: BSD-3-Clause
// What stands in a .npy file, wherever the file is (on the disk, in an archive): a header, read with every claim
// checked against what follows it before memory is taken, and elements in C or Fortran order. (xtensor's reader trusts
// its header: it asks an empty one for its last letter, and takes as much memory as a shape claims.) Read next:
// npy.hpp, npz.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include <etna/message/runtime.hpp>

#include "strided.hpp"

namespace etna::interop {

template <class T> constexpr char const* npy_dtype() { return row_of(dtype_of<T>).npy; }

/// What the header says.
struct npy_header {
  std::string dtype;
  bool fortran = false;
  std::vector<std::int64_t> shape;
};

/// A dictionary of Python's with these three keys in any order, and nothing else.
class npy_parser {
 public:
  npy_parser(std::string_view text, std::string const& file) : text_(text), file_(file) {}
  npy_header parse() {
    npy_header h;
    int seen = 0;
    expect('{');
    while (!take('}')) {
      std::string key = quoted();
      expect(':');
      int bit = bit_of(key);
      if (bit == 0 || (seen & bit)) bad("a key that is not known, or twice");
      seen |= bit;
      if (bit == 1) h.dtype = type();
      else if (bit == 2) h.fortran = truth();
      else h.shape = sizes();
      if (!take(',')) {
        expect('}');
        break;
      }
    }
    space();
    if (at_ != text_.size() || seen != 7) bad("no descr, fortran_order and shape");
    return h;
  }

 private:
  std::string_view text_;
  std::string const& file_;
  std::size_t at_ = 0;

  static int bit_of(std::string_view key) {
    std::string_view const keys[] = {"descr", "fortran_order", "shape"};
    for (int i = 0; i < 3; ++i)
      if (key == keys[i]) return 1 << i;
    return 0;
  }
  [[noreturn]] void bad(char const* why) { message::raise<121>(file_ + ": its header has " + why); }
  void space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }
  bool take(char c) {
    space();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!take(c)) bad("another form than NumPy gives it");
  }
  std::string quoted() {
    space();
    char quote = at_ < text_.size() ? text_[at_] : ' ';
    if (quote != '\'' && quote != '"') bad("no name where one belongs");
    std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) bad("a name without an end");
    std::string r(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return r;
  }
  std::string type() {
    space();
    if (at_ < text_.size() && text_[at_] == '[') message::raise<124>(file_ + " (a record of several)");
    return quoted();
  }
  bool truth() {
    space();
    for (bool value : {true, false}) {
      std::string_view word = value ? "True" : "False";
      if (text_.substr(at_, word.size()) != word) continue;
      at_ += word.size();
      return value;
    }
    bad("a fortran_order that is neither True nor False");
  }
  std::vector<std::int64_t> sizes() {
    std::vector<std::int64_t> r;
    expect('(');
    while (!take(')')) {
      space();
      std::int64_t n = 0;
      std::size_t from = at_;
      for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_) {
        if (n > (INT64_MAX - 9) / 10) bad("a size that no machine holds");
        n = 10 * n + (text_[at_] - '0');
      }
      if (at_ == from || r.size() == 64) bad("a shape that is no list of sizes");
      r.push_back(n);
      if (!take(',')) {
        expect(')');
        break;
      }
    }
    return r;
  }
};

struct npy_file {
  npy_header header;
  std::vector<unsigned char> bytes;  // the elements, in the file's order
};

/// Read what is `size` bytes long: `next(out, n)` gives the next n of them, or false. For an array of that element
/// type, rank and extents (below 0: any).
template <class Next> npy_file read_npy(Next next, std::uint64_t size, std::string const& name,
                                        std::string const& wanted, std::size_t item, int rank, extent const* extents) {
  unsigned char start[12]{};
  bool good = size >= 10 && next(start, 10) && std::memcmp(start, "\x93NUMPY", 6) == 0;
  if (!good) message::raise<121>(name + ": it does not begin as a .npy file");
  if (start[6] < 1 || start[6] > 3) message::raise<121>(name + ": its version is not 1, 2 or 3");
  std::uint64_t at = 10, length = start[8] | start[9] << 8;
  if (start[6] > 1) {
    if (size < 12 || !next(start + 10, 2)) message::raise<121>(name + ": it ends in its header");
    at = 12;
    length |= std::uint64_t(start[10]) << 16 | std::uint64_t(start[11]) << 24;
  }
  if (length > size - at || length > 1'000'000) message::raise<121>(name + ": its header is longer than the file");
  std::string text(std::size_t(length), ' ');
  if (!next(text.data(), text.size())) message::raise<121>(name + ": it cannot be read");
  npy_file r{npy_parser(text, name).parse(), {}};

  // NumPy knows bfloat16 by its size alone: as ml_dtypes' it is saved as <V2, as elements of any meaning as |V2.
  bool const nameless = r.header.dtype.size() > 1 && r.header.dtype[1] == 'V';
  if (nameless) r.header.dtype[0] = '<';
  bool known = false;
  for (auto const& row : dtypes) known = known || r.header.dtype == row.npy;
  if (!known)
    message::raise<124>(name + " (" + r.header.dtype +
                        (nameless ? ", which tells a size and no type; of 2 bytes it would be bfloat16)" : ")"));
  auto spelled = [](std::string const& dtype, auto const& shape) {
    std::string s = dtype + "[";
    for (std::size_t i = 0; i < shape.size(); ++i)
      s += (i ? "," : "") + (shape[i] < 0 ? std::string("any") : std::to_string(shape[i]));
    return s + "]";
  };
  bool fits = r.header.dtype == wanted && int(r.header.shape.size()) == rank;
  for (int i = 0; fits && i < rank; ++i) fits = extents[i] < 0 || extents[i] == r.header.shape[std::size_t(i)];
  if (!fits)
    message::raise<125>(name + " has " + spelled(r.header.dtype, r.header.shape) + ", not " +
                        spelled(wanted, std::vector<std::int64_t>(extents, extents + rank)));
  std::uint64_t const held = size - at - length;
  std::uint64_t bytes = item;
  bool empty = false;
  for (auto n : r.header.shape) empty = empty || n == 0;
  // an empty array has any other sizes that can be multiplied
  std::uint64_t const most = empty ? std::uint64_t(INT64_MAX) : held;
  for (auto n : r.header.shape)
    if (n > 0) {
      if (bytes > most / std::uint64_t(n)) message::raise<121>(name + ": it ends before its last element");
      bytes *= std::uint64_t(n);
    }
  if (empty) bytes = 0;
  if (bytes != held)
    message::raise<121>(name +
                        (bytes > held ? ": it ends before its last element" : ": it goes on after its last element"));
  r.bytes.resize(std::size_t(bytes));
  if (!next(r.bytes.data(), r.bytes.size())) message::raise<121>(name + ": it cannot be read");
  return r;
}

/// Pour what was read into an array.
template <any_array A> A npy_array(npy_file&& f) {
  using T = typename A::value_type;
  auto sizes = A::extents;
  for (std::size_t i = 0; i < sizes.size(); ++i) sizes[i] = f.header.shape[i];
  if constexpr (std::is_same_v<T, bool>)  // any byte but 0 and 1 would be undefined as a bool
    for (auto& b : f.bytes) b = b != 0;
  return A::build(
      [&](T* out) {
        if (!f.header.fortran) {
          if (!f.bytes.empty()) std::memcpy(out, f.bytes.data(), f.bytes.size());
          return;
        }
        strided<unsigned char> s{f.bytes.data(), A::rank, {}, {}};
        extent step = sizeof(T);
        for (int i = 0; i < A::rank; ++i) {
          s.size[i] = sizes[std::size_t(i)];
          s.stride[i] = step;
          step *= s.size[i];
        }
        for_all(s, [&](unsigned char& first, extent k) { std::memcpy(out + k, &first, sizeof(T)); });
      },
      sizes);
}

/// All that stands before the elements (version 1.0, C order); a multiple of 64 bytes.
inline std::string npy_start(char const* dtype, std::vector<std::int64_t> const& shape) {
  std::string header = std::string("{'descr': '") + dtype + "', 'fortran_order': False, 'shape': (";
  for (auto n : shape) header += std::to_string(n) + (shape.size() == 1 ? "," : ", ");
  if (shape.size() > 1) header.resize(header.size() - 2);
  header += "), }";
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  std::string start("\x93NUMPY\1\0", 8);
  start += char(header.size() & 0xff);
  start += char(header.size() >> 8);
  return start + header;
}

}  // namespace etna::interop

#include <etna/set_back.hpp>
