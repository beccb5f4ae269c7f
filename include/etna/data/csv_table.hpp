// SPDX-License-Identifier: BSD-3-Clause
// A table of text in memory: columns of numbers, of classes, of text. What is wrong is said with file, line and column.
// Read next: csv.hpp, which reads one.
#pragma once
#include <etna/set_aside.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <etna/array/array.hpp>

namespace etna::data {

namespace detail {

struct csv_reading;

inline std::string_view without_blanks(std::string_view word) {
  while (!word.empty() && (word.front() == ' ' || word.front() == '\t')) word.remove_prefix(1);
  while (!word.empty() && (word.back() == ' ' || word.back() == '\t')) word.remove_suffix(1);
  return word;
}
/// Of a number of decimal digits that is out of range: is it too small, and not too large?
inline bool is_below_one(std::string_view digits) {
  std::size_t const e = std::min(digits.find_first_of("eE"), digits.size());
  std::string_view const mantissa = digits.substr(0, e);
  std::string_view power = digits.substr(std::min(e + 1, digits.size()));
  if (!power.empty() && power[0] == '+') power.remove_prefix(1);
  std::int64_t exponent = 0;
  if (std::from_chars(power.data(), power.data() + power.size(), exponent).ec == std::errc::result_out_of_range)
    return power[0] == '-';
  auto const point = std::int64_t(std::min(mantissa.find('.'), mantissa.size()));
  auto const first = std::int64_t(std::min(mantissa.find_first_of("123456789"), mantissa.size()));
  std::int64_t const place = first < point ? point - first - 1 : point - first;  // 0: the digit of ones
  return place < -exponent;
}

}  // namespace detail

/// How a table is written.
struct csv_options {
  char separator = ',', quote = '"';
  bool header = true;                       // its first row has the names of the columns
  std::vector<std::string> missing = {""};  // words that stand for no value, blanks around them or not
};

/// A column by its name, or by its number from 0.
struct csv_column {
  std::string name;
  std::optional<std::int64_t> number;
  csv_column(char const* name) : name(name) {}
  csv_column(std::string name) : name(std::move(name)) {}
  template <std::integral T> csv_column(T number) : number(std::int64_t(number)) {}
};

/// A column of words as classes: numbers[i] is the place of row i's word in names, which are in alphabetical order. It
/// is a data set of its numbers.
struct categories {
  std::vector<std::int32_t> numbers;
  std::vector<std::string> names;
  std::size_t size() const { return numbers.size(); }
  std::int32_t operator[](std::size_t i) const { return numbers[i]; }
};

/// A table in memory, as text.
class table {
 public:
  std::size_t rows() const { return lines_.size(); }
  std::size_t columns() const { return columns_; }
  /// The names of the columns; empty without a header.
  std::vector<std::string> const& names() const { return names_; }

  /// A column of numbers, blanks around them or not. A missing value is an error, unless something is given for it.
  /// What is too small for a T is 0, as in NumPy; what is too large is no T.
  ///
  /// errors  E166 there is no such column, a word is no T, or missing
  template <element T> requires(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>)
  std::vector<T> numbers(csv_column const& column, std::optional<T> if_missing = {}) const {
    std::size_t const c = find(column);
    std::vector<T> r;
    r.reserve(rows());
    for (std::size_t i = 0; i < rows(); ++i) r.push_back(number<T>(i, c, if_missing));
    return r;
  }
  /// numbers<float, 4>({"a", "b", "c", "d"}): several columns, an array for each row.
  ///
  /// errors  the same; E111 another number of columns than N
  template <element T, extent N> requires(N > 0 && std::is_arithmetic_v<T> && !std::is_same_v<T, bool>)
  std::vector<array<T, N>> numbers(std::vector<csv_column> const& columns, std::optional<T> if_missing = {}) const {
    if (columns.size() != std::size_t(N))
      message::raise<111>(file_ + ": " + std::to_string(columns.size()) + " columns as arrays of " + std::to_string(N));
    std::vector<std::size_t> at(columns.size());
    std::transform(columns.begin(), columns.end(), at.begin(), [&](auto const& c) { return find(c); });
    std::vector<array<T, N>> r;
    r.reserve(rows());
    for (std::size_t i = 0; i < rows(); ++i)
      r.push_back(array<T, N>::build([&](T* out) {
        for (std::size_t c : at) *out++ = number<T>(i, c, if_missing);
      }));
    return r;
  }
  /// A column of words. What is missing is the word that stands there.
  std::vector<std::string> texts(csv_column const& column) const {
    std::size_t const c = find(column);
    std::vector<std::string> r;
    r.reserve(rows());
    for (std::size_t i = 0; i < rows(); ++i) r.emplace_back(cell(i, c));
    return r;
  }
  /// A column of words as classes.
  ///
  /// errors  E166 there is no such column, or a value is missing
  data::categories categories(csv_column const& column) const {
    std::size_t const c = find(column);
    std::map<std::string_view, std::int32_t> numbers;
    for (std::size_t i = 0; i < rows(); ++i) {
      if (is_missing(cell(i, c))) wrong(i, c, "a value is missing");
      numbers[cell(i, c)];
    }
    data::categories r;
    for (auto& [name, number] : numbers) {
      number = std::int32_t(r.names.size());
      r.names.emplace_back(name);
    }
    for (std::size_t i = 0; i < rows(); ++i) r.numbers.push_back(numbers[cell(i, c)]);
    return r;
  }

 private:
  friend table read_csv(std::filesystem::path const& path, csv_options const& options);
  friend struct detail::csv_reading;
  std::string file_, text_;  // all cells, one behind the other
  std::vector<std::string> names_, missing_;
  std::vector<std::uint64_t> ends_;   // of each cell in the text
  std::vector<std::uint64_t> lines_;  // in which each row begins
  std::size_t columns_ = 0;

  std::string_view cell(std::size_t row, std::size_t column) const {
    std::size_t const i = row * columns_ + column;
    std::uint64_t const begin = i ? ends_[i - 1] : 0;
    return std::string_view(text_).substr(begin, ends_[i] - begin);
  }
  bool is_missing(std::string_view word) const {
    auto const is = [&](std::string_view w) {
      return std::find(missing_.begin(), missing_.end(), w) != missing_.end();
    };
    return is(word) || is(detail::without_blanks(word));
  }
  std::size_t find(csv_column const& column) const {
    if (column.number) {
      if (*column.number >= 0 && std::uint64_t(*column.number) < columns_) return std::size_t(*column.number);
      message::raise<166>(file_ + " has no column '" + std::to_string(*column.number) + "'");
    }
    auto const times = std::count(names_.begin(), names_.end(), column.name);
    if (times != 1)
      message::raise<166>(file_ + " has " + (times ? "several columns" : "no column") + " '" + column.name + "'");
    return std::size_t(std::find(names_.begin(), names_.end(), column.name) - names_.begin());
  }
  [[noreturn]] void wrong(std::size_t row, std::size_t column, std::string const& why) const {
    message::raise<166>(file_ + ", line " + std::to_string(lines_[row]) + ", column " +
                        (names_.empty() ? std::to_string(column) : "'" + names_[column] + "'") + ": " + why);
  }
  template <class T> T number(std::size_t row, std::size_t column, std::optional<T> const& if_missing) const {
    std::string_view const word = detail::without_blanks(cell(row, column));
    if (is_missing(cell(row, column))) {
      if (if_missing) return *if_missing;
      wrong(row, column, "a value is missing");
    }
    std::string_view digits = word;
    if (digits.size() > 1 && digits[0] == '+' && digits[1] != '-') digits.remove_prefix(1);
    T x{};
    auto const [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), x);
    bool const all = end == digits.data() + digits.size();
    if constexpr (std::is_floating_point_v<T>)
      if (all && code == std::errc::result_out_of_range && detail::is_below_one(digits))
        return digits[0] == '-' ? -T(0) : T(0);
    if (code != std::errc{} || !all)
      wrong(row, column, "'" + std::string(word) + "' is no " + row_of(dtype_of<T>).name);
    return x;
  }
};

}  // namespace etna::data

#include <etna/set_back.hpp>
