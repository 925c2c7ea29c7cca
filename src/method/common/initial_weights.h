// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/scaling.h>
#include <mugrad/linalg/matrix.h>
#include <mugrad/model/model.h>

#include <string>
#include <vector>

namespace mugrad {

/// What is to be trained from the weights of a model.
struct Successor {
  Index features = 0;
  Index labels = 0;
  const std::vector<std::string>& feature_names;  ///< empty: not known
  const std::vector<std::string>& label_names;    ///< the same
  ScalingKind scaling = ScalingKind::zscore;
  Link link = Link::logistic;
};

/// Throws UsageError where training cannot start at the model: it has other features or labels, is
/// no model of one linear score per label under this link, or is for rows of unit length where the
/// other is not.
void check_initial(const Model& model, const Successor& successor);

/// The weights of a model, (features + 1) x labels with the intercepts in row 0, for features
/// scaled in another way: the scores of every example stay what they are. A feature that is
/// constant in the new scaling is left to the intercepts. Requires: as check_initial.
Matrix<double> weights_under(const Model& model, const Scaling& scaling);

}  // namespace mugrad
