// SPDX-License-Identifier: MIT
#pragma once

#include "method/common/option_list.h"

#include <mugrad/data/scaling.h>
#include <mugrad/method/mgd.h>
#include <mugrad/model/head.h>

namespace mugrad {

// What methods have in common is called and explained the same everywhere.

void list_rho(double& rho, OptionList& list);
void list_weka_ridge(bool& weka_ridge, OptionList& list);
/// Weka's ridge, over the sum of the losses.
inline constexpr double kWekaRidge = 1e-8;
/// The rho per example that it is for so many.
double weka_rho(double examples) noexcept;
void list_scaling(ScalingKind& scaling, OptionList& list);
/// Of scores in [0, 1].
void list_threshold(double& threshold, OptionList& list);
/// Of scores without bounds.
void list_linear_threshold(double& threshold, OptionList& list);
void list_vote(Vote& vote, OptionList& list);
void list_labelset_score(LabelsetScore& score, OptionList& list);
void list_solving(double& tolerance, Index& max_iterations, OptionList& list);
void list_iterations(Index& max_iterations, OptionList& list);
void list_precision(Precision& precision, OptionList& list);

}  // namespace mugrad
