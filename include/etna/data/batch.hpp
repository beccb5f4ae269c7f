// SPDX-License-Identifier: BSD-3-Clause
// Batches: a range of pieces of an order, and functions that gather the rows they name into memory
// that the caller gives, such as that of a new array (array::build). Nothing is allocated.
// Read next: safetensors.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <algorithm>
#include <cstdint>
#include <span>
#include <type_traits>

namespace etna::data {

enum class rest { drop, keep };  // what becomes of the last batch when it is not full

/// A range of batches of `size` indices over an order: for (auto rows : batches(order, 32)) ...
///
/// example test/unit/data/batch.cpp  [every index comes once]
class batches {
 public:
  class iterator {
   public:
    using value_type = std::span<std::uint32_t const>;
    using difference_type = std::ptrdiff_t;
    iterator() = default;
    iterator(batches const& of, std::size_t number) : of_(&of), number_(number) {}
    value_type operator*() const { return (*of_)[number_]; }
    iterator& operator++() {
      ++number_;
      return *this;
    }
    iterator operator++(int) {
      auto old = *this;
      ++number_;
      return old;
    }
    bool operator==(iterator const& o) const { return number_ == o.number_; }

   private:
    batches const* of_ = nullptr;
    std::size_t number_ = 0;
  };

  batches(std::span<std::uint32_t const> order, std::size_t size, rest last = rest::drop)
      : order_(order), size_(std::max<std::size_t>(size, 1)), last_(last) {}

  /// Number of batches.
  std::size_t size() const { return (order_.size() + (last_ == rest::keep ? size_ - 1 : 0)) / size_; }
  std::span<std::uint32_t const> operator[](std::size_t number) const {
    std::size_t const begin = number * size_;
    return order_.subspan(begin, std::min(size_, order_.size() - begin));
  }
  iterator begin() const { return {*this, 0}; }
  iterator end() const { return {*this, size()}; }

 private:
  std::span<std::uint32_t const> order_;
  std::size_t size_;
  rest last_;
};

/// Copy the named rows of a table, each of `width` elements, one behind the other to `out`. Bytes
/// that become floating numbers are divided by 255.
///
/// shape   table [n, width], rows [b] -> out [b, width]
template <class To, class From>
void gather(std::span<From const> table, std::size_t width, std::span<std::uint32_t const> rows, To* out) {
  constexpr bool pixels = std::is_same_v<From, std::uint8_t> && !std::is_integral_v<To>;
  for (std::uint32_t row : rows) {
    From const* from = table.data() + std::size_t(row) * width;
    if constexpr (pixels)
      for (std::size_t i = 0; i < width; ++i) out[i] = To(from[i]) / To(255);
    else std::copy_n(from, width, out);
    out += width;
  }
}

}  // namespace etna::data

#include <etna/set_back.hpp>
