// SPDX-License-Identifier: BSD-3-Clause
// DLPack both ways, as the C structs have it: addresses, lifetimes (under AddressSanitizer in the sanitized build), and
// tensors that do not fit. test/dlpack/ has the same with NumPy.
#include <doctest/doctest.h>

#include <etna/etna.hpp>
#include <etna/interop/dlpack.hpp>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

using namespace etna;

namespace {

// The structs as <dlpack/dlpack.h> of version 1 has them, for programs that include it.
namespace theirs {
enum device_kind : std::int32_t { cpu = 1, cuda = 2 };
struct device_of {
  device_kind device_type;
  std::int32_t device_id;
};
struct kind_of {
  std::uint8_t code, bits;
  std::uint16_t lanes;
};
struct tensor {
  void* data;
  device_of device;
  std::int32_t ndim;
  kind_of dtype;
  std::int64_t *shape, *strides;
  std::uint64_t byte_offset;
};
struct number {
  std::uint32_t major_, minor_;
};
struct managed {
  tensor dl_tensor;
  void* manager_ctx;
  void (*deleter)(managed*);
};
struct managed_versioned {
  number version;
  void* manager_ctx;
  void (*deleter)(managed_versioned*);
  std::uint64_t flags;
  tensor dl_tensor;
};
}  // namespace theirs

using rows = array<float, "n"_n, 8>;
using matrix = array<float, 16, 8>;

/// A tensor of another library: its memory is on the heap until its deleter is called.
template <class M> struct owner {
  M head{};
  std::vector<float> memory;
  std::vector<std::int64_t> shape, strides;
  int* deleted;
  owner(std::vector<std::int64_t> sizes, int& count) : shape(std::move(sizes)), deleted(&count) {
    std::int64_t n = 1;
    for (auto s : shape) n *= s;
    memory.resize(std::size_t(n));
    for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = float(i);
    auto& t = head.dl_tensor;
    t.data = memory.data();
    t.device.device_type = static_cast<decltype(t.device.device_type)>(1);
    t.ndim = std::int32_t(shape.size());
    t.dtype.code = 2;
    t.dtype.bits = 32;
    t.dtype.lanes = 1;
    t.shape = shape.data();
    head.manager_ctx = this;
    head.deleter = [](M* m) {
      auto* mine = static_cast<owner*>(m->manager_ctx);
      ++*mine->deleted;
      delete mine;
    };
    if constexpr (dlpack::versioned<M>) head.version = {1, 1};
  }
};
template <class M = dlpack::managed_tensor> M* made(std::vector<std::int64_t> sizes, int& deleted) {
  return &(new owner<M>(std::move(sizes), deleted))->head;
}
int raised(auto f) {
  try {
    f();
  } catch (error const& e) { return e.number; }
  return 0;
}
constexpr auto twice = jit([](rows const& x) { return x * 2.0f; });

}  // namespace

TEST_CASE_TEMPLATE("a tensor is read where it lies, and given back once, after its last reader", M,
                   dlpack::managed_tensor, dlpack::managed_tensor_versioned, theirs::managed,
                   theirs::managed_versioned) {
  int deleted = 0;
  {
    M* m = made<M>({16, 8}, deleted);
    void const* at = m->dl_tensor.data;
    rows kept;
    {
      auto x = from_dlpack<rows>(m);
      CHECK(x.data() == at);
      CHECK(x(3, 2) == 26.0f);
      rows y = twice(std::move(x));  // an rvalue, and yet it is not written
      CHECK(y(3, 2) == 52.0f);
      CHECK(deleted == 0);
      kept = from_dlpack<rows>(made<M>({4, 8}, deleted));
      rows again = kept;
      std::thread([](rows other) { CHECK(other(3, 7) == 31.0f); }, kept).join();
    }
    CHECK(deleted == 1);
    CHECK(kept(3, 7) == 31.0f);
  }
  CHECK(deleted == 2);
}
TEST_CASE("other layouts, and what lives in the object, are copied and given back at once") {
  int deleted = 0;
  auto* m = made({8, 16}, deleted);
  auto& o = *static_cast<owner<dlpack::managed_tensor>*>(m->manager_ctx);
  o.shape = {16, 8};
  o.strides = {1, 16};  // transposed
  m->dl_tensor.strides = o.strides.data();
  auto x = from_dlpack<matrix>(m);
  CHECK(deleted == 1);
  CHECK(x(3, 2) == 35.0f);
  m = made({16, 8}, deleted);
  auto& turned = *static_cast<owner<dlpack::managed_tensor>*>(m->manager_ctx);
  turned.strides = {-8, 1};  // from the last row on
  m->dl_tensor.strides = turned.strides.data();
  m->dl_tensor.byte_offset = 15 * 8 * 4;
  CHECK(from_dlpack<rows>(m)(0, 1) == 121.0f);
  m = made({1, 8}, deleted);
  auto& repeated = *static_cast<owner<dlpack::managed_tensor>*>(m->manager_ctx);
  repeated.shape = {16, 8};
  repeated.strides = {0, 1};
  m->dl_tensor.strides = repeated.strides.data();
  CHECK(from_dlpack<rows>(m)(15, 7) == 7.0f);
  m = made({16, 8}, deleted);
  m->dl_tensor.byte_offset = 8 * 4;
  m->dl_tensor.shape[0] = 15;
  void const* at = static_cast<char*>(m->dl_tensor.data) + 32;
  auto second = from_dlpack<rows>(m);
  CHECK(second.data() == at);
  CHECK(second(0, 0) == 8.0f);
  CHECK(from_dlpack<array<float, 3>>(made({3}, deleted))(2) == 2.0f);
  CHECK(from_dlpack<array<float>>(made({}, deleted)).item() == 0.0f);
  CHECK(from_dlpack<rows>(made({0, 8}, deleted)).size() == 0);
  second = rows();
  CHECK(deleted == 7);
}
TEST_CASE("a tensor that does not fit is an error, and stays the caller's") {
  int deleted = 0;
  using versioned = dlpack::managed_tensor_versioned;
  auto refused = [&](int number, auto change) {
    auto* m = made<versioned>({16, 8}, deleted);
    change(*m, m->dl_tensor);
    int const before = deleted;
    CHECK(raised([&] { (void)from_dlpack<rows>(m); }) == number);
    CHECK(deleted == before);
    m->deleter(m);
    CHECK(deleted == before + 1);
  };
  refused(112, [](auto&, auto& t) { t.shape[1] = 7; });
  refused(112, [](auto&, auto& t) { t.ndim = 1; });
  refused(112, [](auto&, auto& t) { t.ndim = max_rank + 1; });
  refused(140, [](auto&, auto& t) { t.dtype.bits = 64; });
  refused(140, [](auto&, auto& t) { t.dtype.bits = 16; });
  refused(140, [](auto&, auto& t) { t.dtype.code = 0; });
  refused(140, [](auto&, auto& t) { t.dtype.code = 200; });
  refused(140, [](auto&, auto& t) { t.dtype.lanes = 4; });
  refused(141, [](auto&, auto& t) { t.device.device_type = 2; });
  refused(141, [](auto&, auto& t) { t.data = nullptr; });
  refused(141, [](auto&, auto& t) { t.byte_offset = 2; });
  refused(141, [](auto&, auto& t) { t.ndim = -1; });
  refused(141, [](auto&, auto& t) { t.shape[0] = -1; });
  refused(141, [](auto&, auto& t) { t.shape = nullptr; });
  refused(141, [](auto& m, auto&) { m.version.first = 2; });
  auto* m = made({16, 8}, deleted);
  int const before = deleted;
  CHECK(raised([&] { (void)from_dlpack<array<float, "n"_n, "n"_n>>(m); }) == 110);
  CHECK(deleted == before);
  CHECK(raised([&] { (void)from_dlpack<array<float, 16, 9>>(m); }) == 112);
  m->deleter(m);
  try {
    auto* other = made({16, 8}, deleted);
    std::unique_ptr<dlpack::managed_tensor, void (*)(dlpack::managed_tensor*)> back(other, other->deleter);
    other->dl_tensor.dtype = {4, 16, 1};
    (void)from_dlpack<rows>(other);
  } catch (error const& e) {
    CHECK(std::string(e.what()).find("it holds bfloat16, the array float32") != std::string::npos);
  }
}
TEST_CASE_TEMPLATE("an array is handed over, and lives until the deleter is called", M, dlpack::managed_tensor,
                   dlpack::managed_tensor_versioned, theirs::managed, theirs::managed_versioned) {
  rows x = rows::build([](float* o) { std::fill_n(o, 128, 3.0f); }, {16, 8});
  float const* at = x.data();
  M* m = to_dlpack<M>(std::move(x));
  auto& t = m->dl_tensor;
  CHECK(t.data == at);
  CHECK((t.ndim == 2 && t.shape[0] == 16 && t.shape[1] == 8 && t.strides[0] == 8 && t.strides[1] == 1));
  CHECK((t.dtype.code == 2 && t.dtype.bits == 32 && t.dtype.lanes == 1 && t.byte_offset == 0));
  CHECK((int(t.device.device_type) == 1 && t.device.device_id == 0));
  static_cast<float*>(t.data)[127] = 4;  // it is the consumer's now
  if constexpr (dlpack::versioned<M>) CHECK(m->flags == 0);
  auto back = from_dlpack<rows>(m);  // and may come back
  CHECK(back.data() == at);
  CHECK(back(15, 7) == 4.0f);
  // what is read here too is shared as read-only, or copied where the struct cannot say so
  M* shared = to_dlpack<M>(back);
  if constexpr (dlpack::versioned<M>) {
    CHECK(shared->dl_tensor.data == at);
    CHECK(shared->flags == dlpack::read_only);
    back = rows();
    CHECK(static_cast<float*>(shared->dl_tensor.data)[127] == 4.0f);
  } else {
    CHECK(shared->dl_tensor.data != at);
    static_cast<float*>(shared->dl_tensor.data)[127] = 5;
    CHECK(back(15, 7) == 4.0f);
  }
  shared->deleter(shared);
  M* small = to_dlpack<M>(array<std::int64_t, 2>{1, 2});
  CHECK((small->dl_tensor.dtype.code == 0 && small->dl_tensor.dtype.bits == 64));
  CHECK(static_cast<std::int64_t*>(small->dl_tensor.data)[1] == 2);
  small->deleter(small);
  M* mask = to_dlpack<M>(array<bool, 2>{true, false});
  CHECK((mask->dl_tensor.dtype.code == 6 && mask->dl_tensor.dtype.bits == 8));
  CHECK(from_dlpack<array<bool, "n"_n>>(mask)(0));
}
TEST_CASE("element types have DLPack's codes, and the names that NumPy gives them") {
  [&]<std::size_t... N>(std::index_sequence<N...>) {
    auto check = [](dlpack::data_type t, dtype d) { CHECK(dlpack::spelled(t.code, t.bits, 1) == row_of(d).numpy); };
    (check(dlpack::type_of<element_of<dtype(N)>>, dtype(N)), ...);
  }(std::make_index_sequence<std::size_t(dtype_count)>());
  auto* m = to_dlpack(array<bfloat16, 2>{1.5f, -2.f});
  CHECK((m->dl_tensor.dtype.code == 4 && m->dl_tensor.dtype.bits == 16));
  CHECK(raised([&] { (void)from_dlpack<array<float16, 2>>(m); }) == 140);
  CHECK(float(from_dlpack<array<bfloat16, 2>>(m)(1)) == -2.f);
}
