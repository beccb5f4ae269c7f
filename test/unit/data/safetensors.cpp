// SPDX-License-Identifier: BSD-3-Clause
// safetensors files: what is written is read, and a header that lies is never believed.
#include <doctest/doctest.h>

#include <etna/data/safetensors.hpp>

#include "file.hpp"

using namespace test_data;
using namespace etna::data;

namespace {

bytes with_header(std::string const& header, std::size_t data) {
  bytes r;
  for (int i = 0; i < 8; ++i) r.push_back(static_cast<unsigned char>(header.size() >> (8 * i)));
  r.insert(r.end(), header.begin(), header.end());
  r.resize(r.size() + data);
  return r;
}
int error_reading(bytes const& content) {
  folder f;
  put(f / "x", content);
  return error_of([&] { read_safetensors(f / "x"); });
}
int error_of_header(std::string const& header, std::size_t data) { return error_reading(with_header(header, data)); }

bytes const one{1, 2, 3, 4, 5, 6, 7, 8}, two{9, 10, 11};
std::vector<entry> const entries{{"layers.0.w", "F32", {2, 1}, one},
                                 {"mask", "U8", {3}, two},
                                 {"none", "F64", {0, 5}, {}},
                                 {"scalar", "I64", {}, one}};

bytes file_of(std::vector<entry> const& all, std::map<std::string, std::string> const& words = {{"epoch", "3"}}) {
  folder f;
  write_safetensors(f / "x", all, words);
  return get(f / "x");
}

}  // namespace

TEST_CASE("reads what was written") {
  folder f;
  put(f / "x", file_of(entries, {{"epoch", "3"}, {"note", "gr\xc3\xbc\xc3\x9f \"quoted\""}}));
  auto const r = read_safetensors(f / "x");
  CHECK(r.metadata.at("epoch") == "3");
  CHECK(r.metadata.at("note") == "gr\xc3\xbc\xc3\x9f \"quoted\"");
  REQUIRE(r.entries.size() == 4);
  for (auto const& e : entries) {
    auto const* got = r.find(e.name);
    REQUIRE(got);
    CHECK(got->dtype == e.dtype);
    CHECK(got->shape == e.shape);
    CHECK(bytes(got->bytes.begin(), got->bytes.end()) == bytes(e.bytes.begin(), e.bytes.end()));
  }
  CHECK(r.find("w") == nullptr);
}

TEST_CASE("a file without arrays is a file") {
  CHECK(error_reading(file_of({}, {})) == 0);
  CHECK(error_of_header("{}", 0) == 0);
  CHECK(error_of_header("{}", 1) == 121);
}

TEST_CASE("the bytes of the format are those of the reference") {
  // What safetensors.numpy.save writes for {"a": numpy.array([1, 2], numpy.uint8)}, version 0.4.
  std::string const header = R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}}   )";
  auto content = with_header(header, 0);
  content.push_back(1);
  content.push_back(2);
  folder f;
  put(f / "x", content);
  auto const r = read_safetensors(f / "x");
  REQUIRE(r.entries.size() == 1);
  CHECK(r.entries[0].bytes[1] == 2);
  // Ours: aligned to 8, and begun with a brace.
  auto const own = file_of(entries);
  CHECK(own[8] == '{');
  CHECK((own[0] + 256 * own[1]) % 8 == 0);
}

TEST_CASE("a missing file is E120, one that is not read E128") {
  folder f;
  CHECK(error_of([&] { read_safetensors(f / "absent"); }) == 120);
  CHECK(error_of([&] { read_safetensors(f.path); }) == 128);
  put(f / "x", file_of(entries));
  fs::permissions(f / "x", fs::perms::none);
  without_permissions const here;
  CHECK(error_of([&] { read_safetensors(f / "x"); }) == 128);
}

TEST_CASE("a NUL in the header is E121, wherever it stands: the format fills up with spaces") {
  std::string const good = R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}})";
  CHECK(error_of_header(good + "   ", 2) == 0);
  CHECK(error_of_header(good + std::string(3, '\0'), 2) == 121);
  CHECK(error_of_header(good + std::string(1, '\0') + "and what a parser that stops there does not see", 2) == 121);
  for (std::size_t at = 0; at < good.size(); ++at)
    CHECK(error_of_header(good.substr(0, at) + '\0' + good.substr(at + 1), 2) == 121);
}

TEST_CASE("a dtype of unknown size is E124, and named with its array") {
  folder f;
  put(f / "x", with_header(R"({"layers.0.w":{"dtype":"F4","shape":[2],"data_offsets":[0,1]}})", 1));
  try {
    read_safetensors(f / "x");
    CHECK(false);
  } catch (etna::error const& e) {
    CHECK(e.number == 124);
    CHECK(std::string(e.what()).find("x ('layers.0.w' is F4); save it as bool") != std::string::npos);
  }
}

TEST_CASE("a file cut at any byte, or longer, is E121") {
  auto const all = file_of(entries);
  for (std::size_t n = 0; n < all.size(); ++n) CHECK(error_reading({all.begin(), all.begin() + long(n)}) == 121);
  auto more = all;
  more.push_back(0);
  CHECK(error_reading(more) == 121);
}

TEST_CASE("a header of any claimed length is E121 where it is not the true one") {
  auto const all = file_of(entries);
  for (std::uint64_t n :
       {std::uint64_t(0), std::uint64_t(1), std::uint64_t(7), std::uint64_t(all.size()), std::uint64_t(all.size() - 8),
        std::uint64_t(1) << 32, std::uint64_t(1) << 63, ~std::uint64_t(0), ~std::uint64_t(7)}) {
    auto content = all;
    for (int i = 0; i < 8; ++i) content[std::size_t(i)] = static_cast<unsigned char>(n >> (8 * i));
    CHECK(error_reading(content) == 121);
  }
}

TEST_CASE("lies of the header are E121") {
  auto array = [](std::string const& dtype, std::string const& shape, std::string const& offsets) {
    return R"({"dtype":")" + dtype + R"(","shape":)" + shape + R"(,"data_offsets":)" + offsets + "}";
  };
  auto alone = [&](std::string const& dtype, std::string const& shape, std::string const& offsets) {
    return error_of_header("{\"a\":" + array(dtype, shape, offsets) + "}", 8);
  };
  CHECK(alone("F32", "[2]", "[0,8]") == 0);
  CHECK(alone("BF16", "[2,2]", "[0,8]") == 0);
  CHECK(alone("C64", "[1]", "[0,8]") == 0);
  CHECK(alone("F8_E8M0", "[8]", "[0,8]") == 0);
  CHECK(alone("F32", "[3]", "[0,8]") == 121);
  CHECK(alone("F32", "[1]", "[0,8]") == 121);
  CHECK(alone("F31", "[2]", "[0,8]") == 124);
  CHECK(error_of_header(R"({"a":{"dtype":32,"shape":[2],"data_offsets":[0,8]}})", 8) == 121);
  CHECK(alone("F32", "[2]", "[0,16]") == 121);
  CHECK(alone("F32", "[4]", "[0,16]") == 121);
  CHECK(alone("F32", "[1]", "[0,4]") == 121);
  CHECK(alone("F32", "[1]", "[4,8]") == 121);
  CHECK(alone("F32", "[2]", "[8,0]") == 121);
  CHECK(alone("F32", "[-2]", "[0,8]") == 121);
  CHECK(alone("F32", "[2.0]", "[0,8]") == 121);
  CHECK(alone("F32", "2", "[0,8]") == 121);
  CHECK(alone("F32", "[2]", "[0]") == 121);
  CHECK(alone("F32", "[2]", "[0,8,8]") == 121);
  CHECK(alone("F32", "[2]", "[0,\"8\"]") == 121);
  CHECK(alone("F32", "[4611686018427387904,4]", "[0,8]") == 121);  // the product wraps to 0
  CHECK(alone("F32", "[9223372036854775807,9223372036854775807]", "[0,8]") == 121);
  CHECK(alone("F32", "[18446744073709551615]", "[0,8]") == 121);
  CHECK(alone("F32", "[18446744073709551616]", "[0,8]") == 121);
  CHECK(alone("F32", "[0,9223372036854775807]", "[0,0]") == 121);  // 8 bytes are then nobody's
  auto empty = [&](std::string const& shape) {
    return error_of_header("{\"a\":" + array("U8", shape, "[0,0]") + "}", 0);
  };
  CHECK(empty("[0,4611686018427387904]") == 0);
  CHECK(empty("[4611686018427387904,2,0]") == 121);  // sizes whose product no number holds
  auto pair = [&](std::string const& a, std::string const& b) {
    return error_of_header("{\"a\":" + a + ",\"b\":" + b + "}", 8);
  };
  CHECK(pair(array("F32", "[1]", "[0,4]"), array("F32", "[1]", "[4,8]")) == 0);
  CHECK(pair(array("F32", "[1]", "[4,8]"), array("F32", "[1]", "[0,4]")) == 0);
  CHECK(pair(array("F32", "[2]", "[0,8]"), array("F32", "[1]", "[4,8]")) == 121);  // overlap
  CHECK(pair(array("F32", "[2]", "[0,8]"), array("F32", "[2]", "[0,8]")) == 121);
  CHECK(pair(array("U8", "[3]", "[0,3]"), array("F32", "[1]", "[4,8]")) == 121);  // hole
  CHECK(pair(array("F32", "[0]", "[0,0]"), array("F32", "[2]", "[0,8]")) == 0);
  auto const good = array("F32", "[2]", "[0,8]");
  CHECK(error_of_header("{\"a\":" + good + ",\"a\":" + good + "}", 8) == 121);  // twice
  CHECK(error_of_header("{\"a\":{\"dtype\":\"F32\",\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}}", 8) ==
        121);
  CHECK(error_of_header("{\"a\":" + good + ",\"__metadata__\":{\"k\":\"v\"}}", 8) == 0);
  CHECK(error_of_header("{\"a\":" + good + ",\"__metadata__\":{\"k\":1}}", 8) == 121);
  CHECK(error_of_header("{\"a\":" + good + ",\"__metadata__\":[]}", 8) == 121);
  CHECK(error_of_header("{\"a\":{\"shape\":[2],\"data_offsets\":[0,8]}}", 8) == 121);
  CHECK(error_of_header("{\"a\":[]}", 8) == 121);
  CHECK(error_of_header("[]", 8) == 121);
  CHECK(error_of_header(" {\"a\":" + good + "}", 8) == 121);
  CHECK(error_of_header("{\"\xff\":" + good + "}", 8) == 121);
  CHECK(error_of_header("{" + std::string(100000, '['), 0) == 121);
  CHECK(error_of_header("{\"a\":" + std::string(100000, '[') + std::string(100000, ']') + "}", 0) == 121);
}

TEST_CASE("a header with any bit turned is E121, E124 or still consistent") {
  auto const all = file_of(entries);
  std::size_t const header = 8 + all[0] + 256u * all[1];
  folder f;
  for (std::size_t at = 0; at < header; ++at)
    for (int bit = 0; bit < 8; ++bit) {
      auto content = all;
      content[at] ^= static_cast<unsigned char>(1 << bit);
      put(f / "x", content);
      int const number = error_of([&] {
        auto const r = read_safetensors(f / "x");
        std::size_t held = 0;
        for (auto const& e : r.entries) held += e.bytes.size();
        CHECK(held == 19);
      });
      CHECK((number == 0 || number == 121 || number == 124));
    }
}

TEST_CASE("what cannot be written leaves the old file and nothing beside it") {
  folder f;
  write_safetensors(f / "x", entries);
  auto const before = get(f / "x");
  CHECK(error_of([&] { write_safetensors(f / "x", std::vector<entry>{entries[0], entries[0]}); }) == 122);
  CHECK(error_of([&] { write_safetensors(f / "x", std::vector<entry>{{"a", "F32", {3}, one}}); }) == 122);
  CHECK(error_of([&] { write_safetensors(f / "no_folder/x", entries); }) == 123);
  fs::create_directory(f / "folder");
  CHECK(error_of([&] { write_safetensors(f / "folder", entries); }) == 123);
  CHECK(get(f / "x") == before);
  CHECK(count(f.path) == 2);
}
