// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/dataset.h>
#include <mugrad/data/representation.h>
#include <mugrad/method/method.h>
#include <mugrad/model/model.h>

#include <span>
#include <string_view>

namespace mugrad {

/// Throws InputError for data that no method can be trained on: without examples, features or
/// labels, with labels that are both present and unknown, or with invalid texts or weights of
/// examples.
void check_trainable(const Dataset& data);
/// Throws InputError unless weights are one finite number >= 0 per example, not all 0; `data` is
/// the name of the examples in messages.
void check_weights(std::span<const double> weights, Index rows, std::string_view data);
/// Throws UsageError if the examples have weights, which `method` does not support.
void check_unweighted(const Dataset& data, std::string_view method);
/// Calls check_trainable, then throws InputError if a label is unknown, which `method` does not
/// support.
void check_fully_labelled(const Dataset& data, std::string_view method);

/// The part of a model's contents that does not depend on training: names, scaling, options and
/// thresholds, no relations. The caller fills in weights, intercepts, head and the rest of the
/// report.
ModelContents new_model(const Dataset& data, std::string_view method, const OptionValues& options,
                        Representation representation, double threshold);

}  // namespace mugrad
