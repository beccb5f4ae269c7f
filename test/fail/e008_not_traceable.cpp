// expect: E008_not_traceable
// errors g++: 2
#include <etna/etna.hpp>
#include <etna/language.hpp>
float at_run_time = 2;
float scaled(etna::array<float, 3> x) {
  return etna::jit([](etna::array<float, 3> y) { return etna::sum(y) * at_run_time; })(x).item();
}
