// SPDX-License-Identifier: BSD-3-Clause
// What a pipeline is: a data set, and stages behind each other, each a value. Its elements are found by their number,
// in any order and by several threads at once: element i of epoch e depends on nothing but (set, seeds, e, i).
// Read next: ordering.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include <etna/array/tree.hpp>

namespace etna::data {

/// Anything with size() and operator[] const, which several threads may call at once.
template <class S> concept set_of_examples = !any_array<S> && requires(S const& set, std::size_t i) {
  { set.size() } -> std::convertible_to<std::size_t>;
  set[i];
};

namespace detail {

/// Which example an element is, in all epochs and orders: a number, and of which of its repetitions (behind repeat, an
/// example comes several times in an epoch, and maps draw other numbers for each).
struct example_key {
  std::size_t number;
  std::uint64_t repetition = 0;
};
/// A stage's epoch: elements by number, and whose they are.
template <class V> concept opened = requires(V const& view, std::size_t i) {
  view[i];
  { view.key(i) } -> std::same_as<example_key>;
};
/// A data set with the stages behind it.
///   keys()    the numbers of all keys are below this
///   open(epoch, side)  side: of which part of concatenated pipelines, so that maps in each draw differently
///   varies    an example is another one in each epoch, as behind a map that draws
///   reorders  epochs differ in the order of the keys
///   depth     how many stages there are, so that two maps of one seed draw differently
template <class N> concept node = requires(N const& n, std::uint64_t epoch, std::uint64_t side) {
  { n.size() } -> std::convertible_to<std::size_t>;
  { n.keys() } -> std::convertible_to<std::size_t>;
  { n.open(epoch, side) } -> opened;
  { N::varies } -> std::convertible_to<bool>;
  { N::reorders } -> std::convertible_to<bool>;
  { N::depth } -> std::convertible_to<int>;
};

/// The first node: the data set itself.
template <class S> struct root {
  S set;
  static constexpr bool varies = false, reorders = false;
  static constexpr int depth = 0;
  struct view {
    S const* set;
    decltype(auto) operator[](std::size_t i) const { return (*set)[i]; }
    example_key key(std::size_t i) const { return {i}; }
  };
  std::size_t size() const { return set.size(); }
  std::size_t keys() const { return set.size(); }
  view open(std::uint64_t, std::uint64_t) const { return {&set}; }
};

/// The iterator of a range that makes one element at a time: Range::now_, renewed by advance().
template <class Range> class pulled {
 public:
  using value_type = typename Range::element;
  using difference_type = std::ptrdiff_t;
  pulled() = default;
  explicit pulled(Range& of) : of_(&of) {}
  value_type& operator*() const { return *of_->now_; }
  pulled& operator++() {
    of_->advance();
    return *this;
  }
  void operator++(int) { of_->advance(); }
  bool operator==(std::default_sentinel_t) const { return !of_->now_; }

 private:
  Range* of_ = nullptr;
};

}  // namespace detail

/// The elements of an epoch, one after the other: what a range-for runs over. It keeps the pipeline alive.
template <detail::node Node> class epoch_range {
  using view = decltype(std::declval<Node const&>().open(0, 0));

 public:
  using element = std::remove_cvref_t<decltype(std::declval<view const&>()[0])>;
  using iterator = detail::pulled<epoch_range>;
  epoch_range(std::shared_ptr<Node const> of, std::uint64_t epoch, std::size_t first)
      : of_(std::move(of)), view_(of_->open(epoch, 0)), next_(first) {}
  iterator begin() {
    if (!now_) advance();
    return iterator(*this);
  }
  std::default_sentinel_t end() const { return {}; }

 private:
  std::shared_ptr<Node const> of_;
  view view_;
  std::size_t next_;
  std::optional<element> now_;  // it may be moved from
  friend iterator;
  void advance() {
    now_.reset();
    if (next_ < of_->size()) now_.emplace(view_[next_++]);
  }
};

/// A data set with stages behind it. A copy shares all of it, a cache too.
///
///     auto train = data::in_memory(images, labels) | data::shuffle(7) | data::batch<32>() | data::prefetch(4, 2);
///     for (std::uint64_t epoch = 0; epoch < 10; ++epoch)
///       for (auto const& [x, y] : train.epoch(epoch)) step(x, y);
///
/// example test/unit/data/flow.cpp  [stages behind each other]
template <detail::node Node> class pipeline {
 public:
  using node_type = Node;
  using element = typename epoch_range<Node>::element;
  explicit pipeline(Node n) : node_(std::make_shared<Node const>(std::move(n))) {}

  /// Elements in an epoch.
  std::size_t size() const { return node_->size(); }
  /// The elements of epoch e from number `first` on, as an input range: a run that goes on after batch b of epoch e
  /// begins with epoch(e, b + 1), and sees what it would have seen.
  epoch_range<Node> epoch(std::uint64_t e, std::size_t first = 0) const { return {node_, e, first}; }

  Node const& node() const { return *node_; }
  std::shared_ptr<Node const> const& shared() const { return node_; }

 private:
  std::shared_ptr<Node const> node_;
};

template <class T> struct is_pipeline_ : std::false_type {};
template <class N> struct is_pipeline_<pipeline<N>> : std::true_type {};
template <class T> concept any_pipeline = is_pipeline_<std::remove_cvref_t<T>>::value;

/// A data set that has no stages yet.
template <class S> concept bare_set = set_of_examples<std::remove_cvref_t<S>> && !any_pipeline<S>;

/// A data set as a pipeline without stages: a vector that is moved here, or a copy.
template <bare_set S> auto from_set(S&& set) {
  return pipeline(detail::root<std::remove_cvref_t<S>>{std::forward<S>(set)});
}

namespace detail {

/// A node behind another one, which has what the other has unless it says otherwise.
template <node From> struct behind {
  pipeline<From> from;
  static constexpr bool varies = From::varies, reorders = From::reorders;
  static constexpr int depth = From::depth + 1;
  std::size_t size() const { return from.size(); }
  std::size_t keys() const { return from.node().keys(); }
};
template <node From> using view_of = decltype(std::declval<From const&>().open(0, 0));
/// What a node's elements are: a value, or a reference to one that the node keeps.
template <node From> using made_by = decltype(std::declval<view_of<From> const&>()[0]);

}  // namespace detail

/// What stands behind a |: a function from a pipeline to another.
template <class Make> struct stage {
  Make make;
};
template <class Make> stage(Make) -> stage<Make>;
/// A stage takes these elements: a function of pictures goes behind no set of numbers.
template <class Make, class P> concept goes_behind = requires(Make const& make, P const& from) { make(from); };

/// set | stage, and pipeline | stage.
template <any_pipeline P, class Make> requires goes_behind<Make, P>
auto operator|(P const& from, stage<Make> const& next) {
  return next.make(from);
}
template <bare_set S, class Make> requires goes_behind<Make, pipeline<detail::root<std::remove_cvref_t<S>>>>
auto operator|(S&& set, stage<Make> const& next) {
  return from_set(std::forward<S>(set)) | next;
}

}  // namespace etna::data

#include <etna/set_back.hpp>
