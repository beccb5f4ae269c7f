// expect: E007_capture_in_jit
#include <etna/etna.hpp>
#include <etna/language.hpp>
float scale_of(etna::array<float, 3> x) {
  float k = 2;
  return etna::jit([k](etna::array<float, 3> y) { return etna::sum(y) * k; })(x).item();
}
