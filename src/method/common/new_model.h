// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/dataset.h>
#include <mugrad/data/scaling.h>
#include <mugrad/method/method.h>
#include <mugrad/model/model.h>

#include <span>
#include <string_view>

namespace mugrad {

/// Throws InputError for data that no method can be trained on: without examples, features or
/// labels, with labels both there and unknown, or with weights of examples that are none.
void check_trainable(const Dataset& data);
/// Throws InputError for weights that are not one finite number >= 0 per example, or are all 0;
/// `data` is what messages call the examples.
void check_weights(std::span<const double> weights, Index rows, std::string_view data);
/// Throws UsageError for data whose examples have weights, which `method` cannot use.
void check_unweighted(const Dataset& data, std::string_view method);
/// The same, and for data with unknown labels, which `method` cannot use.
void check_fully_labelled(const Dataset& data, std::string_view method);

/// A model's contents as far as they do not depend on what is learned: names, scaling, options and
/// thresholds, no relations. Weights, intercepts, head and the rest of the report are to be filled
/// in.
ModelContents new_model(const Dataset& data, std::string_view method, const OptionValues& options,
                        Scaling scaling, double threshold);

}  // namespace mugrad
