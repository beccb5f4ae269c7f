#include <algorithm>
#include <functional>
#include <map>
#include <regex>
#include <string>
#include <vector>
template <int N> struct chain { static double f(double x) { return chain<N - 1>::f(x) * 1.0000001 + N; } };
template <> struct chain<0> { static double f(double x) { return x; } };
int main(int argc, char** argv) {
  std::map<std::string, std::vector<double>> m;
  std::regex r("[a-z]+([0-9]*)");
  for (int i = 0; i < argc; ++i)
    if (std::regex_match(argv[i], r)) m[argv[i]].push_back(chain<500>::f(i));
  std::function<bool(double, double)> less = [](double a, double b) { return a < b; };
  for (auto& [k, v] : m) std::sort(v.begin(), v.end(), less);
  return int(m.size());
}
