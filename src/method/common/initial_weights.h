// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/representation.h>
#include <mugrad/linalg/matrix.h>
#include <mugrad/model/model.h>

#include <span>
#include <string>
#include <vector>

namespace mugrad {

/// The training that starts from the weights of a model.
struct Successor {
  Index features = 0;
  Index labels = 0;
  const std::vector<std::string>& feature_names;  ///< empty: unknown
  const std::vector<std::string>& label_names;    ///< empty: unknown
  RepresentationKind representation = RepresentationKind::zscore;
  Link link = Link::logistic;
  std::span<const TermBlock> term_blocks = {};
};

/// Throws UsageError if training cannot start from the model: its features, texts or labels differ,
/// it does not have one linear score per label with this link, it has Gaussian features, or one of
/// two different representations scales rows to one length.
void check_initial(const Model& model, const Successor& successor);

/// Throws the UsageError for a start with Gaussian features, whose centres are drawn anew.
[[noreturn]] void throw_gaussian_start();

/// By what weights_under multiplies the weights of each feature.
std::vector<double> weight_ratios(const Representation& from, const Representation& to);

/// The weights of a model, (features + 1) x labels with the intercepts in row 0, converted to
/// another representation: the scores of all examples are unchanged, except that under tfidf and in
/// texts the length of a row depends on the weights of terms. A feature that is constant in the new
/// representation is absorbed by the intercepts. Requires: as check_initial.
Matrix<double> weights_under(const Model& model, const Representation& representation);

}  // namespace mugrad
