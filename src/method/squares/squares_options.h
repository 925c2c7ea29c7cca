// SPDX-License-Identifier: MIT
#pragma once

#include "method/common/common_options.h"
#include "method/common/method_of.h"

#include <optional>
#include <string>

namespace mugrad {

// Options shared by the methods with sparse linear functions: LLSF, LLSF-DL, JFSC.

void list_relation(double& relation, OptionList& list);
void list_sparsity(double& sparsity, OptionList& list);
void list_ridge(double& ridge, OptionList& list);
void list_indefinite(bool& indefinite, OptionList& list);
void list_parity(bool& parity, OptionList& list);
void list_objective_stopping(double& tolerance, Index& max_iterations, OptionList& list);

/// Warns of chosen values, other than defaults, that were not used. Each: name, chosen, used.
std::optional<std::string> overruled_warning(const OptionValues& initial, const OptionValues& given,
                                             const OptionValues& used);
/// The same for the options of a method that parity may override.
template <class Options>
std::optional<std::string> overruled_warning(const Options& given, const Options& used) {
  return overruled_warning(options_text(Options{}), options_text(given), options_text(used));
}

}  // namespace mugrad
