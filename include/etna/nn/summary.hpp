// SPDX-License-Identifier: BSD-3-Clause
// A model as a table: its layers, their parameters, and what a call computes; all of it from constants. Read next:
// ../optim/update.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <string>
#include <vector>

#include <etna/compiler/shares.hpp>
#include <etna/transform/eval_shape.hpp>

#include "count.hpp"

namespace etna::nn {

namespace detail {

inline std::string spelled(tensor_type const& t) {
  std::string s = std::string(row_of(t.d).name) + "[";
  for (int i = 0; i < t.rank; ++i) s += (i > 0 ? "," : "") + compiler::amount(t.e[i]).text();
  return s + "]";
}
/// 1234567 as 1,234,567.
inline std::string in_threes(std::int64_t n) {
  std::string s = std::to_string(n);
  for (int at = int(s.size()) - 3; at > (n < 0 ? 1 : 0); at -= 3) s.insert(std::size_t(at), ",");
  return s;
}
inline std::string with_unit(std::int64_t bytes) {
  char const* const unit[] = {" B", " kB", " MB", " GB", " TB"};
  int k = 0;
  double v = double(bytes);
  for (; v >= 1000 && k < 4; ++k) v /= 1000;
  std::string s = std::to_string(v);
  return s.substr(0, k == 0 ? s.find('.') : s.find('.') + 2) + unit[k];
}

inline std::string amount_text(compiler::amount const& a, std::string (*spell)(std::int64_t)) {
  return a.is_number() ? spell(a.number()) : a.text();
}
/// f32[28,28,1], f32[]
template <class Tree> std::string types_text(Tree const& t) {
  std::string s;
  tree::for_each(
      [&](auto const& x) {
        s += (s.empty() ? "" : ", ") + spelled(std::remove_cvref_t<decltype(transform::as_array(x))>::type);
      },
      t);
  return s;
}

/// Words in columns: two to the left, numbers to the right.
struct summary_table {
  std::vector<std::vector<std::string>> lines;
  std::string text() const {
    std::vector<std::size_t> width(lines[0].size());
    for (auto const& l : lines)
      for (std::size_t k = 0; k < l.size(); ++k) width[k] = std::max(width[k], l[k].size());
    std::string s;
    for (auto const& l : lines) {
      for (std::size_t k = 0; k < l.size(); ++k) {
        std::string const pad(width[k] - l[k].size(), ' ');
        s += (k > 0 ? "  " : "") + (k < 2 ? l[k] + pad : pad + l[k]);
      }
      s += "\n";
    }
    return s;
  }
};

struct summary_row {
  std::string path, leaves;
  std::int64_t parameters = 0, bytes = 0;
  std::size_t first = 0;  // leaf
};
/// A row for each struct that has leaves of its own; leaf number `first` is its first one.
template <class Net> struct summary_reader {
  std::vector<summary_row> rows;

  template <class Leaf> void add(std::size_t number) {
    std::string_view const path = tree::detail::table_of_paths<Net>[number];
    std::size_t const point = path.rfind('.');
    std::string const layer(path.substr(0, point == path.npos ? 0 : point));
    std::string const name(path.substr(point == path.npos ? 0 : point + 1));
    if (rows.empty() || rows.back().path != layer) rows.push_back({layer, {}, 0, 0, number});
    summary_row& r = rows.back();
    std::int64_t n = 1;
    std::string type;
    if constexpr (any_array<Leaf>) {
      for (int i = 0; i < Leaf::rank; ++i) n *= Leaf::type.e[i];
      type = spelled(Leaf::type);
    } else type = row_of(dtype_of<Leaf>).name;
    using T = typename std::remove_cvref_t<decltype(transform::as_array(std::declval<Leaf const&>()))>::value_type;
    r.leaves += (r.leaves.empty() ? "" : ", ") + name + " " + type;
    r.parameters += n;
    r.bytes += n * std::int64_t(sizeof(T));
  }
  summary_reader() {
    [&]<std::size_t... Nth>(std::index_sequence<Nth...>) {
      (add<typename tree::path<Net, int(Nth)>::leaf>(Nth), ...);
    }(std::make_index_sequence<std::size_t(tree::size<Net>())>{});
  }
};

}  // namespace detail

/// A model as a table: a row for each layer with its parameters, their types, number and bytes. With the types of a
/// call's inputs, nn::summary<net, array<float, 28, 28, 1>>(), also what one call of net(inputs...) computes and keeps,
/// as its compiled plan has it: of each layer the FLOPs, and the bytes of activations that it writes. A kernel counts
/// for the layer whose parameters it reads, or that has made what it reads: an activation for the layer in front.
///
/// cost    nothing runs; with inputs the compiler traces and plans the call
/// errors  as a call of the model
/// source  flax Module.tabulate
template <class Net, class... Input> std::string summary() {
  detail::summary_reader<Net> const read;
  detail::summary_table table{{{"layer", "parameters", "number", "bytes"}}};
  std::int64_t all = 0, bytes = 0;
  for (auto const& r : read.rows) {
    table.lines.push_back({r.path, r.leaves, detail::in_threes(r.parameters), detail::with_unit(r.bytes)});
    all += r.parameters;
    bytes += r.bytes;
  }
  table.lines.push_back({"all", "", detail::in_threes(all), detail::with_unit(bytes)});
  if constexpr (sizeof...(Input) == 0) return table.text();
  else {
    using program = compiler::program<detail::call_of_model, Net, Input...>;
    using result = decltype(detail::call_of_model{}(std::declval<Net const&>(), std::declval<Input const&>()...));
    auto const same = [](extent e) { return e; };
    planning::plan const p(program::value);
    compiler::shares const layers{p, same, int(tree::size<Net>())};
    auto add = [&](std::vector<std::string>& line, compiler::work const& w) {
      line.push_back(detail::amount_text(w.flops, &detail::in_threes));
      line.push_back(detail::amount_text(w.written, &detail::with_unit));
    };
    table.lines[0].insert(table.lines[0].end(), {"FLOPs", "activations"});
    for (std::size_t k = 0; k < read.rows.size(); ++k) {
      compiler::work w;
      for (std::size_t leaf = read.rows[k].first,
                       end = k + 1 < read.rows.size() ? read.rows[k + 1].first : layers.of.size();
           leaf < end; ++leaf)
        w.add(layers.of[leaf], 1);
      add(table.lines[k + 1], w);
    }
    add(table.lines.back(), layers.cost.of(p.frames[p.n_frames - 1]));
    std::string text =
        table.text() + "a call: " + detail::types_text(std::tuple<Input...>{}) + " -> " + detail::types_text(result{});
    if (p.is_static) text += ", " + detail::with_unit(p.arena) + " of temporaries";
    return text + "\n";
  }
}

}  // namespace etna::nn

#include <etna/set_back.hpp>
