// SPDX-License-Identifier: BSD-3-Clause
// SUNDIALS with etna's derivatives: CVODE (BDF) and KINSOL (Newton) with jacfwd's Jacobian and with jvp's products find
// what they find by difference quotients, with fewer calls of the function, and what SciPy finds (test/data/stiff.py).
#include <doctest/doctest.h>

#include <cmath>
#include <cvode/cvode.h>
#include <kinsol/kinsol.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.hpp>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_spgmr.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <etna/etna.hpp>
#include <etna/interop/span.hpp>

#include "data/stiff.inc.hpp"

using namespace etna;

namespace {

constexpr auto robertson = [](array<double, 3> y) {
  auto a = slice<0>(y), b = slice<1>(y), c = slice<2>(y);
  auto slow = 0.04 * a, back = 1e4 * b * c, fast = 3e7 * b * b;
  return stack(back - slow, slow - back - fast, fast);
};
constexpr auto brusselator = [](array<double, 100> y) {
  auto w = reshape<50, 2>(y);
  auto u = slice<every, 0>(w), v = slice<every, 1>(w);
  auto flow = slice<range{1, rest}>(w) - slice<range{0, -1}>(w);
  auto spread = pad<0, 1, 0, 0>(flow) - pad<1, 0, 0, 0>(flow);
  return ravel(stack<1>(1.0 + u * u * v - 4.0 * u, 3.0 * u - u * u * v) + 50.0 * spread);
};
// u'' + 2 exp(u) = 0 between two zeros
constexpr auto bratu = [](array<double, 40> u) {
  auto padded = pad<1>(u);
  return 1681.0 * (slice<range{0, -2}>(padded) - 2.0 * u + slice<range{2, rest}>(padded)) + 2.0 * exp(u);
};

enum class way { differences, jacobian, krylov_differences, krylov_products };

// f's derivatives as the three functions that SUNDIALS asks for.
template <class State, auto F> struct served {
  static constexpr int n = int(State::size());
  static constexpr auto value = jit(F);
  static constexpr auto columns = jit([](State y) { return transpose(jacfwd(F)(y)); });
  static constexpr auto product = jit([](State y, State v) { return jvp(F, y, v).second; });
  static std::span<double> numbers(N_Vector x) { return {N_VGetArrayPointer(x), std::size_t(n)}; }
  static State read(N_Vector x) { return borrow<State>(numbers(x)); }

  static int at(N_Vector y, N_Vector out, void*) { return copy_to(numbers(out), value(read(y))), 0; }
  static int jacobian(N_Vector y, N_Vector, SUNMatrix j, void*, N_Vector, N_Vector) {
    return copy_to(std::span<double>(SUNDenseMatrix_Data(j), std::size_t(n * n)), ravel(columns(read(y)))), 0;
  }
  static int times(N_Vector v, N_Vector out, N_Vector y) { return copy_to(numbers(out), product(read(y), read(v))), 0; }
};

struct solver {
  sundials::Context context;
  N_Vector y;
  SUNMatrix matrix = nullptr;
  SUNLinearSolver linear;
  solver(std::vector<double>& x, bool krylov) : y(N_VMake_Serial(sunindextype(x.size()), x.data(), context)) {
    if (!krylov) matrix = SUNDenseMatrix(sunindextype(x.size()), sunindextype(x.size()), context);
    linear = krylov ? SUNLinSol_SPGMR(y, SUN_PREC_NONE, 60, context) : SUNLinSol_Dense(y, matrix, context);
  }
  solver(solver const&) = delete;
  ~solver() {
    SUNLinSolFree(linear);
    if (matrix) SUNMatDestroy(matrix);
    N_VDestroy(y);
  }
};

struct outcome {
  std::vector<double> y;
  long steps = 0, calls = 0;
};

template <class State, auto F>
outcome integrate(way w, std::vector<double> y, double end, double relative, double absolute) {
  using S = served<State, F>;
  outcome r{std::move(y)};
  solver s(r.y, w >= way::krylov_differences);
  void* cvode = CVodeCreate(CV_BDF, s.context);
  REQUIRE(CVodeInit(
              cvode, [](double, N_Vector y, N_Vector out, void* data) { return S::at(y, out, data); }, 0, s.y) ==
          CV_SUCCESS);
  CVodeSStolerances(cvode, relative, absolute);
  CVodeSetMaxNumSteps(cvode, 20000);
  REQUIRE(CVodeSetLinearSolver(cvode, s.linear, s.matrix) == CV_SUCCESS);
  if (w == way::jacobian)
    CVodeSetJacFn(cvode, [](double, N_Vector y, N_Vector f, SUNMatrix j, void* data, N_Vector a, N_Vector b, N_Vector) {
      return S::jacobian(y, f, j, data, a, b);
    });
  if (w == way::krylov_products)
    CVodeSetJacTimes(cvode, nullptr, [](N_Vector v, N_Vector out, double, N_Vector y, N_Vector, void*, N_Vector) {
      return S::times(v, out, y);
    });
  double t = 0;
  CHECK(CVode(cvode, end, s.y, &t, CV_NORMAL) == CV_SUCCESS);
  long linear = 0;
  CVodeGetNumSteps(cvode, &r.steps);
  CVodeGetNumRhsEvals(cvode, &r.calls);
  CVodeGetNumLinRhsEvals(cvode, &linear);
  r.calls += linear;
  CVodeFree(&cvode);
  return r;
}

template <class State, auto F> outcome zero(way w, double tolerance) {
  using S = served<State, F>;
  outcome r{std::vector<double>(std::size_t(S::n))};
  solver s(r.y, w >= way::krylov_differences);
  void* kinsol = KINCreate(s.context);
  REQUIRE(KINInit(kinsol, S::at, s.y) == KIN_SUCCESS);
  KINSetFuncNormTol(kinsol, tolerance);
  REQUIRE(KINSetLinearSolver(kinsol, s.linear, s.matrix) == KIN_SUCCESS);
  if (w == way::jacobian) KINSetJacFn(kinsol, S::jacobian);
  if (w == way::krylov_products)
    KINSetJacTimesVecFn(
        kinsol, [](N_Vector v, N_Vector out, N_Vector u, sunbooleantype*, void*) { return S::times(v, out, u); });
  N_Vector one = N_VClone(s.y);
  N_VConst(1, one);
  CHECK(KINSol(kinsol, s.y, KIN_LINESEARCH, one, one) == KIN_SUCCESS);
  long linear = 0;
  KINGetNumNonlinSolvIters(kinsol, &r.steps);
  KINGetNumFuncEvals(kinsol, &r.calls);
  KINGetNumLinFuncEvals(kinsol, &linear);
  r.calls += linear;
  N_VDestroy(one);
  KINFree(&kinsol);
  return r;
}

double apart(std::vector<double> const& x, double const* want) {
  double most = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    most = std::fmax(most, std::fabs(x[i] - want[i]) / (1e-6 + std::fabs(want[i])));
  return most;
}
constexpr way ways[] = {way::differences, way::jacobian, way::krylov_differences, way::krylov_products};

}  // namespace

TEST_CASE("sundials: Robertson's reaction, by jacfwd and by differences, is SciPy's") {
  for (way w : {way::differences, way::jacobian}) {
    CHECK(apart(integrate<array<double, 3>, robertson>(w, {1, 0, 0}, 40, 1e-9, 1e-14).y, reference::robertson_40) <
          1e-6);
    CHECK(apart(integrate<array<double, 3>, robertson>(w, {1, 0, 0}, 4000, 1e-9, 1e-14).y, reference::robertson_4000) <
          1e-6);
  }
}

TEST_CASE("sundials: a Brusselator on a line, four ways, is SciPy's; exact derivatives save calls") {
  std::vector<double> start(100);
  for (int i = 0; i < 50; ++i) {
    start[std::size_t(2 * i)] = 1 + std::sin(6.283185307179586 * (i + 0.5) / 50);
    start[std::size_t(2 * i + 1)] = 3;
  }
  outcome r[4];
  for (way w : ways) {
    r[int(w)] = integrate<array<double, 100>, brusselator>(w, start, 10, 1e-8, 1e-10);
    CHECK(apart(r[int(w)].y, reference::brusselator) < 1e-5);
  }
  CHECK(apart(r[0].y, r[1].y.data()) < 1e-5);
  CHECK(apart(r[2].y, r[3].y.data()) < 1e-5);
  CHECK(r[1].calls < r[0].calls);
  CHECK(r[3].calls < r[2].calls);
  CHECK(r[1].steps < 1.2 * r[0].steps);
}

TEST_CASE("sundials: Newton's method on Bratu's problem, four ways, is SciPy's") {
  outcome r[4];
  for (way w : ways) {
    r[int(w)] = zero<array<double, 40>, bratu>(w, 1e-9);
    CHECK(apart(r[int(w)].y, reference::bratu) < 1e-8);
  }
  CHECK(r[1].calls < r[0].calls);
  CHECK(r[3].calls < r[2].calls);
  CHECK(r[1].steps <= r[0].steps);
}
