// SPDX-License-Identifier: MIT
#pragma once

#include "method/common/common_options.h"

#include <mugrad/data/dataset.h>
#include <mugrad/method/ecc.h>
#include <mugrad/method/method.h>

#include <string_view>

namespace mugrad {

/// The model of an ensemble of chains as `method` with its options as text; one chain is an
/// ensemble of one member without sampling. Requires: options in range.
Model fit_chains(const Dataset& data, std::string_view method, const OptionValues& text,
                 const EccOptions& options, Progress* progress);

/// The memory that takes besides the data, when it takes most.
MemoryNeed memory_need(const DataShape& shape, const EccOptions& options);

/// The options that one chain and an ensemble end with.
template <class Options>
void list_chain(Options& options, OptionList& list) {
  list.flag("random-order", options.random_order,
            "Chains in a random order instead of that of the data");
  list_representation(options.representation, options.gaussian, list);
  list_text_weight(options.text_weight, list);
  list_threshold(options.threshold, list);
  list_solving(options.tolerance, options.max_iterations, list);
  list.seed(options.seed);
  list_precision(options.precision, list);
}

}  // namespace mugrad
