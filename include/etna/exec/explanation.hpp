// SPDX-License-Identifier: BSD-3-Clause
// What explain tells of a plan, kernel by kernel, as a table for people and as JSON for programs.
// Read next: explain.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <cstdio>
#include <ostream>
#include <string>
#include <vector>

#include <etna/compiler/cost.hpp>

#include "machine.hpp"

namespace etna {

/// One kernel of a plan. Of a loop or a branch, all that it runs; its kernels follow, one deeper.
struct explained_kernel {
  int step = 0;                   // in the plan, as show_plan counts
  int kernel = -1;                // the compiled body, which several steps may share; -1: none of its own
  int depth = 0;                  // loops and branches around it
  std::string what;               // its operations, and how many of each
  std::string scope;              // where the program named it (named_scope)
  std::string loops;              // extents; those that are summed in brackets
  dtype type = dtype::f32;        // of what it writes
  compiler::work work;            // of one launch: FLOPs and bytes, which may have names before a call
  compiler::amount launches = 1;  // in a call; not known where only a call can tell
  double seconds = -1;            // of all launches in a call; below 0: not measured
  bool function = false;          // a loop or branch that is one function with all that it runs
  bool inside = false;            // in such a function: counted, but never launched or timed

  /// The least time that the machine could take, and whether FLOPs ask for it or bytes.
  double bound(exec::machine_limits const& m, bool* by_flops = nullptr) const {
    double peak = type == dtype::f64 ? m.fma_f64 : m.fma_f32;
    double compute = double(work.flops.number()) / peak,
           memory = double(work.read.number() + work.written.number()) / m.copy;
    if (by_flops) *by_flops = compute >= memory;
    return double(launches.number()) * (compute > memory ? compute : memory);
  }
};

/// What a jitted function's plan costs. Made by explain; text() or << shows it.
struct explanation {
  std::vector<explained_kernel> kernels;
  compiler::work total;             // of a call
  compiler::amount launches;        // of a call
  compiler::amount arena_bytes;     // temporaries of a call
  compiler::amount argument_bytes;  // arguments and results, rvalue arguments donated
  bool straight = false;            // straight-line code runs instead of kernels
  bool whole = false;               // all is one function
  double call_seconds = -1;         // a call without clocks in it
  exec::machine_limits machine;     // threads = 0: not measured

  bool is_measured() const { return machine.threads > 0; }
  /// Of a call, as in plan_type.
  compiler::amount peak_bytes() const { return compiler::amount(arena_bytes) += argument_bytes; }
  std::string text() const;
  std::string json() const;
  friend std::ostream& operator<<(std::ostream& out, explanation const& e) { return out << e.text(); }
};

namespace exec {

/// Three digits and a unit; names as they are.
inline std::string engineering(double v, char const* unit) {
  char const* prefix[] = {"", "k", "M", "G", "T", "P"};
  int k = 0;
  while (v >= 999.5 && k < 5) {
    v /= 1000;
    ++k;
  }
  char text[48];
  std::snprintf(text, sizeof text, k == 0 && v == double(long(v)) ? "%.0f%s%s%s" : "%.3g%s%s%s", v,
                k > 0 || *unit ? " " : "", prefix[k], unit);
  return text;
}
inline std::string engineering(compiler::amount const& a, char const* unit) {
  return a.is_number() ? engineering(double(a.number()), unit) : a.text();
}

/// Columns as wide as they must be; numbers to the right, the last column's words to the left.
class text_table {
  std::vector<std::vector<std::string>> rows_;

 public:
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  std::string text() const {
    std::vector<std::size_t> width;
    for (auto const& row : rows_)
      for (std::size_t c = 0; c < row.size(); ++c) {
        if (c == width.size()) width.push_back(0);
        width[c] = std::max(width[c], row[c].size());
      }
    std::string s;
    for (auto const& row : rows_) {
      for (std::size_t c = 0; c + 1 < row.size(); ++c)
        s.append(width[c] - row[c].size(), ' ').append(row[c]).append("  ");
      s.append(row.back()).append("\n");
    }
    return s;
  }
};

/// What is between quotation marks in JSON: names, which have none of its marks.
inline std::string json_field(char const* name, std::string const& value) {
  return std::string("\"") + name + "\": \"" + value + "\", ";
}
inline std::string json_field(char const* name, double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.9g", value);
  return std::string("\"") + name + "\": " + text + ", ";
}
/// A number; null where it is not known.
inline std::string json_field(char const* name, compiler::amount const& a) {
  return std::string("\"") + name + "\": " + (a.number() >= 0 ? std::to_string(a.number()) : std::string("null")) +
         ", ";
}
inline std::string json_object(std::string fields) {
  if (fields.size() >= 2) fields.resize(fields.size() - 2);
  return "{" + fields + "}";
}

inline std::string percent(double part) {
  char text[32];
  std::snprintf(text, sizeof text, "%.0f%%", 100 * part);
  return text;
}
inline std::string microseconds(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, seconds < 1e-5 ? "%.3g" : "%.1f", 1e6 * seconds);
  return text;
}
inline std::string intensity(compiler::work const& w) {
  extent bytes = (compiler::amount(w.read) += w.written).number();
  if (!w.flops.is_number() || bytes <= 0) return "";
  char text[32];
  std::snprintf(text, sizeof text, "%.2g", double(w.flops.number()) / double(bytes));
  return text;
}

}  // namespace exec

inline std::string explanation::text() const {
  using namespace exec;
  bool timed = is_measured();
  text_table t;
  auto row = [&](std::vector<std::string> first, compiler::work const& w, compiler::amount const& launches_of,
                 std::vector<std::string> const& last) {
    for (auto const& s : {engineering(w.flops, ""), engineering(w.read, "B"), engineering(w.written, "B"), intensity(w),
                          engineering(launches_of, "")})
      first.push_back(s);
    for (auto const& s : last) first.push_back(s);
    t.add(std::move(first));
  };
  std::vector<std::string> head{"step", "kernel", "loops", "FLOPs", "read", "written", "FLOP/B", "launches"};
  if (timed) head.insert(head.end(), {"us", "share", "of"});
  head.push_back("what");
  t.add(head);
  double bounds = 0, seconds = whole ? call_seconds : 0;
  for (auto const& k : kernels) {
    std::vector<std::string> last;
    bool by_flops = false;
    double bound = timed ? k.bound(machine, &by_flops) : 0;
    bool nested = !k.function && &k != &kernels.back() && (&k)[1].depth > k.depth;
    if (k.depth == 0 && !k.inside) seconds += k.seconds;
    if (timed && !nested && !k.inside) bounds += bound;
    if (timed && k.inside) last = {"", "", ""};
    else if (timed && (nested || k.seconds <= 0)) last = {microseconds(k.seconds), "", ""};
    else if (timed) last = {microseconds(k.seconds), percent(bound / k.seconds), by_flops ? "FMA" : "copy"};
    last.push_back(std::string(std::size_t(2 * k.depth), ' ') + (k.scope.empty() ? "" : k.scope + ": ") + k.what);
    row({std::to_string(k.step), k.kernel < 0 ? "" : std::to_string(k.kernel), k.loops}, k.work, k.launches, last);
  }
  std::vector<std::string> last;
  if (timed) last = {microseconds(seconds), seconds > 0 ? percent(bounds / seconds) : "", ""};
  last.push_back("");
  row({"all", "", ""}, total, launches, last);
  std::string s = t.text();
  s += "arguments, results and temporaries: " + engineering(peak_bytes(), "B");
  if (straight) s += "; straight-line code, which has no kernels";
  if (whole && !straight) s += "; one function, which launches nothing";
  if (timed) {
    s += "; a call takes " + microseconds(call_seconds) + " us\nlimits measured with " +
         std::to_string(machine.threads) + (machine.threads > 1 ? " threads: " : " thread: ") +
         engineering(machine.fma_f32, "FLOP/s") + " f32, " + engineering(machine.fma_f64, "FLOP/s") + " f64, copy " +
         engineering(machine.copy, "B/s") + "; above 100% of copy: from caches";
  }
  return s + "\n";
}

inline std::string explanation::json() const {
  using namespace exec;
  auto cost = [](compiler::work const& w) {
    return json_field("flops", w.flops) + json_field("read", w.read) + json_field("written", w.written);
  };
  auto time = [&](double seconds) { return is_measured() ? json_field("seconds", seconds) : std::string(); };
  std::string rows;
  for (auto const& k : kernels)
    rows +=
        (rows.empty() ? "\n  " : ",\n  ") +
        json_object(json_field("step", compiler::amount(k.step)) + json_field("kernel", compiler::amount(k.kernel)) +
                    json_field("depth", compiler::amount(k.depth)) + json_field("what", k.what) +
                    json_field("scope", k.scope) + json_field("loops", k.loops) +
                    json_field("type", std::string(row_of(k.type).name)) + cost(k.work) +
                    json_field("launches", k.launches) + time(k.seconds));
  std::string s = "{\"kernels\": [" + rows + "],\n\"all\": " +
                  json_object(cost(total) + json_field("launches", launches) + json_field("peak_bytes", peak_bytes()) +
                              time(call_seconds));
  if (is_measured())
    s += ",\n\"machine\": " +
         json_object(json_field("threads", compiler::amount(machine.threads)) + json_field("fma_f32", machine.fma_f32) +
                     json_field("fma_f64", machine.fma_f64) + json_field("copy", machine.copy));
  return s + "}\n";
}

}  // namespace etna

#include <etna/set_back.hpp>
