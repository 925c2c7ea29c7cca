// SPDX-License-Identifier: MIT
#pragma once

#include "data/formats/table/encoding_plan.h"

namespace mugrad::formats {

/// What a model keeps of a plan; empty if the names of features say everything.
TableEncoding described(const std::vector<FeatureColumn>& columns, const EncodingPlan& plan,
                        const TableColumns& table, const ReadOptions& options);

/// Whether terms of these rows are to join those of the model.
bool learns_terms(const ReadOptions& options);

/// The plan that makes the features of a model, and those of new terms if these are to be learned.
/// Requires: the options have its encoding and its names of features. Throws InputError if these do
/// not fit each other, and for terms to be learned from rows that are read in blocks.
EncodingPlan plan_of_model(const SurveyedRows& rows, const ReadOptions& options);

}  // namespace mugrad::formats
