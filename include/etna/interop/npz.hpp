// SPDX-License-Identifier: BSD-3-Clause
// NumPy's .npz: a zip archive of .npy files, one for each leaf of a tree. The archive is minizip's work (zlib's own,
// and no more than zlib behind it), in both ways; what it claims is checked against the file before memory is taken.
#pragma once
#include <etna/set_aside.hpp>

#include <map>
#include <set>

#include <etna/data/checkpoint.hpp>

#include "npy.hpp"

#if __has_include(<minizip/unzip.h>) && __has_include(<minizip/zip.h>)
#include <minizip/unzip.h>
#include <minizip/zip.h>
#define ETNA_READS_NPZ 1
#else
#define ETNA_READS_NPZ 0
#endif

namespace etna {
namespace interop {

/// The member of a leaf: "w.npy" for the field w. NumPy calls arrays without a name arr_0, arr_1: so does etna where a
/// path is empty (a single array) or begins with a number (a tuple).
inline std::string npz_member(std::string const& path) {
  if (path.empty()) return "arr_0.npy";
  return (path[0] >= '0' && path[0] <= '9' ? "arr_" + path : path) + ".npy";
}

#if ETNA_READS_NPZ

/// An archive that is read. Its list is checked as a whole before a member is.
class npz_reader {
 public:
  explicit npz_reader(std::filesystem::path const& path) : name_(path.string()), zip_(nullptr, unzClose) {
    std::error_code why;
    if (!std::filesystem::is_regular_file(path, why)) message::raise<120>(name_);
    std::uint64_t left = std::filesystem::file_size(path, why);
    zip_.reset(why ? nullptr : unzOpen64(path.c_str()));
    if (!zip_) bad("it is no zip archive");
    unz_global_info64 all{};
    if (unzGetGlobalInfo64(zip_.get(), &all) != UNZ_OK) bad("it has no list of its members");
    int told = all.number_entry == 0 ? UNZ_END_OF_LIST_OF_FILE : unzGoToFirstFile(zip_.get());
    for (; told == UNZ_OK; told = unzGoToNextFile(zip_.get())) {
      unz_file_info64 info{};
      char letters[most_letters + 1] = {};
      unz64_file_pos at{};
      if (unzGetCurrentFileInfo64(zip_.get(), &info, letters, most_letters, nullptr, 0, nullptr, 0) != UNZ_OK ||
          unzGetFilePos64(zip_.get(), &at) != UNZ_OK)
        bad("its list cannot be read");
      if (info.size_filename >= most_letters || std::strlen(letters) != info.size_filename)
        bad("a member's name is none");
      // members lie behind each other: together they are no longer than the file
      if (info.compressed_size > left) bad("its members are longer than the file");
      left -= info.compressed_size;
      if (!members_.emplace(letters, member{info, at}).second)
        bad(std::string("the member ") + letters + " comes twice");
    }
    if (told != UNZ_END_OF_LIST_OF_FILE || members_.size() != all.number_entry) bad("its list ends early");
  }

  bool has(std::string const& m) const { return members_.contains(m); }
  /// A member that is none of these, or "".
  std::string other_than(std::set<std::string> const& names) const {
    for (auto const& m : members_)
      if (!names.contains(m.first)) return m.first;
    return "";
  }

  /// Read a member to its end, where its checksum is compared.
  npy_file read(std::string const& m, char const* dtype, std::size_t item, int rank, extent const* extents) {
    auto& [info, at] = members_.at(m);
    std::string const name = name_ + " (" + m + ")";
    if ((info.flag & 1) || (info.compression_method != 0 && info.compression_method != Z_DEFLATED))
      message::raise<126>(name);
    // what n bytes can hold: n of them, or what deflate packs into them
    std::uint64_t const most = info.compression_method == 0 ? info.compressed_size : info.compressed_size * 1032 + 1032;
    if (info.uncompressed_size > most) message::raise<121>(name + ": it is shorter than its list says");
    if (unzGoToFilePos64(zip_.get(), &at) != UNZ_OK || unzOpenCurrentFile(zip_.get()) != UNZ_OK)
      message::raise<121>(name + ": it cannot be opened");
    auto next = [&](void* out, std::size_t n) {
      for (auto* to = static_cast<char*>(out); n > 0;) {
        int const now = unzReadCurrentFile(zip_.get(), to, unsigned(std::min(n, std::size_t(1) << 30)));
        if (now <= 0) return false;
        to += now;
        n -= std::size_t(now);
      }
      return true;
    };
    npy_file r = read_npy(next, info.uncompressed_size, name, dtype, item, rank, extents);
    if (unzCloseCurrentFile(zip_.get()) != UNZ_OK) message::raise<121>(name + ": its checksum differs");
    return r;
  }

 private:
  static constexpr unsigned most_letters = 4096;
  struct member {
    unz_file_info64 info;
    unz64_file_pos at;
  };
  std::string name_;
  std::unique_ptr<void, int (*)(unzFile)> zip_;
  std::map<std::string, member> members_;

  [[noreturn]] void bad(std::string const& why) const { message::raise<121>(name_ + ": " + why); }
};

/// An archive that is written. Not compressed, and without the time of day: equal arrays give equal files.
class npz_writer {
 public:
  explicit npz_writer(std::filesystem::path const& path)
      : name_(path.string()), file_(path), zip_(zipOpen64(file_.hand_over().c_str(), APPEND_STATUS_CREATE), close_) {
    if (!zip_) bad();
  }
  void add(std::string const& m, std::string const& start, void const* elements, std::size_t n) {
    zip_fileinfo info{};
    info.dosDate = 33ul << 16;  // the first of January 1980, as NumPy has it
    int const large = start.size() + n > 0xffff0000u;
    bool good =
        zipOpenNewFileInZip64(zip_.get(), m.c_str(), &info, nullptr, 0, nullptr, 0, nullptr, 0, 0, large) == ZIP_OK;
    good = good && write(start.data(), start.size()) && write(elements, n);
    if (!good || zipCloseFileInZip(zip_.get()) != ZIP_OK) bad();
  }
  void commit() {
    if (zipClose(zip_.release(), nullptr) != ZIP_OK) bad();
    file_.commit();
  }

 private:
  std::string name_;
  data::replacement file_;
  static int close_(zipFile f) { return zipClose(f, nullptr); }
  std::unique_ptr<void, int (*)(zipFile)> zip_;

  bool write(void const* bytes, std::size_t n) {
    for (auto const* at = static_cast<char const*>(bytes); n > 0;) {
      std::size_t const now = std::min(n, std::size_t(1) << 30);
      if (zipWriteInFileInZip(zip_.get(), at, unsigned(now)) != ZIP_OK) return false;
      at += now;
      n -= now;
    }
    return true;
  }
  [[noreturn]] void bad() const { message::raise<123>(name_); }
};

#else

struct npz_reader {
  explicit npz_reader(std::filesystem::path const& path) { message::raise<127>(path.string()); }
  bool has(std::string const&) const { return false; }
  std::string other_than(std::set<std::string> const&) const { return ""; }
  npy_file read(std::string const&, char const*, std::size_t, int, extent const*) { return {}; }
};
struct npz_writer {
  explicit npz_writer(std::filesystem::path const& path) { message::raise<127>(path.string()); }
  void add(std::string const&, std::string const&, void const*, std::size_t) {}
  void commit() {}
};

#endif

template <class Leaf> void load_member(npz_reader& from, std::string const& member, std::string const& file, Leaf& x) {
  using leaf = data::detail::leaf_of<Leaf>;
  using T = typename leaf::value_type;
  if (!from.has(member)) message::raise<122>(file + " has no '" + member + "'");
  using A = std::conditional_t<any_array<Leaf>, Leaf, array<T>>;
  A a = npy_array<A>(from.read(member, npy_dtype<T>(), sizeof(T), A::rank, A::type.e));
  if constexpr (any_array<Leaf>) x = std::move(a);
  else x = a.item();
}

}  // namespace interop

/// Write the leaves of a tree as a .npz file, not compressed: aside and then renamed. numpy.load reads it.
///
/// A leaf's name is its path ("layers.0.w"); an array alone is "arr_0", and the members of a tuple are "arr_0",
/// "arr_1", as numpy.savez calls them. Equal trees give equal files.
///
/// errors  E123 it cannot be written, and what was at `path` before is then still there; E127 without minizip
/// source  NumPy savez; the archive by minizip
/// example test/unit/interop/npz.cpp  [what is written is what is read]
template <class Tree> void save_npz(std::filesystem::path const& path, Tree const& tree) {
  interop::npz_writer to(path);
  tree::for_each_with_path(tree, [&](std::string const& name, auto& x) {
    using leaf = data::detail::leaf_of<std::remove_cvref_t<decltype(x)>>;
    using T = typename leaf::value_type;
    auto const shape = leaf::shape(x);
    std::size_t bytes = sizeof(T);
    for (auto n : shape) bytes *= std::size_t(n);
    to.add(interop::npz_member(name), interop::npy_start(interop::npy_dtype<T>(), shape), leaf::data(x), bytes);
  });
  to.commit();
}

/// Read a .npz file, stored or compressed, into a tree of the same names: load_npz<params>(path).
///
/// shape   those of the tree's arrays; a name takes the size that the file has
/// cost    each member in memory once more than its array, one after the other
/// errors  E120 missing, E121 damaged (sizes, checksums, names that come twice), E122 a member too few or too many,
/// E124 an element type
///         that is not read here, E125 another shape or element type, E126 encrypted or packed otherwise, E127 without
///         minizip, E107
/// source  NumPy load; the archive by minizip
/// example test/unit/interop/npz.cpp  [reads what NumPy wrote]
template <class Tree> Tree load_npz(std::filesystem::path const& path) try {
  interop::npz_reader from(path);
  Tree r{};
  std::set<std::string> wanted;
  tree::for_each_with_path(r, [&](std::string const& name, auto& x) {
    interop::load_member(from, *wanted.insert(interop::npz_member(name)).first, path.string(), x);
  });
  if (auto more = from.other_than(wanted); !more.empty())
    message::raise<122>(path.string() + " has '" + more + "', which is not in the tree");
  return r;
} catch (std::bad_alloc const&) { message::raise<107>(path.string()); }
/// One array of a .npz file that may have others: load_npz<array<float, 3>>(path, "w").
///
/// errors  as for a tree, but for members that are not asked for
template <any_array A> A load_npz(std::filesystem::path const& path, std::string const& name) try {
  interop::npz_reader from(path);
  A r{};
  interop::load_member(from, name + ".npy", path.string(), r);
  return r;
} catch (std::bad_alloc const&) { message::raise<107>(path.string()); }

}  // namespace etna

#include <etna/set_back.hpp>
