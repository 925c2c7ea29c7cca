// SPDX-License-Identifier: MIT
#include "fuzz/support.h"
#include "fuzz/targets.h"

#include <mugrad/model/model.h>
#include <mugrad/model/scorer.h>

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

namespace mugrad::fuzz {
namespace {

constexpr Threads kOneThread{.count = 1};
/// Models of more features are loaded, but not scored: an input of a few kilobytes has them only
/// where weights have no columns.
constexpr Index kMostFeatures = 1 << 16;

/// Rows of small, large and missing numbers, a sparse and a dense one of each.
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

/// A row's scores depend neither on the rows beside it nor on how it is stored.
void score(const Model& model) {
  const Features dense(rows_of(model.features()));
  const Features stored_sparse(sparse(dense.dense()));
  std::optional<Matrix<double>> together;
  if (!accepted([&] { together = model.scores(dense, kOneThread); })) return;
  require(together->rows() == dense.rows() && together->cols() == model.labels(),
          "scores have another shape");
  Scorer scorer(model, kOneThread);
  Matrix<double> alone(1, model.labels());
  const auto same = [](double a, double b) {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (a != a && b != b);
  };
  for (Index row = 0; row < dense.rows(); ++row) {
    scorer.scores(dense, row, row + 1, alone);
    require(std::ranges::equal(alone.row(0), together->row(row), same),
            "the scores of a row depend on other rows");
  }
  accepted([&] { model.scores(stored_sparse, kOneThread); });
  accepted([&] { model.predict(dense, kOneThread); });
  accepted([&] { model.linear_scores(dense, kOneThread); });
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
  if (loaded->features() <= kMostFeatures) score(*loaded);
}

}  // namespace mugrad::fuzz
