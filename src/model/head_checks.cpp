// SPDX-License-Identifier: MIT
#include "model/head_checks.h"

#include "model/head_fields.h"

#include <mugrad/core/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace mugrad {
namespace {

template <class... Arguments>
[[noreturn]] void refuse(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  throw InputError(fmt::format(format, std::forward<Arguments>(arguments)...));
}

void check_size(std::string_view what, Index found, Index expected) {
  if (found != expected) refuse("the model has {} {}, {} expected", found, what, expected);
}

/// Finite numbers, and no label that is not there.
class FieldCheck {
 public:
  explicit FieldCheck(Index labels) : labels_(labels) {}

  void operator()(std::string_view name, double value) const { check_finite(name, {&value, 1}); }
  void operator()(std::string_view name, const std::vector<double>& values) const {
    check_finite(name, values);
  }
  void operator()(std::string_view name, const Matrix<double>& values) const {
    check_finite(name, values.values());
  }
  void operator()(std::string_view name, const std::vector<LabelId>& labels) const {
    for (const LabelId label : labels) {
      if (label < 0 || label >= labels_) {
        refuse("the model's {} names label {}, and there are {}", name, label, labels_);
      }
    }
  }
  void operator()(std::string_view name, const BinaryMatrix& matrix) const {
    check_starts(name, matrix.row_start, matrix.ones());
    (*this)(name, matrix.column);
    for (Index row = 0; row < matrix.rows(); ++row) {
      const auto labels = matrix.row(row);
      if (std::ranges::adjacent_find(labels, std::ranges::greater_equal{}) != labels.end()) {
        refuse("row {} of the model's {} does not ascend", row, name);
      }
    }
  }
  template <class Other>
  void operator()(std::string_view, const Other&) const {}

  static void check_starts(std::string_view name, const std::vector<Index>& starts, Index end) {
    if (starts.empty() || starts.front() != 0 || starts.back() != end ||
        !std::ranges::is_sorted(starts)) {
      refuse("the starts of the model's {} do not ascend from 0 to {}", name, end);
    }
  }

 private:
  static void check_finite(std::string_view name, std::span<const double> values) {
    const auto wrong = std::ranges::find_if_not(values, [](double v) { return std::isfinite(v); });
    if (wrong != values.end()) refuse("a {} of the model is {}, which is not finite", name, *wrong);
  }

  Index labels_;
};

/// What each kind must have besides.
class ShapeCheck {
 public:
  ShapeCheck(Index columns, Index labels) : columns_(columns), labels_(labels) {}

  void operator()(const IndependentHead&) const {
    check_size("columns of weights", columns_, labels_);
  }
  void operator()(const ChainHead& head) const {
    if (columns_ == 0 || columns_ % labels_ != 0) {
      refuse("the model has {} columns of weights, a multiple of its {} labels expected", columns_,
             labels_);
    }
    check_size("places in chains", std::ssize(head.order), columns_);
    check_size("rows of history", head.history.rows(), columns_);
    check_size("columns of history", head.history.cols(), labels_);
    for (Index first = 0; first < columns_; first += labels_) {
      std::vector<LabelId> chain(head.order.begin() + first, head.order.begin() + first + labels_);
      std::ranges::sort(chain);
      if (std::ranges::adjacent_find(chain) != chain.end()) {
        refuse("chain {} of the model has a label twice", first / labels_ + 1);
      }
    }
  }
  void operator()(const LabelsetHead& head) const {
    check_size("classes", head.classes.rows(), columns_);
    check_size("starts of classes", std::ssize(head.class_start), head.sets.rows() + 1);
    FieldCheck::check_starts("classes", head.class_start, columns_);
    for (Index set = 0; set < head.sets.rows(); ++set) check_set(head, set);
  }
  void operator()(const PairHead& head) const {
    check_size("columns of weights", columns_, labels_ + std::ssize(head.first));
    check_size("second labels of pairs", std::ssize(head.second), std::ssize(head.first));
    for (std::size_t pair = 0; pair < head.first.size(); ++pair) {
      if (head.first[pair] == head.second[pair]) {
        refuse("pair {} of the model has label {} twice", pair + 1, head.first[pair]);
      }
    }
  }
  void operator()(const DistanceHead& head) const {
    check_size("starts of centres", std::ssize(head.centre_start), labels_ + 1);
    FieldCheck::check_starts("centres", head.centre_start, columns_);
    check_size("lengths of centres", std::ssize(head.squared_length), columns_);
    check_size("weights of centres", std::ssize(head.weight), columns_);
    for (const auto* of_label : {&head.offset, &head.slope, &head.shift}) {
      check_size("numbers per label", std::ssize(*of_label), labels_);
    }
  }
  void operator()(const FeedbackHead& head) const {
    check_size("columns of weights", columns_, 2 * labels_);
    check_size("rows of label weights", head.label_weights.rows(), labels_);
    check_size("columns of label weights", head.label_weights.cols(), labels_);
    if (head.rounds < 0 || head.rounds > FeedbackHead::kMostRounds) {
      refuse("the model guesses {} times, from 0 to {} expected", head.rounds,
             FeedbackHead::kMostRounds);
    }
  }
  void operator()(const KernelHead& head) const {
    if (!(head.width >= KernelHead::kLeastWidth && head.width <= KernelHead::kMostWidth)) {
      refuse("the model's kernel has width {}, from {} to {} expected", head.width,
             KernelHead::kLeastWidth, KernelHead::kMostWidth);
    }
    check_size("lengths of examples", std::ssize(head.squared_length), columns_);
    check_size("rows of coefficients", head.coefficients.rows(), columns_);
    check_size("columns of coefficients", head.coefficients.cols(), labels_);
    check_size("offsets", std::ssize(head.offset), labels_);
  }

 private:
  static void check_set(const LabelsetHead& head, Index set) {
    const Index begin = head.class_start[static_cast<std::size_t>(set)];
    const Index end = head.class_start[static_cast<std::size_t>(set) + 1];
    if (begin == end) refuse("labelset {} of the model has no classes", set + 1);
    const auto labels = head.sets.row(set);
    for (Index c = begin; c < end; ++c) {
      if (!std::ranges::includes(labels, head.classes.row(c))) {
        refuse("class {} of the model has labels that its labelset has not", c + 1);
      }
    }
  }

  Index columns_, labels_;
};

}  // namespace

void check_head(const Head& head, Index columns, Index labels) {
  std::visit(
      [&](const auto& kind) {
        visit_fields(kind, FieldCheck(labels));
        ShapeCheck(columns, labels)(kind);
      },
      head);
}

}  // namespace mugrad
