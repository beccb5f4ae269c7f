// SPDX-License-Identifier: BSD-3-Clause
// Extents are integers: names pack into them, and so does what is derived from names. The laws.
#include <string_view>

#include <etna/language.hpp>

using namespace etna;

namespace {

struct text {
  char c[48]{};
  int n = 0;
  constexpr text(extent e) { n = int(ext::write(c, e) - c); }
  constexpr bool operator==(std::string_view s) const { return std::string_view(c, std::size_t(n)) == s; }
};
constexpr extent batch = "batch"_n, time = "time"_n, t = "t"_n;

// Names: what is written is what was read, at both ends of the length; different names differ.
static_assert(text(batch) == "batch" && text(t) == "t");
static_assert(text("abcdefghijkl"_n) == "abcdefghijkl" && text("z_9"_n) == "z_9" && text("____________"_n) == "____________");
static_assert(batch < 0 && batch != time && "ab"_n != "ba"_n && "a"_n != "a0"_n);
static_assert(ext::split(batch).f == ext::form::name && ext::split(batch).name == batch);
static_assert(ext::split("____________"_n).f == ext::form::name);
static_assert(ext::pack("", 0) == 0 && ext::pack("0a", 2) == 0 && ext::pack("A", 1) == 0 && ext::pack("abcdefghijklm", 13) == 0);
static_assert(t != ext::invalid);

// Products.
static_assert(ext::mul(3, 4) == 12 && ext::mul(1, batch) == batch && ext::mul(batch, 1) == batch);
static_assert(ext::mul(0, batch) == 0 && ext::mul(batch, 0) == 0);
static_assert(text(ext::mul(3, batch)) == "3*batch" && ext::mul(3, batch) == ext::mul(batch, 3));
static_assert(ext::mul(2, ext::mul(3, batch)) == ext::mul(6, batch));
static_assert(ext::mul(batch, time) == ext::mul(time, batch) && ext::mul(batch, time) != ext::mul(batch, t));
static_assert(ext::split(ext::mul(batch, time)).f == ext::form::product);
static_assert(ext::mul(ext::mul(batch, time), t) == ext::invalid);
static_assert(ext::mul("sixsix"_n, "seven"_n) == ext::invalid);
static_assert(ext::split(ext::mul(784, batch)).k == 784 && ext::split(ext::mul(784, batch)).name == batch);

// Sums.
static_assert(ext::add(3, 4) == 7 && ext::add(0, batch) == batch && ext::add(batch, 0) == batch);
static_assert(text(ext::add(batch, 1)) == "batch+1" && ext::add(1, batch) == ext::add(batch, 1));
static_assert(ext::add(ext::add(batch, 1), 2) == ext::add(batch, 3));
static_assert(ext::add(batch, batch) == ext::mul(2, batch));
static_assert(ext::add(batch, time) == ext::invalid);
static_assert(ext::add(batch, 3) != ext::mul(batch, 3));

static_assert(ext::add(batch, ext::mul(3, batch)) == ext::mul(4, batch) && ext::add(ext::mul(2, batch), 3) == ext::invalid);

// Numbers of either sign, for strides: arithmetic is that of integers.
constexpr bool numbers_are_integers() {
  for (extent a = -4; a < 5; ++a)
    for (extent b = -4; b < 5; ++b) {
      if (ext::mul(ext::number(a), ext::number(b)) != ext::number(a * b)) return false;
      if (ext::add(ext::number(a), ext::number(b)) != ext::number(a + b)) return false;
      if (ext::number_in(ext::number(a)) != a || !ext::is_number(ext::number(a))) return false;
    }
  return true;
}
static_assert(numbers_are_integers() && !ext::is_number(batch) && !ext::is_number(ext::invalid));
static_assert(text(ext::number(-12)) == "-12" && ext::bindings{}(ext::number(-12)) == -12);
static_assert(ext::mul(ext::number(-1), batch) == ext::invalid && ext::add(ext::number(-1), batch) == ext::invalid);
static_assert(ext::number(-ext::payload) == ext::invalid && ext::number_in(ext::number(1 - ext::payload)) == 1 - ext::payload);

// Names bound to sizes.
constexpr extent evaluated(extent e) {
  ext::bindings b;
  b.bind(batch, 32);
  b.bind(time, 5);
  return b(e);
}
static_assert(evaluated(7) == 7 && evaluated(batch) == 32 && evaluated(ext::mul(3, batch)) == 96);
static_assert(evaluated(ext::add(batch, 1)) == 33 && evaluated(ext::mul(batch, time)) == 160);
constexpr bool binds_once() {
  ext::bindings b;
  return b.bind(batch, 3) && b.bind(batch, 3) && !b.bind(batch, 4) && b.bind(time, 4);
}
static_assert(binds_once());

// tensor_type: drop undoes insert.
constexpr tensor_type shape{dtype::f32, 3, {2, batch, 4}};
static_assert(shape.insert(0, 9).drop(0) == shape && shape.insert(1, 9).drop(1) == shape && shape.insert(3, 9).drop(3) == shape);
static_assert(shape.size() == ext::mul(8, batch) && !shape.is_static() && shape.drop(1).is_static());
static_assert(shape.with(dtype::i32).same_shape(shape) && !(shape.with(dtype::i32) == shape));

}  // namespace
