// SPDX-License-Identifier: MIT
#include "method/common/trainable_labels.h"

#include "core/printable.h"
#include "method/common/base_score.h"

#include <fmt/format.h>

#include <algorithm>

namespace mugrad {

namespace {
constexpr LabelId kConstant = -1;
}

TrainableLabels::TrainableLabels(const Dataset& data, std::span<const double> elsewhere)
    : positives_(as_size(data.labels()), 0),
      known_(positives_.size(), data.total_weight()),
      total_(data.total_weight()) {
  // Whether both classes occur is decided by counts, because sums of weights round.
  std::vector<Index> positive_rows(positives_.size(), 0);
  std::vector<Index> unknown_rows(positives_.size(), 0);
  Index rows = 0;
  for (Index row = 0; row < data.rows(); ++row) {
    const double weight = data.weight_of(row);
    if (weight == 0) continue;
    ++rows;
    for (const LabelId label : data.y.row(row)) {
      positives_[as_size(label)] += weight;
      ++positive_rows[as_size(label)];
    }
    for (const LabelId label : data.unknown_of(row)) {
      known_[as_size(label)] -= weight;
      ++unknown_rows[as_size(label)];
    }
  }
  position_.assign(positives_.size(), kConstant);
  for (std::size_t i = 0; i < positives_.size(); ++i) {
    const Index known_rows = rows - unknown_rows[i];
    // At least the positives, despite rounding of the difference.
    known_[i] = known_rows == 0 ? 0 : std::max(known_[i], positives_[i]);
    const bool has_one_class = positive_rows[i] == 0 || positive_rows[i] == known_rows;
    const bool has_others = known_rows > 0 && !elsewhere.empty() && elsewhere[i] > 0;
    const bool is_constant = has_one_class && !has_others;
    if (!is_constant) position_[i] = static_cast<LabelId>(original_.size());
    (is_constant ? constant_ : original_).push_back(static_cast<LabelId>(i));
  }
  labels_ = narrowed(data.y);
  unknown_ = narrowed(data.unknown);
}

BinaryMatrix TrainableLabels::narrowed(const BinaryMatrix& of_all) const {
  BinaryMatrix result;
  result.cols = std::ssize(original_);
  result.column.reserve(of_all.column.size());
  result.row_start.reserve(of_all.row_start.size());
  for (Index row = 0; row < of_all.rows(); ++row) {
    for (const LabelId label : of_all.row(row)) {
      const LabelId at = position_[as_size(label)];
      if (at != kConstant) result.column.push_back(at);
    }
    result.end_row();
  }
  return result;
}

std::optional<std::string> TrainableLabels::warning(const std::vector<std::string>& names,
                                                    std::string_view they) const {
  if (constant_.empty()) return std::nullopt;
  std::vector<std::string> constant_names;
  for (const LabelId label : constant_) constant_names.push_back(name_or_number(names, label));
  return fmt::format("{} of {} labels have only one class in the training data and {}: {}",
                     constant_.size(), positives_.size(), they, listing(constant_names));
}

std::vector<double> TrainableLabels::narrowed(const std::vector<double>& of_all) const {
  std::vector<double> result;
  for (const LabelId label : original_) result.push_back(of_all[as_size(label)]);
  return result;
}

template <class Real>
std::vector<double> TrainableLabels::intercepts(std::span<const Real> trained,
                                                LossKind loss) const {
  std::vector<double> result(positives_.size());
  for (const LabelId label : constant_) {
    const auto i = as_size(label);
    result[i] = base_score(loss, positives_[i], known_[i] > 0 ? known_[i] : total_);
  }
  for (std::size_t k = 0; k < original_.size(); ++k) {
    result[as_size(original_[k])] = static_cast<double>(trained[k]);
  }
  return result;
}

template <class Real>
Matrix<Real> TrainableLabels::widened(const Matrix<Real>& weights) const {
  Matrix<Real> result(weights.rows() - 1, std::ssize(positives_));
  for (Index k = 1; k < weights.rows(); ++k) {
    for (std::size_t i = 0; i < original_.size(); ++i) {
      result(k - 1, original_[i]) = weights(k, as_index(i));
    }
  }
  return result;
}

Matrix<double> TrainableLabels::widened_square(const Matrix<double>& of_trainable) const {
  const auto labels = std::ssize(positives_);
  Matrix<double> result(labels, labels);
  for (std::size_t j = 0; j < original_.size(); ++j) {
    const auto from = of_trainable.row(as_index(j));
    for (std::size_t i = 0; i < original_.size(); ++i) result(original_[j], original_[i]) = from[i];
  }
  return result;
}

CsrMatrix<double> TrainableLabels::narrowed(const CsrMatrix<double>& transfer) const {
  CsrMatrix<double> result;
  result.cols = std::ssize(original_);
  std::vector<double> row(original_.size());
  for (std::size_t i = 0; i < original_.size(); ++i) {
    std::ranges::fill(row, 0.0);
    const auto columns = transfer.row_columns(original_[i]);
    const auto values = transfer.row_values(original_[i]);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const LabelId to = position_[as_size(columns[k])];
      row[to == kConstant ? i : as_size(to)] += values[k];
    }
    for (std::size_t j = 0; j < row.size(); ++j) {
      if (row[j] == 0) continue;
      result.column.push_back(static_cast<LabelId>(j));
      result.value.push_back(row[j]);
    }
    result.end_row();
  }
  return result;
}

CsrMatrix<double> TrainableLabels::widened(const CsrMatrix<double>& transfer) const {
  CsrMatrix<double> result;
  result.cols = std::ssize(positives_);
  Index next = 0;  // trainable columns keep their order, so rows stay ascending
  for (LabelId i = 0; i < result.cols; ++i) {
    if (next < std::ssize(original_) && original_[as_size(next)] == i) {
      const auto columns = transfer.row_columns(next);
      const auto values = transfer.row_values(next);
      for (std::size_t k = 0; k < columns.size(); ++k) {
        result.column.push_back(original_[as_size(columns[k])]);
        result.value.push_back(values[k]);
      }
      ++next;
    } else {
      result.column.push_back(i);
      result.value.push_back(1);
    }
    result.end_row();
  }
  return result;
}

template std::vector<double> TrainableLabels::intercepts(std::span<const float>, LossKind) const;
template std::vector<double> TrainableLabels::intercepts(std::span<const double>, LossKind) const;
template Matrix<float> TrainableLabels::widened(const Matrix<float>&) const;
template Matrix<double> TrainableLabels::widened(const Matrix<double>&) const;

}  // namespace mugrad
