// SPDX-License-Identifier: BSD-3-Clause
// NumPy's .npz: a zip archive of .npy files, one for each leaf of a tree. The archive is minizip's work (zlib's own,
// and no more than zlib behind it), in both ways; what it claims is checked against the file before memory is taken.
#pragma once
#include <etna/set_aside.hpp>

#include <map>
#include <set>

#include <etna/data/checkpoint.hpp>

#include "npy.hpp"

#if __has_include(<minizip/unzip.h>) && __has_include(<minizip/zip.h>) && !defined(ETNA_NO_MINIZIP)
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

/// What minizip reads and writes through: a file that is open. minizip is C, so nothing is thrown across it.
template <class File> zlib_filefunc64_def through(File& file) {
  zlib_filefunc64_def r{};
  r.opaque = &file;
  r.zopen64_file = [](voidpf f, void const*, int) { return f; };
  r.zread_file = [](voidpf f, voidpf, void* out, uLong n) {
    if constexpr (requires(File& x) { x.try_read(out, n); }) return uLong(static_cast<File*>(f)->try_read(out, n));
    else return uLong(0);
  };
  r.zwrite_file = [](voidpf f, voidpf, void const* bytes, uLong n) {
    if constexpr (requires(File& x) { x.try_write(bytes, n); })
      return uLong(static_cast<File*>(f)->try_write(bytes, n));
    else return uLong(0);
  };
  r.ztell64_file = [](voidpf f, voidpf) { return ZPOS64_T(static_cast<File*>(f)->tell()); };
  r.zseek64_file = [](voidpf f, voidpf, ZPOS64_T by, int from) {
    auto& x = *static_cast<File*>(f);
    x.seek(by + (from == ZLIB_FILEFUNC_SEEK_CUR ? x.tell() : from == ZLIB_FILEFUNC_SEEK_END ? x.size() : 0));
    return 0L;
  };
  r.zclose_file = [](voidpf, voidpf) { return 0; };
  r.zerror_file = [](voidpf f, voidpf) { return int(static_cast<File*>(f)->failed()); };
  return r;
}

/// An archive that is read. Its list is checked as a whole before a member is.
class npz_reader {
 public:
  explicit npz_reader(std::filesystem::path const& path) : file_(path), zip_(nullptr, unzClose) {
    auto calls = through(file_);
    if (has_end()) zip_.reset(unzOpen2_64(path.c_str(), &calls));
    if (!zip_) no_archive();
    std::uint64_t left = file_.size();
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
    std::string const name = file_.name() + " (" + m + ")";
    if ((info.flag & 1) || (info.compression_method != 0 && info.compression_method != Z_DEFLATED))
      message::raise<126>(name);
    // what n bytes can hold: n of them, or what deflate packs into them
    std::uint64_t const most = info.compression_method == 0 ? info.compressed_size : info.compressed_size * 1032 + 1032;
    if (info.uncompressed_size > most) message::raise<121>(name + ": it is shorter than its list says");
    if (unzGoToFilePos64(zip_.get(), &at) != UNZ_OK || unzOpenCurrentFile(zip_.get()) != UNZ_OK) {
      file_.check();
      message::raise<121>(name + ": it is not where the list says");
    }
    auto next = [&](void* out, std::size_t n) {
      for (auto* to = static_cast<char*>(out); n > 0;) {
        int const now = unzReadCurrentFile(zip_.get(), to, unsigned(std::min(n, std::size_t(1) << 30)));
        if (now <= 0) {
          file_.check();
          return false;
        }
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
  data::input file_;
  std::unique_ptr<void, int (*)(unzFile)> zip_;
  std::map<std::string, member> members_;

  // What the system refused comes first: the bytes that are missing then are not the file's fault.
  [[noreturn]] void bad(std::string const& why) const {
    file_.check();
    message::raise<121>(file_.name() + ": " + why);
  }
  // Is the record whole that ends an archive: 22 bytes, and a comment? minizip reads zeros behind the end of a file.
  bool has_end() {
    std::string tail(std::size_t(std::min<std::uint64_t>(file_.size(), 22 + 0xffff)), ' ');
    file_.seek(file_.size() - tail.size());
    tail.resize(file_.read(tail.data(), tail.size()));
    std::size_t const at = tail.rfind("PK\5\6");
    if (at == tail.npos || tail.size() - at < 22) return false;
    auto const byte = [&](std::size_t i) { return std::size_t(static_cast<unsigned char>(tail[at + i])); };
    return tail.size() - at - 22 >= (byte(20) | byte(21) << 8);
  }
  // What it is instead.
  [[noreturn]] void no_archive() {
    file_.check();
    char first[6]{};
    file_.seek(0);
    std::string_view const begins(first, file_.read(first, sizeof first));
    if (begins.substr(0, 4) == "PK\3\4" || begins.substr(0, 4) == "PK\5\6")
      bad("it ends early, before the end of the list of its members");
    if (begins == "\x93NUMPY") bad("it is no zip archive but one .npy file, which load_npy reads");
    bad(begins.empty() ? "it is empty" : "it is no zip archive");
  }
};

/// An archive that is written. Not compressed, and without the time of day: equal arrays give equal files.
class npz_writer {
 public:
  explicit npz_writer(std::filesystem::path const& path) : file_(path), zip_(nullptr, close_) {
    auto calls = through(file_);
    zip_.reset(zipOpen2_64(path.c_str(), APPEND_STATUS_CREATE, nullptr, &calls));
    if (!zip_) message::raise<107>(file_.name());  // nothing has been written
  }
  void add(std::string const& m, std::string const& start, void const* elements, std::size_t n) {
    zip_fileinfo info{};
    info.dosDate = 33ul << 16;  // the first of January 1980, as NumPy has it
    int const large = start.size() + n > 0xffff0000u;
    bool good =
        zipOpenNewFileInZip64(zip_.get(), m.c_str(), &info, nullptr, 0, nullptr, 0, nullptr, 0, 0, large) == ZIP_OK;
    good = good && write(start.data(), start.size()) && write(elements, n);
    if (!good || zipCloseFileInZip(zip_.get()) != ZIP_OK) bad(m);
  }
  void commit() {
    if (zipClose(zip_.release(), nullptr) != ZIP_OK) bad("the list of its members");
    file_.commit();
  }

 private:
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
  [[noreturn]] void bad(std::string const& what) {
    file_.check();
    message::raise<123>(file_.name() + " (minizip does not take " + what + ")");
  }
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
/// errors  E120 missing, E128 not readable, E121 damaged (sizes, checksums, names that come twice), E122 a member too
///         few or too many, E124 an element type that is not read here, E125 another shape or element type, E126
///         encrypted or packed otherwise, E127 without minizip, E107
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
