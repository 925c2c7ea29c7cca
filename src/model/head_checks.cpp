// SPDX-License-Identifier: MIT
#include "model/head_checks.h"

#include "linalg/ascending_rows.h"

#include <algorithm>
#include <cmath>

namespace mugrad {
namespace {

/// Checks that numbers are finite and labels exist.
class FieldCheck {
 public:
  FieldCheck(std::string_view name, Index labels) : name_(name), labels_(labels) {}

  void operator()(double value) const { (*this)(std::span<const double>(&value, 1)); }
  void operator()(std::span<const double> values) const {
    const auto wrong = std::ranges::find_if_not(values, [](double v) { return std::isfinite(v); });
    if (wrong != values.end()) {
      refuse("a {} of the model is {}, which is not finite", name_, *wrong);
    }
  }
  void operator()(const Matrix<double>* values) const { (*this)(values->values()); }
  void operator()(std::span<const LabelId> labels) const {
    for (const LabelId label : labels) {
      if (label < 0 || label >= labels_) {
        refuse("the model's {} names label {}, but there are {}", name_, label, labels_);
      }
    }
  }
  void operator()(const BinaryMatrix* matrix) const {
    check_starts(name_, matrix->row_start, matrix->ones());
    (*this)(matrix->column);
    for (Index row = 0; row < matrix->rows(); ++row) {
      const auto labels = matrix->row(row);
      if (std::ranges::adjacent_find(labels, std::ranges::greater_equal{}) != labels.end()) {
        refuse("row {} of the model's {} is not ascending", row, name_);
      }
    }
  }
  void operator()(const Features* features) const {
    features->visit([&](const auto& x) { check_features(x); });
  }
  // Each kind checks its own words, counts and starts.
  void operator()(std::string_view) const {}
  void operator()(Index) const {}
  void operator()(std::span<const Index>) const {}

 private:
  void check_features(const DenseView<double>& x) const {
    (*this)(std::span(x.data, as_size(x.rows * x.cols)));
  }
  void check_features(const CsrView<double>& x) const {
    const CsrPattern pattern = x.pattern();
    if (pattern.first() != 0) refuse("the model's {} are a part of others", name_);
    if (!rows_ascend(pattern, 0, x.rows)) {
      refuse("the columns of the model's {} do not ascend, or are not all below {}", name_, x.cols);
    }
    (*this)(std::span(x.value, as_size(pattern.stored())));
  }
  template <class View>
  void check_features(const View&) const {
    refuse("the model's {} are in single precision, double expected", name_);
  }

  std::string_view name_;
  Index labels_;
};

}  // namespace

void check_size(std::string_view what, Index found, Index expected) {
  if (found != expected) refuse("the model has {} {}, {} expected", found, what, expected);
}

void check_starts(std::string_view what, const std::vector<Index>& starts, Index end) {
  if (starts.empty() || starts.front() != 0 || starts.back() != end ||
      !std::ranges::is_sorted(starts)) {
    refuse("the starts of the model's {} are not ascending from 0 to {}", what, end);
  }
}

void check_head(const Head& head, const HeadShape& shape) {
  for (const auto& [name, value] : fields_of(head)) {
    std::visit(FieldCheck(name, shape.labels), value);
  }
  std::visit([&](const auto& own) { own.kind().check(own, shape); }, head);
}

}  // namespace mugrad
