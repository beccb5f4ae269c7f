// SPDX-License-Identifier: BSD-3-Clause
// SUNDIALS integrates a stiff reaction with diffusion (CVODE, BDF); etna gives it the Jacobian by jacfwd and its
// products by jvp, both compiled, on SUNDIALS's own memory. Compared with SUNDIALS's difference quotients. Page:
// docs/examples/10_sundials.md
#include <cmath>
#include <cstdio>
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.hpp>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_spgmr.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <etna/etna.hpp>
#include <etna/interop/span.hpp>

using etna::array;

constexpr int cells = 50, unknowns = 2 * cells;
using state = array<double, unknowns>;

// A Brusselator on a line without flow through its ends: u' = 1 + u u v - 4 u + (u'')/50, v' = 3 u - u u v + (v'')/50.
constexpr auto f = [](state y) {
  using namespace etna;
  auto w = reshape<cells, 2>(y);
  auto u = slice<every, 0>(w), v = slice<every, 1>(w);
  auto flow = slice<range{1, rest}>(w) - slice<range{0, -1}>(w);
  auto spread = pad<0, 1, 0, 0>(flow) - pad<1, 0, 0, 0>(flow);
  auto reaction = stack<1>(1.0 + u * u * v - 4.0 * u, 3.0 * u - u * u * v);
  return ravel(reaction + cells * cells / 50.0 * spread);
};
constexpr auto rate = etna::jit(f);
constexpr auto columns =
    etna::jit([](state y) { return etna::transpose(etna::jacfwd(f)(y)); });  // SUNDIALS keeps columns
constexpr auto product = etna::jit([](state y, state v) { return etna::jvp(f, y, v).second; });

std::span<double> numbers(N_Vector x) { return {N_VGetArrayPointer(x), unknowns}; }
state read(N_Vector x) { return etna::borrow<state>(numbers(x)); }

int right_side(double, N_Vector y, N_Vector out, void*) { return etna::copy_to(numbers(out), rate(read(y))), 0; }
int jacobian(double, N_Vector y, N_Vector, SUNMatrix j, void*, N_Vector, N_Vector, N_Vector) {
  std::span<double> to(SUNDenseMatrix_Data(j), unknowns * unknowns);
  return etna::copy_to(to, etna::ravel(columns(read(y)))), 0;
}
int times(N_Vector v, N_Vector out, double, N_Vector y, N_Vector, void*, N_Vector) {
  return etna::copy_to(numbers(out), product(read(y), read(v))), 0;
}

struct outcome {
  double y[unknowns];
  long steps, calls;
  bool good;
};

outcome integrate(bool krylov, bool exact) {
  sundials::Context context;
  outcome r{};
  for (int i = 0; i < cells; ++i) r.y[2 * i] = 1 + std::sin(6.283185307179586 * (i + 0.5) / cells), r.y[2 * i + 1] = 3;
  N_Vector y = N_VMake_Serial(unknowns, r.y, context);
  SUNMatrix matrix = krylov ? nullptr : SUNDenseMatrix(unknowns, unknowns, context);
  SUNLinearSolver solver = krylov ? SUNLinSol_SPGMR(y, 0, 60, context) : SUNLinSol_Dense(y, matrix, context);
  void* cvode = CVodeCreate(CV_BDF, context);
  CVodeInit(cvode, right_side, 0, y);
  CVodeSStolerances(cvode, 1e-8, 1e-10);
  CVodeSetMaxNumSteps(cvode, 5000);
  CVodeSetLinearSolver(cvode, solver, matrix);
  if (exact && !krylov) CVodeSetJacFn(cvode, jacobian);
  if (exact && krylov) CVodeSetJacTimes(cvode, nullptr, times);
  double t = 0;
  r.good = CVode(cvode, 10, y, &t, CV_NORMAL) == CV_SUCCESS;
  long linear = 0;  // calls that only the difference quotients make
  CVodeGetNumSteps(cvode, &r.steps);
  CVodeGetNumRhsEvals(cvode, &r.calls);
  CVodeGetNumLinRhsEvals(cvode, &linear);
  r.calls += linear;
  CVodeFree(&cvode);
  SUNLinSolFree(solver);
  if (matrix) SUNMatDestroy(matrix);
  N_VDestroy(y);
  return r;
}

int main() {
  outcome const first = integrate(false, false);
  bool good = true;
  for (int way = 0; way < 4; ++way) {
    outcome const r = integrate(way >= 2, way % 2 == 1);
    double apart = 0;
    for (int i = 0; i < unknowns; ++i) apart = std::fmax(apart, std::fabs(r.y[i] - first.y[i]));
    std::printf("%-6s %-12s %4ld steps, %6ld calls of f; u(0) = %.8f, apart by %.0e\n", way < 2 ? "dense" : "Krylov",
                way % 2 ? "etna" : "differences", r.steps, r.calls, r.y[0], apart);
    good = good && r.good && apart < 1e-5;
  }
  return good ? 0 : 1;
}
