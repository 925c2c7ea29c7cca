// SPDX-License-Identifier: MIT
#include "method/common/common_options.h"

namespace mugrad {

void list_rho(double& rho, OptionList& list) {
  list.number("rho", rho, "L2 strength, per example", {.at_least = 0});
}

void list_weka_ridge(bool& weka_ridge, OptionList& list) {
  list.flag("weka-ridge", weka_ridge,
            "Use Weka's ridge of 1e-8 over the sum of the losses instead of rho");
}

double weka_rho(double examples) noexcept { return 2 * kWekaRidge / (examples > 0 ? examples : 1); }

void list_representation(RepresentationKind& representation, GaussianOptions& gaussian,
                         OptionList& list) {
  list.choice("representation", representation, "How features are represented",
              representation_kinds(), representation_named);
  list.was("scaling");
  list.whole("centres", gaussian.centres,
             "Number of examples that Gaussian features are centred at, at most all",
             {.at_least = 1, .at_most = 30000});
  list.number(
      "width", gaussian.width,
      "w of Gaussian features exp(-w |x - c|^2 / D), where D is the median squared distance",
      {.at_most = 1e6, .above = 0});
}

void list_text_weight(double& text_weight, OptionList& list) {
  list.number("text-weight", text_weight,
              "Share of each text in the variance, as a multiple of that of the other features",
              {.at_most = kMostTextWeight, .above = 0});
}

void list_threshold(double& threshold, OptionList& list) {
  list.number("threshold", threshold, "Predict labels that score at least this",
              {.at_least = 0, .at_most = 1});
}

void list_linear_threshold(double& threshold, OptionList& list) {
  list.number("threshold", threshold, "Predict labels that score at least this");
}

void list_vote(Vote& vote, OptionList& list) {
  list.choice("vote", vote, "The vote of each chain or pair of labels",
              {Vote::probability, Vote::label}, vote_named);
}

void list_labelset_score(LabelsetScore& score, OptionList& list) {
  list.choice("score", score, "How scores of labels follow from classes of labelsets",
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
  list.whole("iterations", max_iterations, "Maximum number of iterations of each label",
             {.at_least = 1});
}

void list_precision(Precision& precision, OptionList& list) {
  list.choice("precision", precision, "Precision of the weights",
              {Precision::single_precision, Precision::double_precision}, precision_named);
}

}  // namespace mugrad
