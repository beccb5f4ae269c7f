// SPDX-License-Identifier: BSD-3-Clause
// array<T, extents...>: one type with two lives. In constant evaluation (and under an eager
// transform) it is a value of a graph; at run time it owns numbers, in the object itself up to 256
// bytes, otherwise in a shared immutable block. Read next: tree.hpp.
#pragma once
#include <array>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <utility>

#include <etna/message/catalogue.hpp>

#include "binding.hpp"
#include "bits.hpp"
#include "traced.hpp"

namespace etna {

template <E059_elements_are_bool_integers_of_8_to_64_bits_bfloat16_float16_float_double T, extent... E> class array;

namespace detail {

struct access;  // the library's key to an array's inside (below)
struct uninitialized {};

template <extent... E> inline constexpr int dynamic_count = ((E < 0 ? 1 : 0) + ... + 0);
template <extent... E> inline constexpr extent static_size = ((E < 0 ? 1 : E) * ... * 1);  // names overflow
inline constexpr extent most_in_object = 256;                                              // bytes
template <class T, extent... E> inline constexpr bool in_object =
    dynamic_count<E...> == 0 && static_size<E...> * extent(sizeof(T)) <= most_in_object;

// What an array without a graph is while compiling: one number everywhere. It must not become the beginning of an
// object that lives on at run time, which would take it for elements. So it holds `over`, the address of what is no
// more: a global array is then made when the program starts, and a constexpr one is an error, in whose text g++ has the
// name of this class, and clang that of the variable.
template <class T> struct E057_an_array_is_no_constexpr_variable_write_static_const {
  T number{};
  void const* over = nullptr;
};
constexpr void const* address_of(int const& x) { return &x; }
template <class T> constexpr auto everywhere(T x) {
  int const E057_an_array_is_no_constexpr_variable_write_static_const = 0;
  return detail::E057_an_array_is_no_constexpr_variable_write_static_const<T>{
      x, address_of(E057_an_array_is_no_constexpr_variable_write_static_const)};
}

// The run-time half. In constant evaluation only `all` is alive.
template <class T, bool InObject, std::size_t N, int Dynamic> union storage {
  E057_an_array_is_no_constexpr_variable_write_static_const<T> all;
  alignas(N * sizeof(T) >= 64 ? 64 : alignof(T)) T data[N == 0 ? 1 : N];
  constexpr storage() : all() {}
};
template <class T, std::size_t N, int Dynamic> union storage<T, false, N, Dynamic> {
  E057_an_array_is_no_constexpr_variable_write_static_const<T> all;
  struct {
    memory_block* memory;
    extent size[Dynamic == 0 ? 1 : Dynamic];
  } at;
  constexpr storage() : all() {}
};

template <class T> inline constexpr T nowhere{};  // where the elements would lie, of a value that is refused

template <class T, int R> struct nested_ {
  using type = std::initializer_list<typename nested_<T, R - 1>::type>;
};
template <class T> struct nested_<T, 0> {
  using type = T;
};
template <class T, int R> using nested = typename nested_<T, R>::type;

}  // namespace detail

template <class A> struct is_array_ : std::false_type {};
template <class T, extent... E> struct is_array_<array<T, E...>> : std::true_type {};
template <class A> concept any_array = is_array_<std::remove_cvref_t<A>>::value;

namespace detail {
/// May B be another name for A's shape: sizes agree wherever both are static?
template <class A, class B> constexpr bool may_be() {
  if (A::rank != B::rank) return false;
  for (int i = 0; i < A::rank && i < B::rank; ++i)
    if (A::type.e[i] != B::type.e[i] && A::type.e[i] >= 0 && B::type.e[i] >= 0) return false;
  return true;
}
template <class From, class To, int More> struct other_shape_ {
  using type = message::E003_shape_differs<From, To>;
};
template <class From, class To> struct other_shape_<From, To, 1> {
  using type = message::E003_one_axis_more<From, To>;
};
template <class From, class To> struct other_shape_<From, To, -1> {
  using type = message::E003_one_axis_less<From, To>;
};
template <class From, class To, int More> using other_shape = typename other_shape_<From, To, More>::type;
/// What is wrong where an array becomes another one.
template <class From, class To, bool Fits> struct misfit {
  using type = message::fine;
};
template <class U, extent... F, class T, extent... E> struct misfit<array<U, F...>, array<T, E...>, false> {
  static constexpr dtype from = dtype_of<U>, to = dtype_of<T>;
  using type = std::conditional_t<
      !promotes_to(from, to), message::E002_narrowing<message::from<U>, message::to<T>>,
      std::conditional_t<
          !std::is_same_v<U, T>, message::E034_element_type_differs<message::from<U>, message::to<T>>,
          other_shape<message::shape_text<F...>, message::shape_text<E...>, int(sizeof...(F)) - int(sizeof...(E))>>>;
};
template <class From, class To> using misfit_of =
    typename misfit<From, To,
                    std::is_same_v<typename From::value_type, typename To::value_type> && may_be<From, To>()>::type;
}  // namespace detail

/// An array of elements T and extents E...; array<float> is a scalar.
///
/// shape   E...: positive sizes, or names ("batch"_n) whose sizes the value carries
/// copies  share one immutable block; an array of up to 256 bytes lives in the object
/// errors  E002 narrowing element type, E010 braces of another shape, E012 more than 10 axes
// clang-format off
template <E059_elements_are_bool_integers_of_8_to_64_bits_bfloat16_float16_float_double T, extent... E>  // E059: an array has no such element type; convert to one of these
// clang-format on
class array {
  static_assert(
      message::holds<sizeof...(E) <= max_rank, message::E012_too_many_axes<message::rank<int(sizeof...(E))>>>);

 public:
  using value_type = T;
  static constexpr int rank = int(sizeof...(E));
  static constexpr std::array<extent, sizeof...(E)> extents{E...};
  static constexpr tensor_type type{dtype_of<T>, rank, {E...}};
  static constexpr bool is_static = detail::dynamic_count<E...> == 0;

  /// Zeros.
  constexpr array() : array(detail::uninitialized{}) {
    if (__builtin_is_constant_evaluated()) s_.all = detail::everywhere(T(0));
    else clear();
  }
  constexpr array(array const& o) : v_(o.v_) {
    if (v_.g) {
      tracing::retain(v_.g);
      if (!__builtin_is_constant_evaluated()) empty();
    } else if (__builtin_is_constant_evaluated()) s_.all = o.s_.all;
    else share(o);
  }
  /// Takes the memory of o, which is read no more (E132). A value that a transform records stays with o as well.
  constexpr array(array&& o) noexcept : v_(o.v_) {
    if (v_.g) {
      tracing::retain(v_.g);
      if (!__builtin_is_constant_evaluated()) empty();
    } else if (__builtin_is_constant_evaluated()) s_.all = o.s_.all;
    else steal(o);
  }
  constexpr array& operator=(array const& o) {
    if (this != &o) {
      array copy(o);
      swap(copy);
    }
    return *this;
  }
  constexpr array& operator=(array&& o) noexcept {
    if (this != &o) {
      array old(std::move(o));
      swap(old);
    }
    return *this;
  }
  constexpr ~array() {
    if (v_.g) tracing::release(v_.g);
    if constexpr (!in_object)
      if (!__builtin_is_constant_evaluated()) release(s_.at.memory);
  }

  /// A scalar array of a C++ number.
  ///
  /// errors  E002 a floating number for an integer; E092 (while compiling), E133 an integer that T does not hold
  template <class U> requires(sizeof...(E) == 0 && is_number<U>)
  constexpr array(U x) : array(detail::uninitialized{}) {
    if constexpr (is_real<U> && !is_real<T>) message::fail<message::E002_narrowing<message::from<U>, message::to<T>>>();
    T const number = held_number<T>(x);
    if (__builtin_is_constant_evaluated()) s_.all = detail::everywhere(number);
    else if constexpr (sizeof...(E) == 0) s_.data[0] = number;
  }
  /// Nested braces: array<float, 2, 2>{{1, 2}, {3, 4}}.
  constexpr array(std::initializer_list<detail::nested<T, sizeof...(E) ? int(sizeof...(E)) - 1 : 0>> rows)
      requires(sizeof...(E) > 0)
      : array(detail::uninitialized{}) {
    if constexpr (!is_static) message::fail<message::E010_braces<message::shape_text<E...>>>();
    if (__builtin_is_constant_evaluated()) {
      std::int64_t bits[std::size_t(length ? length : 1)]{};
      int n = 0;
      pour<0>(rows, [&](T x) { bits[n++] = to_bits(type.d, x); });
      v_ = tracing::recipe_data(type, bits, n);
    } else {
      reserve();
      T* out = memory();
      pour<0>(rows, [&](T x) { *out++ = x; });
    }
  }
  /// The same numbers under a named shape: array<float, 7, 784> is an array<float, "batch"_n, 784>.
  /// It takes all arrays, so that the others are refused with a sentence.
  ///
  /// errors  E002 narrowing, E003 another shape, E034 another element type (compile time);
  ///         E110 a name would stand for two sizes, E112 a size is not that of the extent (run time)
  template <element U, extent... F> requires(!std::is_same_v<array<U, F...>, array>)
  constexpr array(array<U, F...> const& o) noexcept(message::at_use<detail::misfit_of<array<U, F...>, array>>)
      : array(detail::uninitialized{}) {
    using wrong = detail::misfit_of<array<U, F...>, array>;
    if constexpr (!std::is_same_v<wrong, message::fine>) message::fail<wrong>();
    else rename(o);
  }

  /// Make an array by filling its memory: `fill(T* out)` writes size() elements in row-major order.
  ///
  /// errors  E110 one of its names would stand for two sizes, E112 a size is not the extent's, E129 a negative size
  template <class Fill> static array build(Fill&& fill, std::array<extent, sizeof...(E)> sizes = extents) {
    array a{detail::uninitialized{}};
    check_static(sizes);
    a.set_sizes(sizes);
    a.reserve();
    fill(a.memory());
    return a;
  }

  /// Sizes of the axes; a name is replaced by the size that this value has.
  constexpr std::array<extent, sizeof...(E)> shape() const requires(is_static)
  {
    return extents;
  }
  std::array<extent, sizeof...(E)> shape() const requires(!is_static)
  {
    std::array<extent, sizeof...(E)> r{E...};
    if (v_.g) {
      auto t = tracing::type_of(v_);
      for (int i = 0; i < rank; ++i) r[std::size_t(i)] = t.e[i];
    } else {
      for (int i = 0, d = 0; i < rank; ++i)
        if (extents[std::size_t(i)] < 0) r[std::size_t(i)] = s_.at.size[d++];
    }
    return r;
  }
  /// Number of elements: static where the extents are.
  static constexpr extent size() requires(is_static)
  {
    return length;
  }
  extent size() const requires(!is_static)
  {
    extent n = 1;
    for (extent x : shape()) n *= x;
    return n;
  }

  /// The elements in row-major order.
  ///
  /// errors  E035 a transform follows the value: any in jit (compile time); an example of vmap, what a loop or branch
  /// computes, a
  ///         floating value that is differentiated (run time); E132 it was given away by std::move
  constexpr T const* data() const {
    if (__builtin_is_constant_evaluated()) {
      tracing::refuse_memory(v_);
      return &detail::nowhere<T>;
    }
    if (v_.g) return static_cast<T const*>(eager::read(v_).data);
    return memory();
  }
  /// The elements for people: a debugger and prints look at them whether a transform follows the value or not; under an
  /// eager vmap at those of all examples. What a program computes from them no transform knows.
  T const* look() const {
    if (v_.g) return static_cast<T const*>(eager::value_of(v_).data);
    return memory();
  }
  constexpr T const* begin() const { return data(); }
  constexpr T const* end() const {
    if (__builtin_is_constant_evaluated()) return data();
    return data() + size();
  }

  /// A place: x.at<1, every>().set(v) is x with v there. See numpy/slicing.hpp.
  template <auto... At> constexpr auto at() const;
  /// Places by integer index along one axis: x.at(i).add(v), x.at<every, picked>(i).set(v). See numpy/pick.hpp.
  template <auto... At, class Index> constexpr auto at(Index const& index) const;
  /// The number of one element: x(i, j), where -1 is the last along an axis. slice and take give elements as values.
  ///
  /// errors  E035 a transform follows the value (compile time in jit, as data outside), E134 an index is out of range
  template <class... Index> requires(sizeof...(Index) == sizeof...(E) && (std::is_integral_v<Index> && ...))
  constexpr T operator()(Index... i) const {
    [[maybe_unused]] auto s = shape();
    extent at = 0;
    [[maybe_unused]] int axis = 0;
    ((at = at * s[std::size_t(axis)] + offset_of(extent(i), s[std::size_t(axis)], axis), ++axis), ...);
    return number(at);
  }
  // Other languages' indices: these say how etna writes them.
  template <class... Index> constexpr auto operator()(Index...) const {
    message::fail<message::E056_no_part_by_call<message::shape_text<E...>, Index...>>();
    return *this;
  }
  template <class Index> constexpr auto operator[](Index const&) const {
    message::fail<message::E056_no_brackets<message::shape_text<E...>, Index>>();
    return *this;
  }
  /// The number in a scalar, also in constant evaluation.
  ///
  /// errors  as x(i, j)
  constexpr T item() const requires(sizeof...(E) == 0 || (is_static && detail::static_size<E...> == 1))
  {
    return number(0);
  }
  constexpr operator T() const requires(sizeof...(E) == 0)
  {
    return item();
  }

  /// Bytes that the elements take, and whether they are in the object.
  static constexpr bool in_object = detail::in_object<T, E...>;

 private:
  friend struct detail::access;
  template <E059_elements_are_bool_integers_of_8_to_64_bits_bfloat16_float16_float_double U, extent... F>
  friend class array;
  static constexpr extent length = is_static ? detail::static_size<E...> : 0;
  static constexpr int dynamic = detail::dynamic_count<E...>;

  tracing::var v_{};
  detail::storage<T, in_object, in_object ? std::size_t(length) : 1, dynamic> s_{};

  constexpr explicit array(detail::uninitialized) {
    if (!__builtin_is_constant_evaluated()) empty();
  }
  static constexpr extent offset_of(extent i, extent size, int axis) {
    extent const at = i < 0 ? i + size : i;
    if (at >= 0 && at < size) return at;
    if (__builtin_is_constant_evaluated()) message::E134_an_index_is_out_of_range();
    else memory::outside(i, size, axis);
    return 0;
  }
  constexpr T number(extent at) const {
    if (!__builtin_is_constant_evaluated()) return data()[at];
    return v_.g ? from_bits<T>(tracing::number_bits(v_, at)) : s_.all.number;
  }
  void empty() {
    if constexpr (!in_object) {
      s_.at.memory = nullptr;
      for (auto& x : s_.at.size) x = 0;
    }
  }
  void clear() {
    if constexpr (in_object)
      for (auto& x : s_.data) x = T(0);
    else if constexpr (is_static) {
      reserve();
      std::memset(s_.at.memory->data, 0, std::size_t(length) * sizeof(T));
    }
  }
  static void check_static(std::array<extent, sizeof...(E)> const& sizes) {
    memory::check_sizes(sizes.data(), extents.data(), rank);
  }
  void set_sizes(std::array<extent, sizeof...(E)> const& sizes) {
    if constexpr (!is_static)
      for (int i = 0, d = 0; i < rank; ++i)
        if (extents[std::size_t(i)] < 0) {
          if (sizes[std::size_t(i)] < 0) memory::negative(sizes[std::size_t(i)], i);
          s_.at.size[d++] = sizes[std::size_t(i)];
        }
    if constexpr (ext::may_disagree(type)) ext::check_one(type, sizes.data());
    (void)sizes;
  }
  void reserve() {
    if constexpr (!in_object) {
      double elements = 1;  // a product of sizes that no integer holds asks for too much as well
      for (extent n : shape()) elements *= double(n);
      if (elements * double(sizeof(T)) > double(memory::most_bytes)) memory::too_little(elements * double(sizeof(T)));
      s_.at.memory = memory::allocate(std::size_t(size()) * sizeof(T));
    }
  }
  T const* memory() const {
    if constexpr (in_object) return s_.data;
    else {
      if (!s_.at.memory && size() > 0) memory::given_away();
      return s_.at.memory ? static_cast<T const*>(s_.at.memory->data) : nullptr;
    }
  }
  T* memory() { return const_cast<T*>(std::as_const(*this).memory()); }
  void share(array const& o) {
    if constexpr (in_object) std::memcpy(s_.data, o.s_.data, sizeof s_.data);
    else {
      s_.at = o.s_.at;
      retain(s_.at.memory);
    }
  }
  void steal(array& o) noexcept {
    if constexpr (in_object) std::memcpy(s_.data, o.s_.data, sizeof s_.data);
    else {
      s_.at = o.s_.at;
      o.s_.at.memory = nullptr;
    }
  }
  constexpr void swap(array& o) noexcept {
    auto v = v_;
    v_ = o.v_;
    o.v_ = v;
    if (!__builtin_is_constant_evaluated()) {
      auto s = s_;
      s_ = o.s_;
      o.s_ = s;
    } else {
      auto all = s_.all;
      s_.all = o.s_.all;
      o.s_.all = all;
    }
  }
  template <extent... F> constexpr void rename(array<T, F...> const& o) {
    if (o.v_.g || __builtin_is_constant_evaluated()) {
      v_ = o.v_;
      if (v_.g) tracing::retain(v_.g);
      else s_.all = o.s_.all;
      return;
    }
    auto sizes = o.shape();
    check_static(sizes);
    set_sizes(sizes);
    if constexpr (!in_object && !array<T, F...>::in_object) {
      s_.at.memory = o.s_.at.memory;
      retain(s_.at.memory);
    } else {
      reserve();
      std::memcpy(memory(), o.data(), std::size_t(o.size()) * sizeof(T));
    }
  }
  template <int Axis, class Row, class Put> static constexpr void pour(Row const& row, Put put) {
    if constexpr (Axis == rank) put(row);
    else {
      if (extent(row.size()) != extents[Axis]) wrong_braces();
      for (auto const& r : row) pour<Axis + 1>(r, put);
    }
  }
  static constexpr void wrong_braces() {
    if (!__builtin_is_constant_evaluated()) message::raise<111>("braces of another shape than the array");
    else message::E010_braces_of_another_shape();
  }
};

namespace detail {

// What the rooms above need of an array; users have no business here.
struct access {
  template <class A> static constexpr tracing::var& traced(A& a) { return a.v_; }
  template <class A> static constexpr tracing::var traced(A const& a) { return a.v_; }
  template <class A> static constexpr A from(tracing::var v) {
    A a{uninitialized{}};
    a.v_ = v;
    if (v.g) tracing::retain(v.g);
    return a;
  }
  /// While compiling, without a graph: one number everywhere.
  template <class A> static constexpr A everywhere(typename A::value_type x) {
    A a{uninitialized{}};
    a.s_.all = etna::detail::everywhere(x);
    return a;
  }
  template <class A> static constexpr typename A::value_type number(A const& a) { return a.s_.all.number; }
  template <class A> static memory_block* memory_of(A const& a) {
    if constexpr (A::in_object) return nullptr;
    else return a.s_.at.memory;
  }
  /// Memory for a result, not filled: the block is `reuse` where that is given.
  template <class A> static A make(tensor_type const& concrete, memory_block* reuse = nullptr) {
    A a{uninitialized{}};
    set_sizes(a, concrete);
    if constexpr (!A::in_object) {
      if (reuse) a.s_.at.memory = reuse;
      else a.reserve();
    }
    return a;
  }
  template <class A> static void* writable(A& a) { return a.memory(); }
  /// An array over a block that is given up to it (numbers of an eager evaluation).
  template <class A> static A adopt(eager::value const& x) {
    A a{uninitialized{}};
    set_sizes(a, x.type);
    if constexpr (A::in_object) std::memcpy(a.s_.data, x.data, sizeof a.s_.data);
    else {
      a.s_.at.memory = x.owner;
      etna::retain(x.owner);
    }
    return a;
  }
  /// What the block holds nobody else reads: it may be written in place.
  template <class A> static bool sole_owner(A const& a) {
    if constexpr (A::in_object) return true;
    else
      return a.s_.at.memory && !a.s_.at.memory->borrowed && a.s_.at.memory->refs.load(std::memory_order_acquire) == 1;
  }
  template <class A> static memory_block* give_up(A& a) {
    if constexpr (A::in_object) return nullptr;
    else {
      memory_block* b = a.s_.at.memory;
      a.s_.at.memory = nullptr;
      return b;
    }
  }

 private:
  template <class A> static void set_sizes(A& a, tensor_type const& t) {
    if constexpr (!A::is_static || ext::may_disagree(A::type)) {
      std::array<extent, std::size_t(A::rank)> sizes{};
      for (int i = 0; i < A::rank; ++i) sizes[std::size_t(i)] = t.e[i];
      a.set_sizes(sizes);
    }
  }
};

// A type made of a tensor_type that a class holds: class-type template arguments are not for nvcc.
template <class Holder, std::size_t... Nth> auto array_of(std::index_sequence<Nth...>)
    -> array<element_of<Holder::value.d>, Holder::value.e[Nth]...>;

}  // namespace detail

/// array<...> of the tensor_type in Holder::value.
template <class Holder> using array_of =
    decltype(detail::array_of<Holder>(std::make_index_sequence<std::size_t(Holder::value.rank)>{}));

}  // namespace etna
