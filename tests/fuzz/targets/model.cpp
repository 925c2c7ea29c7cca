// SPDX-License-Identifier: MIT
#include "fuzz/support.h"
#include "fuzz/targets.h"

#include <mugrad/model/model.h>
#include <mugrad/model/scorer.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

namespace mugrad::fuzz {
namespace {

constexpr Threads kOneThread{.count = 1};
/// Models of more features are loaded, but not scored: an input of a few kilobytes has them only
/// where weights have no columns.
constexpr Index kMostFeatures = 1 << 16;

/// Rows of small and large numbers, with zeros between them.
Matrix<double> rows_of(Index features) {
  constexpr std::array kValues = {0.0, 1.0, -2.5, 1e3, 1e-300, 1e200};
  Matrix<double> rows(std::ssize(kValues), features);
  for (Index row = 0; row < rows.rows(); ++row) {
    for (Index j = 0; j < features; ++j) {
      const auto value = kValues[static_cast<std::size_t>(row)];
      rows(row, j) = (j + row) % 3 == 0 ? 0 : value;
    }
  }
  return rows;
}

CsrMatrix<double> sparse(const Matrix<double>& dense) {
  CsrMatrix<double> matrix;
  matrix.cols = dense.cols();
  for (Index row = 0; row < dense.rows(); ++row) {
    for (Index j = 0; j < dense.cols(); ++j) {
      if (dense(row, j) == 0) continue;
      matrix.column.push_back(static_cast<FeatureId>(j));
      matrix.value.push_back(dense(row, j));
    }
    matrix.end_row();
  }
  return matrix;
}

bool all_finite(const Matrix<double>& numbers) {
  return std::ranges::all_of(numbers.values(), [](double number) { return std::isfinite(number); });
}

BinaryMatrix reached(const Matrix<double>& scores, const std::vector<double>& thresholds) {
  BinaryMatrix labels{.cols = scores.cols()};
  for (Index row = 0; row < scores.rows(); ++row) {
    for (Index label = 0; label < scores.cols(); ++label) {
      if (scores(row, label) >= thresholds[static_cast<std::size_t>(label)]) {
        labels.column.push_back(static_cast<LabelId>(label));
      }
    }
    labels.end_row();
  }
  return labels;
}

/// Scores are finite, those of a row do not depend on the rows beside it, and the labels predicted
/// are those whose scores reach their thresholds.
void score(const Model& model, const Features& x) {
  std::optional<Matrix<double>> together;
  if (!accepted([&] { together = model.scores(x, kOneThread); })) return;
  require(together->rows() == x.rows() && together->cols() == model.labels(),
          "scores have another shape");
  require(all_finite(*together), "a score is not finite");
  Scorer scorer(model, kOneThread);
  Matrix<double> alone(1, model.labels());
  for (Index row = 0; row < x.rows(); ++row) {
    scorer.scores(x, row, row + 1, alone);
    require(std::ranges::equal(alone.row(0), together->row(row)),
            "the scores of a row depend on other rows");
  }
  require(model.predict(x, kOneThread) == reached(*together, model.contents().thresholds),
          "other labels are predicted than those whose scores reach their thresholds");
  std::optional<Matrix<double>> linear;
  if (accepted([&] { linear = model.linear_scores(x, kOneThread); })) {
    require(all_finite(*linear), "a linear score is not finite");
  }
}

}  // namespace

void model(std::string_view input) {
  // Of its own, so that the address sanitizer sees a read beyond its end.
  const std::string bytes(input);
  std::optional<Model> loaded;
  if (!accepted([&] { loaded = Model::from_bytes(bytes, "input"); })) return;
  const std::string written = loaded->to_bytes();
  const Model again = Model::from_bytes(written, "written");
  require(again.contents() == loaded->contents(), "a model changes when it is saved and loaded");
  require(again.to_bytes() == written, "a model is not saved as the same bytes again");
  json_text(loaded->contents().report);
  if (loaded->features() > kMostFeatures) return;
  const Matrix<double> rows = rows_of(loaded->features());
  score(*loaded, Features(sparse(rows)));
  score(*loaded, Features(rows));
}

}  // namespace mugrad::fuzz
