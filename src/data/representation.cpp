// SPDX-License-Identifier: MIT
#include "core/names.h"
#include "linalg/row_weight.h"

#include <mugrad/core/error.h>
#include <mugrad/data/representation.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace mugrad {
namespace {

constexpr Name<RepresentationKind> kNames[] = {
    {RepresentationKind::zscore, "zscore"},     {RepresentationKind::none, "none"},
    {RepresentationKind::unit, "unit"},         {RepresentationKind::tfidf, "tfidf"},
    {RepresentationKind::unit_row, "unit-row"}, {RepresentationKind::gaussian, "gaussian"}};

/// The factor of z-scores beside Gaussian features.
constexpr double kBesideGaussian = 0.3;

/// Of each column, over all rows with positive weight.
struct ColumnExtents {
  std::vector<double> stored, least, largest;
  double rows = 0;

  /// A constant column has deviation exactly 0, whatever the rounding of its mean.
  bool is_constant(std::size_t column) const noexcept {
    return stored[column] == 0 || (stored[column] == rows && least[column] == largest[column]);
  }

  /// The power of two by which a column is scaled so that neither its sum nor its squares overflow
  /// or underflow a double: 1, unless values are near the limits.
  double unit(std::size_t column) const noexcept {
    constexpr int kOrdinary = 400, kMost = 1000;
    const double size = std::fmax(std::fabs(least[column]), std::fabs(largest[column]));
    if (stored[column] == 0 || size == 0 || !std::isfinite(size)) return 1;
    const int exponent = std::ilogb(size);
    if (std::abs(exponent) <= kOrdinary) return 1;
    return std::ldexp(1.0, std::clamp(-exponent, -kMost, kMost));
  }
};

ColumnExtents extents_of(const Features& x, std::span<const double> row_weights,
                         const OtherRows& others) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  const auto columns = as_size(x.cols());
  ColumnExtents extents{.stored = std::vector<double>(columns, 0),
                        .least = std::vector<double>(columns, kNone),
                        .largest = std::vector<double>(columns, -kNone)};
  for (Index row = 0; row < x.rows(); ++row) {
    if (weight_of(row_weights, row) == 0) continue;
    ++extents.rows;
    x.for_each_in_row(row, [&](FeatureId column, double value) {
      const auto k = as_size(column);
      ++extents.stored[k];
      if (value < extents.least[k]) extents.least[k] = value;
      if (value > extents.largest[k]) extents.largest[k] = value;
    });
  }
  others.sum({&extents.rows, 1});
  others.sum(extents.stored);
  others.least(extents.least);
  others.largest(extents.largest);
  return extents;
}

/// The length of rows whose parts all have one, where `features` occur.
double length_of_rows(RepresentationKind kind, std::ptrdiff_t features) {
  if (kind == RepresentationKind::unit_row) return 1;
  return std::sqrt(10 * std::sqrt(static_cast<double>(std::max<std::ptrdiff_t>(1, features))));
}

/// Calls fn for each feature that is in no text.
template <class Function>
void for_each_beside(std::span<const TermBlock> texts, std::size_t features, const Function& fn) {
  std::size_t k = 0;
  for (const TermBlock& text : texts) {
    for (; k < as_size(text.first); ++k) fn(k);
    k = as_size(text.first + text.count);
  }
  for (; k < features; ++k) fn(k);
}

/// ln((1 + n) / (1 + df)) + 1 of each feature, where df of the n rows have it.
std::vector<double> document_weights(const std::vector<double>& present, double rows) {
  std::vector<double> weights;
  weights.reserve(present.size());
  for (const double rows_with : present)
    weights.push_back(std::log((1 + rows) / (1 + rows_with)) + 1);
  return weights;
}

/// The square root of the sum of squares, which may overflow.
double length_of(const std::vector<double>& numbers) {
  const double largest = numbers.empty() ? 0 : std::ranges::max(numbers);
  if (largest == 0) return 0;
  double squares = 0;
  for (const double number : numbers) squares += (number / largest) * (number / largest);
  return largest * std::sqrt(squares);
}

/// Gives every text that is not constant `text_weight` times the share of the squared length of
/// rows that the other features have together.
void add_texts(std::span<const TermBlock> texts, double text_weight,
               const std::vector<double>& present, double length, Representation& representation) {
  const bool has_length = has_row_length(representation.kind);
  std::vector<double> spread;  // of the other features, as represented
  for_each_beside(texts, present.size(), [&](std::size_t k) {
    const double deviation = representation.deviation[k];
    const bool is_there = has_length ? present[k] > 0 : deviation > 0;
    const bool keeps_deviation = representation.kind == RepresentationKind::none;
    if (is_there) spread.push_back(keeps_deviation ? deviation : 1);
    if (representation.kind != RepresentationKind::tfidf) representation.term_weight[k] = 1;
  });
  double shares = spread.empty() ? 0 : 1;
  for (const TermBlock& text : texts) {
    const auto rows_with = std::span(present).subspan(as_size(text.first), as_size(text.count));
    if (std::ranges::any_of(rows_with, [](double rows) { return rows > 0; })) shares += text_weight;
  }
  const double beside = length / std::sqrt(shares > 0 ? shares : 1);
  representation.term_blocks.assign(texts.begin(), texts.end());
  representation.text_length = beside * std::sqrt(text_weight);
  if (has_length) {
    representation.row_length = beside;
  } else if (!spread.empty()) {
    representation.beside_texts = beside / length_of(spread);
  }
}

/// The parts of rows that have one length.
ScaledParts parts_of(const Representation& representation) {
  const bool has_length = has_row_length(representation.kind) && representation.row_length > 0;
  const auto& texts = representation.term_blocks;
  if (texts.empty())
    return has_length ? ScaledParts::whole(representation.row_length) : ScaledParts{};
  ScaledParts parts{.length = std::vector<double>(texts.size(), representation.text_length)};
  const Index beside = has_length ? std::ssize(texts) : ScaledParts::kNone;
  for (std::size_t text = 0; text < texts.size(); ++text) {
    parts.runs.push_back({.end = texts[text].first, .part = beside});
    parts.runs.push_back({.end = texts[text].first + texts[text].count, .part = as_index(text)});
  }
  if (!has_length) return parts;
  parts.runs.push_back({.end = std::ssize(representation.mean), .part = beside});
  parts.length.push_back(representation.row_length);
  return parts;
}

}  // namespace

bool has_row_length(RepresentationKind kind) noexcept {
  return kind == RepresentationKind::unit || kind == RepresentationKind::tfidf ||
         kind == RepresentationKind::unit_row;
}

Index represented_features(const Representation& representation) noexcept {
  return std::ssize(representation.mean) + representation.gaussian.centres.rows();
}

bool suits(RepresentationKind kind, const Features& x, std::span<const TermBlock> term_blocks) {
  Index terms = 0;
  for (const TermBlock& text : term_blocks) terms += text.count;
  if (kind == RepresentationKind::zscore) return true;
  if (kind == RepresentationKind::none) return terms > 0 && terms < x.cols();
  if (terms > 0) return false;
  const bool is_gaussian = kind == RepresentationKind::gaussian;
  constexpr double kMostlyZero = 0.2;  // largest share of values that are not zero
  const double values = static_cast<double>(x.rows()) * static_cast<double>(x.cols());
  const bool is_mostly_zero = static_cast<double>(x.nonzeros()) < kMostlyZero * values;
  return is_mostly_zero != is_gaussian;
}

std::span<const RepresentationKind> representation_kinds() {
  static const auto kinds = [] {
    std::array<RepresentationKind, std::size(kNames)> all{};
    std::ranges::transform(kNames, all.begin(), &Name<RepresentationKind>::value);
    return all;
  }();
  return kinds;
}

std::string_view to_string(RepresentationKind kind) {
  return name_of<RepresentationKind>(kNames, kind);
}

RepresentationKind representation_named(std::string_view name) {
  return named<RepresentationKind>(kNames, name, "representation");
}

void check_representable(RepresentationKind kind, std::span<const TermBlock> term_blocks) {
  if (kind != RepresentationKind::gaussian || term_blocks.empty()) return;
  throw UsageError(fmt::format(
      "the representation '{}' is not for data with texts, which would make its rows dense: choose "
      "another, such as '{}'",
      to_string(kind), to_string(RepresentationKind::zscore)));
}

Representation fit_representation(const Features& x, RepresentationKind kind,
                                  std::span<const double> row_weights,
                                  std::span<const TermBlock> term_blocks, double text_weight) {
  const auto as_it_is = [](std::span<double>) {};
  return fit_representation(x, kind, row_weights,
                            {.sum = as_it_is, .least = as_it_is, .largest = as_it_is}, term_blocks,
                            text_weight);
}

Representation fit_representation(const Features& x, RepresentationKind kind,
                                  std::span<const double> row_weights, const OtherRows& others,
                                  std::span<const TermBlock> term_blocks, double text_weight) {
  check_representable(kind, term_blocks);
  const auto columns = as_size(x.cols());
  Representation representation{.kind = kind,
                                .mean = std::vector<double>(columns, 0),
                                .deviation = std::vector<double>(columns, 0)};
  double rows = row_weights.empty() ? static_cast<double>(x.rows())
                                    : std::accumulate(row_weights.begin(), row_weights.end(), 0.0);
  others.sum({&rows, 1});
  if (rows == 0) return representation;
  const auto extents = extents_of(x, row_weights, others);
  std::vector<double> unit(columns, 1);
  for (std::size_t k = 0; k < columns; ++k) unit[k] = extents.unit(k);
  std::vector<double> stored(columns, 0);   // weight of rows with a stored entry
  std::vector<double> present(columns, 0);  // and with one that is not zero
  for (Index row = 0; row < x.rows(); ++row) {
    const double weight = weight_of(row_weights, row);
    if (weight == 0) continue;
    x.for_each_in_row(row, [&](FeatureId column, double value) {
      const auto k = as_size(column);
      representation.mean[k] += weight * (value * unit[k]);
      stored[k] += weight;
      if (value != 0) present[k] += weight;
    });
  }
  others.sum(representation.mean);
  others.sum(stored);
  others.sum(present);
  for (double& mean : representation.mean) mean /= rows;

  for (Index row = 0; row < x.rows(); ++row) {
    const double weight = weight_of(row_weights, row);
    if (weight == 0) continue;
    x.for_each_in_row(row, [&](FeatureId column, double value) {
      const auto k = as_size(column);
      const double distance = value * unit[k] - representation.mean[k];
      representation.deviation[k] += weight * (distance * distance);
    });
  }
  others.sum(representation.deviation);
  for (std::size_t k = 0; k < columns; ++k) {
    const double zeros = std::fmax(0, rows - stored[k]);
    const double squares =
        representation.deviation[k] + zeros * representation.mean[k] * representation.mean[k];
    representation.deviation[k] = extents.is_constant(k) ? 0 : std::sqrt(squares / rows) / unit[k];
    representation.mean[k] /= unit[k];
  }
  if (kind == RepresentationKind::tfidf || !term_blocks.empty()) {
    representation.term_weight = document_weights(present, rows);
  }
  const double length = length_of_rows(
      kind, std::ranges::count_if(present, [](double weight) { return weight > 0; }));
  if (has_row_length(kind)) representation.row_length = length;
  if (!term_blocks.empty()) {
    add_texts(term_blocks, text_weight, present, length, representation);
  }
  return representation;
}

FeatureTransform feature_transform(const Representation& representation) {
  FeatureTransform transform{.factor = representation.term_weight,
                             .parts = parts_of(representation)};
  const bool is_gaussian = representation.kind == RepresentationKind::gaussian;
  const bool is_shifted = representation.kind == RepresentationKind::zscore || is_gaussian;
  const bool has_factor = is_shifted || !representation.term_blocks.empty();
  if (has_row_length(representation.kind) || !has_factor) return transform;
  const auto features = as_size(represented_features(representation));
  const double beside = is_gaussian ? kBesideGaussian : representation.beside_texts;
  transform.factor.resize(features, 1);
  for_each_beside(representation.term_blocks, representation.mean.size(), [&](std::size_t k) {
    const double deviation = is_shifted ? representation.deviation[k] : 1;
    transform.factor[k] = deviation > 0 ? beside / deviation : 0;
    if (!is_shifted) return;
    if (transform.shift.empty()) transform.shift.resize(features, 0);
    transform.shift[k] = representation.mean[k];
  });
  return transform;
}

}  // namespace mugrad
