// SPDX-License-Identifier: MIT
#include "data/gaussian_expansion.h"

#include "linalg/pass/kernels.h"
#include "linalg/scaled_rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace mugrad {
namespace {

constexpr Index kLines = 8;  // eight vectors side by side hide the latency of an addition

Matrix<double> transposed(const Matrix<double>& matrix) {
  Matrix<double> result(matrix.cols(), matrix.rows());
  for (Index i = 0; i < matrix.rows(); ++i) {
    for (Index j = 0; j < matrix.cols(); ++j) result(j, i) = matrix(i, j);
  }
  return result;
}

FeatureTransform zscores_of(const Representation& representation) {
  return feature_transform({.kind = RepresentationKind::zscore,
                            .mean = representation.mean,
                            .deviation = representation.deviation});
}

void make_room(Index size, AlignedBuffer<double>& buffer) {
  if (buffer.size() < size) buffer = AlignedBuffer<double>(size);
}

}  // namespace

PackedMatrix::PackedMatrix(const Matrix<double>& matrix)
    : rows_(matrix.rows()),
      panels_(Panels::cut(matrix.cols(), kLine<double>, kLines)),
      entries_(matrix.rows() * panels_.padded()),
      zeros_(kLines * kLine<double>),
      every_row_(as_size(matrix.rows())) {
  std::iota(every_row_.begin(), every_row_.end(), 0);
  double* to = entries_.data();
  for (Index panel = 0; panel < panels_.count; ++panel) {
    Index height = 0;
    for (Index i = 0; i < rows_; ++i, to += panels_.width(panel)) {
      std::copy_n(matrix.row(i).data() + panels_.first(panel), panels_.filled(panel), to);
      if (std::any_of(to, to + panels_.filled(panel), [](double x) { return x != 0; }))
        height = i + 1;
    }
    heights_.push_back(height);
  }
}

void PackedMatrix::multiply(Index count, const double* a, Index distance,
                            double* out) const noexcept {
  for (Index panel = 0; panel < panels_.count; ++panel) {
    const Index first = panels_.first(panel);
    const std::array<Index, 2> starts = {0, heights_[as_size(panel)]};
    for (Index row = 0; row < count; ++row) {
      multiply_rows({1, starts.data(), every_row_.data(), a + row * distance},
                    entries_.data() + rows_ * first, zeros_.data(), panels_.width(panel),
                    out + row * stride() + first);
    }
  }
}

GaussianExpansion::GaussianExpansion(const Representation& representation)
    : features_(std::ssize(representation.mean)),
      zscores_(zscores_of(representation)),
      decay_(representation.gaussian.decay),
      squared_lengths_(squared_lengths(representation.gaussian.centres)),
      centres_(transposed(representation.gaussian.centres)),
      projection_(representation.gaussian.projection) {}

double GaussianExpansion::bytes(Index features, Index centres) noexcept {
  return static_cast<double>(features + centres) * static_cast<double>(centres) * sizeof(double);
}

void GaussianExpansion::expand(const Features& x, Index begin, Index end, double* out,
                               Scratch& scratch) const {
  const Index count = end - begin;
  const Index centres = projection_.cols();
  make_room(count * features_, scratch.z);
  make_room(count * centres_.stride(), scratch.similarities);
  make_room(count * projection_.stride(), scratch.products);
  scratch.squared_lengths.assign(as_size(count), 0);
  for (Index i = 0; i < count; ++i) {
    double* const row = out + i * features();
    double* const z = scratch.z.data() + i * features_;
    std::fill_n(row, features_, 0.0);
    x.for_each_in_row(begin + i, [&](FeatureId k, double value) { row[k] = value; });
    for (Index k = 0; k < features_; ++k) {
      z[k] = (row[k] - zscores_.shift[as_size(k)]) * zscores_.factor[as_size(k)];
      scratch.squared_lengths[as_size(i)] += z[k] * z[k];
    }
  }
  centres_.multiply(count, scratch.z.data(), features_, scratch.similarities.data());
  for (Index i = 0; i < count; ++i) {
    double* const row = scratch.similarities.data() + i * centres_.stride();
    for (Index j = 0; j < centres; ++j) {
      const double distance =
          scratch.squared_lengths[as_size(i)] - 2 * row[j] + squared_lengths_[as_size(j)];
      row[j] = std::isfinite(distance) ? std::exp(-decay_ * std::max(0.0, distance)) : 0;
    }
  }
  projection_.multiply(count, scratch.similarities.data(), centres_.stride(),
                       scratch.products.data());
  for (Index i = 0; i < count; ++i) {
    std::copy_n(scratch.products.data() + i * projection_.stride(), centres,
                out + i * features() + features_);
  }
}

}  // namespace mugrad
