// 100 steps of SGD on [784, 512, 10]: the formula of the data and the results of JAX and PyTorch.
// Written by test/data/sgd100.py with jax 0.10.2, torch 2.15.0+cu132, numpy 2.4.6; do not edit.
#pragma once

#include <cstdint>

namespace reference {

/// One output of splitmix64 for the state x.
constexpr std::uint64_t splitmix64(std::uint64_t x) {
  std::uint64_t z = x + 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

/// Element i of a stream, in [-scale / 2, scale / 2); exact in float for a scale that is a power of two.
constexpr double value(std::uint64_t i, std::uint64_t stream, double scale) {
  return (static_cast<double>(splitmix64(i + (stream << 32)) >> 40) * 0x1p-24 - 0.5) * scale;
}

struct sgd {
  static constexpr int inputs = 784, hidden = 512, classes = 10, batch = 32, steps = 100;
  static constexpr double rate = 0.01;
  enum stream : std::uint64_t { w1 = 1, b1, w2, b2, images, labels };

  /// Element i of a parameter array, rows first.
  static constexpr double weight(stream s, std::uint64_t i) { return value(i, s, 0.125); }
  /// Pixel c of row r of the batch of a step; steps count from 0.
  static constexpr double image(int step, int r, int c) {
    return value((std::uint64_t(step) * batch + std::uint64_t(r)) * inputs + std::uint64_t(c), images, 1.0) + 0.5;
  }
  static constexpr int label(int step, int r) {
    return static_cast<int>(splitmix64(std::uint64_t(step) * batch + std::uint64_t(r) + (std::uint64_t(labels) << 32)) % classes);
  }
};

static_assert(sgd::weight(sgd::w1, 3) == 0.01660952717065811);
static_assert(sgd::weight(sgd::b2, 9) == -0.023591525852680206);
static_assert(sgd::image(0, 1, 2) == 0.42649370431900024);
static_assert(sgd::image(99, 31, 783) == 0.8986636996269226);
static_assert(sgd::label(0, 0) == 4 && sgd::label(99, 31) == 3);

/// A parameter array after the last step.
struct trained {
  const char* name;
  double norm;          // of all elements, summed in f64
  double before;        // the norm that the formula starts with
  double moved;         // the norm of (after - before): a far sharper test than the norm
  long index[3];        // places in the flat array
  double element[3];    // and what stands there
};

/// One run of a peer; losses are those before the update of steps 1, 50 and 100 (counted from 1).
struct run {
  const char* peer;
  const char* dtype;
  double loss[3];
  trained parameter[4];
};

inline constexpr run runs[] = {
    {"jax", "f32", {2.379668712615967, 2.3021275997161865, 2.345557689666748},
     {
         {"w1", 22.859268461810426, 22.860329502687676, 0.11789651070205735, {0, 100000, 401407}, {0.03325111046433449, 0.008969806134700775, 0.05520446226000786}},
         {"b1", 0.8411864370419304, 0.8410296876952771, 0.006300358488887437, {0, 100, 511}, {0.05066690966486931, -0.03676830232143402, -0.038459815084934235}},
         {"w2", 2.5862179927199644, 2.595592727696559, 0.09877532149955251, {0, 2500, 5119}, {-0.022789783775806427, -0.028397345915436745, 0.03257603570818901}},
         {"b2", 0.1165002469810143, 0.11889942380328779, 0.008195818313590645, {0, 5, 9}, {0.010837135836482048, -0.04739099740982056, -0.024029171094298363}},
     }},
    {"jax", "f64", {2.3796690595485064, 2.3021274853859697, 2.3455576465889143},
     {
         {"w1", 22.85926846273482, 22.860329502687676, 0.11789650990328211, {0, 100000, 401407}, {0.0332511180482098, 0.008969808616308616, 0.0552044585404766}},
         {"b1", 0.8411864333617247, 0.8410296876952771, 0.006300367562187606, {0, 100, 511}, {0.05066690063898547, -0.03676830231949927, -0.03845981359009563}},
         {"w2", 2.5862179937384613, 2.595592727696559, 0.09877532063111716, {0, 2500, 5119}, {-0.022789781564359173, -0.028397343317463, 0.0325760352136039}},
         {"b2", 0.11650023995894121, 0.11889942380328779, 0.0081958336990457, {0, 5, 9}, {0.010837134346093536, -0.0473910045019657, -0.02402918205678968}},
     }},
    {"torch", "f32", {2.379668712615967, 2.3021273612976074, 2.345557689666748},
     {
         {"w1", 22.8592684610294, 22.860329502687676, 0.1178965140552428, {0, 100000, 401407}, {0.03325111046433449, 0.008969806134700775, 0.05520446226000786}},
         {"b1", 0.8411864364531406, 0.8410296876952771, 0.006300357823790951, {0, 100, 511}, {0.05066690966486931, -0.03676830232143402, -0.038459815084934235}},
         {"w2", 2.586217985973759, 2.595592727696559, 0.0987753119474525, {0, 2500, 5119}, {-0.022789793089032173, -0.028397342190146446, 0.03257603198289871}},
         {"b2", 0.11650024789465299, 0.11889942380328779, 0.00819582007527412, {0, 5, 9}, {0.010837136767804623, -0.04739099740982056, -0.024029169231653214}},
     }},
    {"torch", "f64", {2.379669059548506, 2.3021274853859692, 2.3455576465889134},
     {
         {"w1", 22.85926846273482, 22.860329502687676, 0.11789650990328211, {0, 100000, 401407}, {0.0332511180482098, 0.008969808616308615, 0.0552044585404766}},
         {"b1", 0.8411864333617247, 0.8410296876952771, 0.006300367562187601, {0, 100, 511}, {0.05066690063898547, -0.03676830231949928, -0.03845981359009563}},
         {"w2", 2.5862179937384613, 2.595592727696559, 0.09877532063111717, {0, 2500, 5119}, {-0.022789781564359176, -0.028397343317463, 0.0325760352136039}},
         {"b2", 0.11650023995894122, 0.11889942380328779, 0.008195833699045708, {0, 5, 9}, {0.010837134346093532, -0.04739100450196569, -0.024029182056789684}},
     }},
};

}  // namespace reference
