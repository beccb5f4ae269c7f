// SPDX-License-Identifier: BSD-3-Clause
// What happened in each epoch: a table of named numbers, and the same as CSV, which reads back to the last bit.
// Read next: checkpoint_folder.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <nlohmann/json.hpp>

#include <etna/message/runtime.hpp>

namespace etna::train {

namespace detail {

/// Is it text in UTF-8, and no other bytes? JSON takes no other.
inline bool is_utf8(std::string_view text) try {
  (void)nlohmann::json(text).dump();
  return true;
} catch (nlohmann::json::type_error const&) { return false; }

}  // namespace detail

/// A table of epochs: for each the values of the names, and its seconds.
struct history {
  struct row {
    int epoch = 0;               // from 1 on
    std::vector<double> values;  // by name; NaN where the epoch has none
    double seconds = 0;
  };
  std::vector<std::string> names;
  std::vector<row> rows;

  /// The number of a name, which is added where it is new.
  ///
  /// errors  E149 it is empty, or has letters that a column of CSV cannot have, or bytes that are no UTF-8
  std::size_t column(std::string_view name) {
    auto const at = std::find(names.begin(), names.end(), name);
    if (at != names.end()) return std::size_t(at - names.begin());
    if (!is_name(name)) message::raise<149>("'" + std::string(name) + "'");
    names.emplace_back(name);
    for (auto& r : rows) r.values.push_back(missing);
    return names.size() - 1;
  }
  /// A value of an epoch, counted from 1; NaN where there is none.
  double value(int epoch, std::string_view name) const {
    auto const at = std::find(names.begin(), names.end(), name);
    if (epoch < 1 || std::size_t(epoch) > rows.size() || at == names.end()) return missing;
    return rows[std::size_t(epoch - 1)].values[std::size_t(at - names.begin())];
  }
  /// epoch,loss,accuracy,seconds and a line for each epoch. Nothing between two commas is a value that is missing.
  ///
  /// example test/unit/train/history.cpp  [reads what was written, to the last bit]
  std::string csv() const;
  /// What csv wrote; nothing where the text is not that.
  static std::optional<history> read_csv(std::string_view text);

  static constexpr double missing = std::numeric_limits<double>::quiet_NaN();
  static bool is_name(std::string_view name) {
    for (unsigned char c : name)
      if (c < ' ' || c == ',' || c == '"' || c == 127) return false;
    return detail::is_utf8(name) && !name.empty() && name != "epoch" && name != "seconds";
  }
};

namespace detail {

/// The shortest text that reads back as this number; nothing for a NaN.
inline std::string shortest(double x) {
  char text[40];
  if (std::isnan(x)) return {};
  return {text, std::to_chars(text, text + sizeof text, x).ptr};
}
inline std::optional<double> number_in(std::string_view text) {
  double x = history::missing;
  auto const [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), x);
  if (text.empty()) return x;
  if (wrong != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return x;
}
/// What stands before the next comma or end of line, and is taken off.
inline std::string_view cell_of(std::string_view& line) {
  auto const n = std::min(line.find(','), line.size());
  auto const cell = line.substr(0, n);
  line.remove_prefix(std::min(n + 1, line.size()));
  return cell;
}
inline std::optional<history::row> row_in(std::string_view line, std::size_t names, int epoch) {
  history::row r;
  if (std::size_t(std::count(line.begin(), line.end(), ',')) != names + 1) return std::nullopt;
  auto const number = number_in(cell_of(line));
  if (!number || *number != epoch) return std::nullopt;
  r.epoch = epoch;
  for (std::size_t i = 0; i <= names; ++i) {
    auto const x = number_in(cell_of(line));
    if (!x) return std::nullopt;
    if (i < names) r.values.push_back(*x);
    else r.seconds = *x;
  }
  return r;
}

}  // namespace detail

inline std::string history::csv() const {
  std::string text = "epoch";
  for (auto const& name : names) (text += ',') += name;  // g++ 12 warns of "," + name, falsely
  text += ",seconds\n";
  for (auto const& r : rows) {
    text += std::to_string(r.epoch);
    for (double x : r.values) (text += ',') += detail::shortest(x);
    (text += ',') += detail::shortest(r.seconds) + "\n";
  }
  return text;
}

inline std::optional<history> history::read_csv(std::string_view text) {
  history all;
  bool first = true;
  while (!text.empty()) {
    auto const end = text.find('\n');
    if (end == text.npos) return std::nullopt;
    auto line = text.substr(0, end);
    text.remove_prefix(end + 1);
    if (!first) {
      auto const r = detail::row_in(line, all.names.size(), int(all.rows.size()) + 1);
      if (!r) return std::nullopt;
      all.rows.push_back(*r);
      continue;
    }
    first = false;
    if (detail::cell_of(line) != "epoch") return std::nullopt;
    auto const names = std::count(line.begin(), line.end(), ',');
    for (std::ptrdiff_t i = 0; i < names; ++i) {
      auto const name = detail::cell_of(line);
      if (!is_name(name)) return std::nullopt;
      all.names.emplace_back(name);
    }
    if (line != "seconds") return std::nullopt;
  }
  if (first) return std::nullopt;
  return all;
}

}  // namespace etna::train

#include <etna/set_back.hpp>
