// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/types.h>
#include <mugrad/linalg/features.h>
#include <mugrad/linalg/matrix.h>

#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace mugrad {

/// How features are represented in training and, with the same statistics, in prediction.
enum class RepresentationKind {
  zscore,  ///< (x - mean) / deviation per feature; a constant feature becomes 0
  none,    ///< as they are
  /// Every row scaled to the length sqrt(10 sqrt(p)), where p features occur in training; a zero
  /// row stays zero. With this length, penalties that suit z-scores suit unit rows as well.
  unit,
  /// Values times ln((1 + n) / (1 + df)) + 1, where df of the n training rows have the feature;
  /// then scaled as `unit`.
  tfidf,
  unit_row,  ///< every row divided by its length
  /// 0.3 times the z-scores, and beside them Gaussian features: similarities to examples.
  gaussian,
};

/// All kinds, in the order of presentation.
std::span<const RepresentationKind> representation_kinds();
std::string_view to_string(RepresentationKind kind);
/// Throws UsageError listing the valid names.
RepresentationKind representation_named(std::string_view name);

/// How Gaussian features are made.
struct GaussianOptions {
  /// How many training examples are drawn as centres, at most all of them; in [1, 30000].
  Index centres = 1500;
  /// w in exp(-w |x - c|^2 / D), where D is the median squared distance of two training examples,
  /// z-scored; in (0, 1e6].
  double width = 1;

  bool operator==(const GaussianOptions&) const = default;
};

/// Gaussian features g(x) of a z-scored row x: k(x) projection, where k_j(x) = exp(-decay |x -
/// c_j|^2) for the centres c_j. The projection is f U^(-1), where U'U is the Cholesky decomposition
/// of the matrix of the k(c_i), with 1e-6 added to its diagonal, and f makes the variances of the
/// features sum to those of the z-scores. Up to a rotation, which an L2 penalty does not see, these
/// are the features of Nystroem's method.
struct GaussianFeatures {
  Matrix<double> centres = {};     ///< z-scored training examples, one per row
  Matrix<double> projection = {};  ///< centres x centres
  double decay = 0;                ///< w / D

  bool operator==(const GaussianFeatures&) const = default;
};

/// A kind of representation with its statistics. Without texts, it is that of whole rows. Otherwise
/// the terms of each text are tf-idf of one length, whatever the kind, and the kind is that of the
/// other features, beside them. Every block, a text or the other features together, then has an
/// equal share of the square of the length of `unit`, or of 1 for unit_row: as the squared length
/// of its part of a row, or as the sum of variances for zscore and none. Blocks that are constant
/// have no share. A `text_weight` other than 1 makes the share of a text so many times that of the
/// other features.
struct Representation {
  RepresentationKind kind = RepresentationKind::zscore;
  std::vector<double> mean = {};  ///< of each feature in the training part, for every kind
  /// Square root of the mean squared deviation; 0 for a constant feature.
  std::vector<double> deviation = {};
  /// Of each feature, for tfidf and with texts, 1 where neither applies; else empty.
  std::vector<double> term_weight = {};
  double row_length = 0;                    ///< for unit, tfidf and unit_row; else 0
  GaussianFeatures gaussian = {};           ///< for gaussian; else empty
  std::vector<TermBlock> term_blocks = {};  ///< as in Dataset
  double text_length = 0;                   ///< of the part of a row in a text; 0 without texts
  double beside_texts = 1;                  ///< factor of other features, for zscore and none

  bool operator==(const Representation&) const = default;
};

/// Whether rows of this kind all have the same length.
bool has_row_length(RepresentationKind kind) noexcept;

/// Whether tuning should try this kind on such features, which should be the training part: unit
/// rows and tf-idf only if most values are zero, Gaussian features only if not. Beside texts these
/// are z-scores and features as they are, and the latter beside texts alone.
bool suits(RepresentationKind kind, const Features& x, std::span<const TermBlock> term_blocks = {});

/// The number of features of a represented row: those of the data, and one per centre.
Index represented_features(const Representation& representation) noexcept;

/// Throws UsageError for Gaussian features of texts.
void check_representable(RepresentationKind kind, std::span<const TermBlock> term_blocks);

/// Computes the statistics of `x`, which should be the training part only. `row_weights` are >= 0
/// and not all 0; empty: all 1. Gaussian features are not included; training adds them. Throws as
/// check_representable does. Requires: text_weight > 0.
Representation fit_representation(const Features& x, RepresentationKind kind,
                                  std::span<const double> row_weights = {},
                                  std::span<const TermBlock> term_blocks = {},
                                  double text_weight = 1);

/// Replaces one number per column of the local rows by that of all rows.
using AcrossParts = std::function<void(std::span<double>)>;

/// Combines statistics with rows that are stored elsewhere.
struct OtherRows {
  AcrossParts sum = {}, least = {}, largest = {};
};
/// The same over these and the other rows. Every holder of rows must call it.
Representation fit_representation(const Features& x, RepresentationKind kind,
                                  std::span<const double> row_weights, const OtherRows& others,
                                  std::span<const TermBlock> term_blocks = {},
                                  double text_weight = 1);

/// The transformation of a feature matrix into this representation. Rows with Gaussian features are
/// transformed once these follow their own features.
FeatureTransform feature_transform(const Representation& representation);

/// The rows in this representation, for learners that do not represent rows themselves. They are
/// sparse if `x` is, unless every column is shifted (z-scores without texts). Requires: one column
/// per feature. Throws UsageError for Gaussian features, and MemoryError.
Features represented(const Features& x, const Representation& representation);

}  // namespace mugrad
