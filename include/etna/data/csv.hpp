// SPDX-License-Identifier: BSD-3-Clause
// Tables of text (CSV), read by libcsv; where csv.h is not beside the compiler the functions are there, and say so.
// Read next: pipeline.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "csv_table.hpp"
#include "source.hpp"

#if __has_include(<csv.h>) && !defined(ETNA_NO_CSV)
#include <csv.h>
#endif
#if defined(CSV_STRICT_FINI)  // and no other header of that name
#define ETNA_READS_CSV 1
#else
#define ETNA_READS_CSV 0
#endif

namespace etna::data {

namespace detail {

/// What is known while a file is parsed.
struct csv_reading {
  table& to;
  bool header;
  std::uint64_t line = 1, row_line = 1;  // this one, and that in which the row began
  std::size_t cells = 0;
  bool fresh = true;           // nothing of a row has come
  std::exception_ptr error{};  // no exception crosses code of C

  void cell(std::string_view word) {
    if (header) to.names_.emplace_back(word);
    else {
      to.text_ += word;
      to.ends_.push_back(to.text_.size());
    }
    ++cells;
  }
  void row() {
    if (to.columns_ == 0) to.columns_ = cells;
    else if (cells != to.columns_)
      message::raise<166>(to.file_ + ", line " + std::to_string(row_line) + " has " + std::to_string(cells) +
                          " columns, and the first row " + std::to_string(to.columns_));
    if (!header) to.lines_.push_back(row_line);
    header = false;
    cells = 0;
    fresh = true;
  }
  template <class F> void guarded(F&& f) noexcept {
    if (error) return;
    try {
      f();
    } catch (...) { error = std::current_exception(); }
  }
};

#if ETNA_READS_CSV

struct csv_parser_of {
  ::csv_parser p{};
  explicit csv_parser_of(csv_options const& how) {
    if (::csv_init(&p, CSV_STRICT | CSV_STRICT_FINI) != 0) message::raise<107>("a table");
    ::csv_set_delim(&p, static_cast<unsigned char>(how.separator));
    ::csv_set_quote(&p, static_cast<unsigned char>(how.quote));
    ::csv_set_space_func(&p, [](unsigned char) { return 0; });  // blanks belong to words, RFC 4180, 2.4
  }
  csv_parser_of(csv_parser_of const&) = delete;
  ~csv_parser_of() { ::csv_free(&p); }
};

inline void parse_lines(source& from, csv_options const& how, csv_reading& reading, std::string const& name) {
  csv_parser_of parser(how);
  auto cell = [](void* word, std::size_t n, void* to) {
    auto& r = *static_cast<csv_reading*>(to);
    r.guarded([&] { r.cell({static_cast<char const*>(word), n}); });
  };
  auto row = [](int, void* to) {
    auto& r = *static_cast<csv_reading*>(to);
    r.guarded([&] { r.row(); });
  };
  auto check = [&](bool good, std::uint64_t line, char const* what) {
    if (reading.error) std::rethrow_exception(reading.error);
    if (good) return;
    int const code = ::csv_error(&parser.p);
    if (code == CSV_ENOMEM) message::raise<107>(name);
    message::raise<166>(name + ", line " + std::to_string(line) + ": " +
                        (code == CSV_EPARSE ? what : ::csv_strerror(code)));
  };
  std::vector<char> piece(1 << 16);
  bool first = true;
  // A line at a time, so that its number is known.
  while (std::size_t n = from.read(reinterpret_cast<unsigned char*>(piece.data()), piece.size())) {
    std::string_view rest(piece.data(), n);
    if (std::exchange(first, false) && rest.substr(0, 3) == "\xef\xbb\xbf") rest.remove_prefix(3);
    while (!rest.empty()) {
      std::size_t const end = std::min(rest.find('\n'), rest.size() - 1) + 1;
      if (reading.fresh) reading.row_line = reading.line;
      reading.fresh = reading.fresh && (rest[0] == '\n' || rest[0] == '\r');
      check(::csv_parse(&parser.p, rest.data(), end, +cell, +row, &reading) == end, reading.line,
            "a quote stands within a word");
      if (rest[end - 1] == '\n') ++reading.line;
      rest.remove_prefix(end);
    }
  }
  check(::csv_fini(&parser.p, +cell, +row, &reading) == 0, reading.row_line, "a quote is not closed");
}

#endif

}  // namespace detail

/// Read a table, plain or gzip: cells between separators, in quotes where they have separators, quotes (twice) or ends
/// of lines in them. Empty lines are passed over.
///
/// cost    its text in memory, and 8 bytes a cell
/// errors  E101 missing, E128 not readable, E102, E108 damaged gzip, E166 a row of another number of columns, or quotes
///         that do not fit; E167 built without libcsv; E107 too little memory
/// source  RFC 4180
/// example test/unit/data/csv.cpp  [columns of all kinds]
inline table read_csv(std::filesystem::path const& path, csv_options const& options = {}) try {
  source from(path);
  table r;
  r.file_ = path.string();
  r.missing_ = options.missing;
#if ETNA_READS_CSV
  detail::csv_reading reading{r, options.header};
  detail::parse_lines(from, options, reading, r.file_);
  if (r.columns_ == 0) message::raise<166>(r.file_ + " has no rows");
  return r;
#else
  message::raise<167>(r.file_);
#endif
} catch (std::bad_alloc const&) { message::raise<107>(path.string()); }

}  // namespace etna::data

#include <etna/set_back.hpp>
