// SPDX-License-Identifier: MIT
#include "method/common/common_options.h"

#include <algorithm>

namespace mugrad {

void list_rho(double& rho, OptionList& list) {
  list.number("rho", rho, "L2 strength, per example", {.at_least = 0});
}

void list_weka_ridge(bool& weka_ridge, OptionList& list) {
  list.flag("weka-ridge", weka_ridge,
            "Weka's ridge of 1e-8 over the sum of the losses instead of rho");
}

double weka_rho(double examples) noexcept { return 2 * kWekaRidge / (examples > 0 ? examples : 1); }

void list_scaling(ScalingKind& scaling, OptionList& list) {
  list.choice("scaling", scaling, "How features are scaled",
              {ScalingKind::zscore, ScalingKind::none, ScalingKind::unit_row}, scaling_named);
}

void list_threshold(double& threshold, OptionList& list) {
  list.number("threshold", threshold, "A label is predicted at this score",
              {.at_least = 0, .at_most = 1});
}

void list_linear_threshold(double& threshold, OptionList& list) {
  list.number("threshold", threshold, "A label is predicted at this score");
}

void list_vote(Vote& vote, OptionList& list) {
  list.choice("vote", vote, "What each chain or pair of labels votes with",
              {Vote::probability, Vote::label}, vote_named);
}

void list_labelset_score(LabelsetScore& score, OptionList& list) {
  list.choice("score", score, "How classes of labelsets become scores of labels",
              {LabelsetScore::marginal, LabelsetScore::votes, LabelsetScore::confidence},
              labelset_score_named);
}

void list_solving(double& tolerance, Index& max_iterations, OptionList& list) {
  list.number("tolerance", tolerance,
              "Stop when the residual has fallen to this share of its first value",
              {.at_least = 0, .below = 1});
  list_iterations(max_iterations, list);
}

void list_iterations(Index& max_iterations, OptionList& list) {
  list.whole("iterations", max_iterations, "Iterations at the most; no label takes more",
             {.at_least = 1});
}

void list_precision(Precision& precision, OptionList& list) {
  list.choice("precision", precision, "Of the weights",
              {Precision::single_precision, Precision::double_precision}, precision_named);
}

}  // namespace mugrad
