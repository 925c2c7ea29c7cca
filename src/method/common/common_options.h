// SPDX-License-Identifier: MIT
#pragma once

#include "method/common/option_list.h"

#include <mugrad/data/representation.h>
#include <mugrad/method/mgd.h>
#include <mugrad/model/head.h>

namespace mugrad {

// Options that several methods share; names and help are the same everywhere.

void list_rho(double& rho, OptionList& list);
void list_weka_ridge(bool& weka_ridge, OptionList& list);
/// Weka's ridge, over the sum of the losses.
inline constexpr double kWekaRidge = 1e-8;
/// The rho per example that equals this ridge for this many examples.
double weka_rho(double examples) noexcept;
/// With the options of Gaussian features.
void list_representation(RepresentationKind& representation, GaussianOptions& gaussian,
                         OptionList& list);
inline constexpr double kMostTextWeight = 1e6;
/// How texts and other features are balanced.
void list_text_weight(double& text_weight, OptionList& list);
/// For scores in [0, 1].
void list_threshold(double& threshold, OptionList& list);
/// For unbounded scores.
void list_linear_threshold(double& threshold, OptionList& list);
void list_vote(Vote& vote, OptionList& list);
void list_labelset_score(LabelsetScore& score, OptionList& list);
void list_solving(double& tolerance, Index& max_iterations, OptionList& list);
void list_iterations(Index& max_iterations, OptionList& list);
void list_precision(Precision& precision, OptionList& list);

}  // namespace mugrad
