// SPDX-License-Identifier: MIT
#include "model/head_checks.h"
#include "model/head_scores.h"

#include <algorithm>
#include <cmath>

namespace mugrad {
namespace {

constexpr FieldOf<KernelHead> kFields[] = {{"width", &KernelHead::width},
                                           {"squared_length", &KernelHead::squared_length},
                                           {"coefficients", &KernelHead::coefficients},
                                           {"offset", &KernelHead::offset}};

void check(const KernelHead& head, const HeadShape& shape) {
  if (!(head.width >= KernelHead::kLeastWidth && head.width <= KernelHead::kMostWidth)) {
    refuse("the model's kernel has width {}, from {} to {} expected", head.width,
           KernelHead::kLeastWidth, KernelHead::kMostWidth);
  }
  check_size("lengths of examples", std::ssize(head.squared_length), shape.columns);
  check_size("rows of coefficients", head.coefficients.rows(), shape.columns);
  check_size("columns of coefficients", head.coefficients.cols(), shape.labels);
  check_size("offsets", std::ssize(head.offset), shape.labels);
}

/// Kernel machines are trained on targets of 1 and -1.
ScoreRange range_of(const KernelHead&) {
  return {.low = -1, .high = 1, .middle = 0, .is_limit = false, .are_probabilities = false};
}

class KernelScores final : public RowHeadScores<KernelScores, HeadInput::linear_scores_and_length> {
 public:
  KernelScores(const KernelHead& head, const HeadShape&)
      : head_(head), factor_(-1 / (2 * head.width * head.width)) {}

  template <class Real>
  void score_row(const HeadRow<Real>& row, const RowWork&, std::span<double> scores) const {
    std::ranges::copy(head_.offset, scores.begin());
    for (std::size_t e = 0; e < row.linear.size(); ++e) {
      const auto likeness = static_cast<double>(std::exp(
          factor_ * squared_distance(row.squared_length, row.linear[e], head_.squared_length[e])));
      const auto coefficients = head_.coefficients.row(as_index(e));
      for (std::size_t i = 0; i < scores.size(); ++i) scores[i] += likeness * coefficients[i];
    }
  }

 private:
  const KernelHead& head_;
  double factor_;
};

}  // namespace

const HeadKind<KernelHead>& KernelHead::kind() {
  static constexpr HeadKind<KernelHead> kKind{"kernel", kFields, check, range_of,
                                              make_scores<KernelScores>};
  return kKind;
}

}  // namespace mugrad
