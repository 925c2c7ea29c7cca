// SPDX-License-Identifier: MIT
#include "model/head_checks.h"

namespace mugrad {
namespace {

constexpr FieldOf<IndependentHead> kFields[] = {{"link", &IndependentHead::link}};

void check(const IndependentHead&, const HeadShape& shape) {
  check_size("columns of weights", shape.columns, shape.labels);
}

ScoreRange range_of(const IndependentHead& head) {
  const bool is_logistic = head.link == Link::logistic;
  return {.is_limit = is_logistic, .are_probabilities = is_logistic};
}

}  // namespace

const HeadKind<IndependentHead>& IndependentHead::kind() {
  static constexpr HeadKind<IndependentHead> kKind{"independent", kFields, check, range_of};
  return kKind;
}

}  // namespace mugrad
