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
static_assert(text("abcdefghijkl"_n) == "abcdefghijkl" && text("z_9"_n) == "z_9" &&
              text("____________"_n) == "____________");
static_assert(batch < 0 && batch != time && "ab"_n != "ba"_n && "a"_n != "a0"_n);
static_assert(ext::is_name(batch) && ext::is_name("____________"_n) && !ext::is_name(3) &&
              !ext::is_name(ext::mul(2, batch)));
static_assert(ext::pack("", 0) == 0 && ext::pack("0a", 2) == 0 && ext::pack("A", 1) == 0 &&
              ext::pack("abcdefghijklm", 13) == 0);
static_assert(t != ext::invalid);

// Products.
static_assert(ext::mul(3, 4) == 12 && ext::mul(1, batch) == batch && ext::mul(batch, 1) == batch);
static_assert(ext::mul(0, batch) == 0 && ext::mul(batch, 0) == 0);
static_assert(text(ext::mul(3, batch)) == "3*batch" && ext::mul(3, batch) == ext::mul(batch, 3));
static_assert(ext::mul(2, ext::mul(3, batch)) == ext::mul(6, batch));
static_assert(ext::mul(batch, time) == ext::mul(time, batch) && ext::mul(batch, time) != ext::mul(batch, t));
static_assert(text(ext::mul(batch, time)) == "time*batch");
static_assert(ext::mul(ext::mul(batch, time), t) == ext::invalid);
static_assert(ext::mul("sixsix"_n, "seven"_n) == ext::invalid);
static_assert(text(ext::mul(784, batch)) == "784*batch" && ext::mul(10'000'000, "sixsix"_n) != ext::invalid);
static_assert(ext::mul("b"_n, ext::mul(64, ext::mul(t, t))) == ext::mul(ext::mul(t, "b"_n), ext::mul(t, 64)));
static_assert(text(ext::mul("b"_n, ext::mul(64, ext::mul(t, t)))) == "64*b*t*t");
static_assert(ext::mul(ext::mul("seq"_n, "bat"_n), 1 << 20) != ext::invalid);

// Sums.
static_assert(ext::add(3, 4) == 7 && ext::add(0, batch) == batch && ext::add(batch, 0) == batch);
static_assert(text(ext::add(batch, 1)) == "batch+1" && ext::add(1, batch) == ext::add(batch, 1));
static_assert(ext::add(ext::add(batch, 1), 2) == ext::add(batch, 3));
static_assert(ext::add(batch, batch) == ext::mul(2, batch));
static_assert(ext::add(batch, 3) != ext::mul(batch, 3));
static_assert(ext::add(batch, ext::mul(3, batch)) == ext::mul(4, batch) &&
              ext::add(ext::mul(2, batch), 3) == ext::invalid);
static_assert(text(ext::add(batch, time)) == "time+batch" && ext::add(batch, time) == ext::add(time, batch));
static_assert(text(ext::add(ext::mul(2, t), 3)) == "2*t+3" &&
              ext::add(ext::add(t, 1), ext::add(t, 2)) == ext::add(ext::mul(2, t), 3));

// What joined arrays have: sizes of [n + m, ...], [t + 1, b, 64] and the like, in any order of making them.
constexpr extent n = "n"_n, m = "m"_n, b = "b"_n;
static_assert(ext::mul(784, ext::add(n, m)) == ext::add(ext::mul(m, 784), ext::mul(784, n)) &&
              text(ext::mul(784, ext::add(n, m))) == "784*m+784*n");
static_assert(text(ext::add(ext::mul(2, n), ext::mul(3, m))) == "3*m+2*n");
static_assert(ext::mul(ext::mul(64, b), ext::add(t, 1)) == ext::add(ext::mul(64, ext::mul(b, t)), ext::mul(64, b)));
static_assert(ext::mul(ext::mul(64, b), ext::add(t, 1)) != ext::invalid &&
              ext::mul(ext::mul(3, b), ext::add(n, m)) != ext::invalid);
static_assert(ext::mul(3, ext::mul(150528, ext::add(n, 1))) == ext::invalid &&
              ext::mul(150528, ext::add(n, 2)) != ext::invalid);
static_assert(ext::mul(ext::add(n, 1), ext::add(m, 1)) == ext::invalid);
static_assert(text(ext::mul(4, ext::add(ext::add(n, m), b))) == "4*b+4*m+4*n" &&
              ext::add(ext::add(n, m), b) == ext::add(n, ext::add(b, m)));
static_assert(text(ext::add(ext::add("seq"_n, "tok"_n), "bat"_n)) == "bat+seq+tok" &&
              ext::add(ext::add(n, m), "four"_n) == ext::invalid);
static_assert(text(ext::mul(784, ext::add(ext::add(n, m), 1))) == "784*m+784*n+784" &&
              ext::add(ext::add(n, 1), m) == ext::add(ext::add(n, m), 1));
static_assert(ext::add(ext::add(ext::mul(2, n), ext::mul(2, m)), 1) == ext::invalid &&
              ext::add(ext::add(n, ext::mul(2, m)), b) == ext::invalid);
static_assert(ext::add(ext::add(n, m), ext::number(-1)) == ext::invalid &&
              ext::add(ext::add(ext::add(n, m), b), 1) == ext::invalid &&
              ext::add(ext::add(ext::add(n, m), b), t) == ext::invalid);
static_assert(ext::holds(ext::add(ext::add(n, m), b), ext::add(n, b)) &&
              !ext::holds(ext::add(n, b), ext::add(ext::add(n, m), b)));

// Every slot: taken apart and joined again, and multiplied and divided.
constexpr bool joins_again() {
  extent const some[] = {5,
                         n,
                         ext::mul(7, n),
                         ext::mul(70'000'000, n),
                         ext::add(batch, 9),
                         ext::add(ext::mul(5, n), 9),
                         ext::mul(batch, time),
                         ext::mul(9, ext::mul(n, m)),
                         ext::mul(ext::mul(n, m), ext::mul(b, 5)),
                         ext::add(batch, time),
                         ext::mul(6, ext::add(n, m)),
                         ext::add(n, ext::mul(6, m)),
                         ext::mul(b, ext::add(n, 4)),
                         ext::mul(b, ext::add(n, m)),
                         ext::number(-77),
                         ext::mul(n, n),
                         ext::mul(n, ext::add(n, 4)),
                         ext::mul(n, ext::add(n, m)),
                         ext::mul(64, ext::add(ext::add(n, m), 3)),
                         ext::mul(100'000, ext::add(ext::add(n, m), b)),
                         ext::add(ext::add(n, m), "seq"_n)};
  for (extent e : some) {
    if (e == ext::invalid || ext::join(ext::split(e)) != e) return false;
    for (extent f : {extent(3), n, ext::mul(2, b)})
      if (extent p = ext::mul(e, f); p != ext::invalid && e != f && ext::quotient(p, f) != e) return false;
  }
  return true;
}
static_assert(joins_again());
static_assert(ext::quotient(n, m) == ext::invalid && ext::quotient(ext::add(n, 4), 4) == ext::invalid &&
              ext::quotient(0, 3) == 0);

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
static_assert(ext::number(-ext::slots[0].a) == ext::invalid &&
              ext::number_in(ext::number(1 - ext::slots[0].a)) == 1 - ext::slots[0].a);

// Names bound to sizes.
constexpr extent evaluated(extent e) {
  ext::bindings b;
  b.bind(batch, 32);
  b.bind(time, 5);
  b.bind(n, 7);
  b.bind(m, 11);
  return b(e);
}
static_assert(evaluated(ext::add(ext::mul(2, n), ext::mul(3, m))) == 47 &&
              evaluated(ext::mul(10, ext::mul(n, ext::add(m, n)))) == 1260);
constexpr extent learned(extent e, extent real) {
  ext::bindings b;
  return b.learn(e, real) ? b.look(n) : -2;
}
static_assert(learned(ext::add(ext::mul(3, n), 2), 14) == 4 && learned(ext::add(ext::mul(3, n), 2), 15) == -2);
static_assert(learned(ext::add(n, 9), 8) == -2 && learned(ext::mul(n, m), 8) == ext::invalid &&
              learned(5, 5) == ext::invalid);
static_assert(evaluated(7) == 7 && evaluated(batch) == 32 && evaluated(ext::mul(3, batch)) == 96);
static_assert(evaluated(ext::add(batch, 1)) == 33 && evaluated(ext::mul(batch, time)) == 160);
constexpr bool binds_once() {
  ext::bindings b;
  return b.bind(batch, 3) && b.bind(batch, 3) && !b.bind(batch, 4) && b.bind(time, 4);
}
static_assert(binds_once());

// tensor_type: drop undoes insert.
constexpr tensor_type shape{dtype::f32, 3, {2, batch, 4}};
static_assert(shape.insert(0, 9).drop(0) == shape && shape.insert(1, 9).drop(1) == shape &&
              shape.insert(3, 9).drop(3) == shape);
static_assert(shape.size() == ext::mul(8, batch) && !shape.is_static() && shape.drop(1).is_static());
static_assert(shape.with(dtype::i32).same_shape(shape) && !(shape.with(dtype::i32) == shape));

}  // namespace
