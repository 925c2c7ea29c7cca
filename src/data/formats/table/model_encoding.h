// SPDX-License-Identifier: MIT
#pragma once

#include "data/formats/table/encoding_plan.h"

namespace mugrad::formats {

/// What a model keeps of a plan; empty if the names of features say everything.
TableEncoding described(const std::vector<FeatureColumn>& columns, const EncodingPlan& plan,
                        const TableColumns& table, const ReadOptions& options);

/// The plan that makes the features of a model. Requires: the options have its encoding and its
/// names of features. Throws InputError if these do not fit each other.
EncodingPlan plan_of_model(const ValueSurvey& survey, const ReadOptions& options);

}  // namespace mugrad::formats
