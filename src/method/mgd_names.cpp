// SPDX-License-Identifier: MIT
#include "core/names.h"

#include <mugrad/method/mgd.h>

namespace mugrad {
namespace {

constexpr Name<SolverKind> kSolvers[] = {{SolverKind::accelerated, "accelerated"},
                                         {SolverKind::plain, "plain"}};
constexpr Name<Start> kStarts[] = {
    {Start::log_odds, "log-odds"}, {Start::zero, "zero"}, {Start::random, "random"}};
constexpr Name<Precision> kPrecisions[] = {{Precision::single_precision, "float"},
                                           {Precision::double_precision, "double"}};

}  // namespace

std::string_view to_string(SolverKind solver) { return name_of<SolverKind>(kSolvers, solver); }
std::string_view to_string(Start start) { return name_of<Start>(kStarts, start); }
std::string_view to_string(Precision precision) {
  return name_of<Precision>(kPrecisions, precision);
}

SolverKind solver_named(std::string_view name) {
  return named<SolverKind>(kSolvers, name, "solver");
}
Start start_named(std::string_view name) { return named<Start>(kStarts, name, "start"); }
Precision precision_named(std::string_view name) {
  return named<Precision>(kPrecisions, name, "precision");
}

}  // namespace mugrad
