// SPDX-License-Identifier: MIT
#include "method/squares/squares_options.h"

#include <fmt/format.h>

namespace mugrad {

void list_relation(double& relation, OptionList& list) {
  list.number("relation", relation, "How similar the weights of labels that occur together are",
              {.at_least = 0});
}

void list_sparsity(double& sparsity, OptionList& list) {
  list.number("sparsity", sparsity, "L1 strength, over the sum of the losses", {.at_least = 0});
}

void list_ridge(double& ridge, OptionList& list) {
  list.number("ridge", ridge, "L2 strength of the initial ridge regression", {.above = 0});
}

void list_indefinite(bool& indefinite, OptionList& list) {
  list.flag("indefinite", indefinite,
            "Use the authors' relation 1 - cosine, for which there may be no minimum");
}

void list_parity(bool& parity, OptionList& list) {
  list.flag("parity", parity,
            "Reproduce the authors' program step by step; overrides indefinite, zero-diagonal, "
            "objective-tolerance and iterations");
}

void list_objective_stopping(double& tolerance, Index& max_iterations, OptionList& list) {
  list.number("objective-tolerance", tolerance,
              "Stop when the objective decreases by at most this share",
              {.at_least = 0, .below = 1});
  list.was("tolerance");
  list_iterations(max_iterations, list);
}

std::optional<std::string> overruled_warning(const OptionValues& initial, const OptionValues& given,
                                             const OptionValues& used) {
  std::string overruled;
  for (const auto& [name, text] : given) {
    if (text == initial.at(name) || text == used.at(name)) continue;
    overruled +=
        fmt::format("{}{} {} by {}", overruled.empty() ? "" : ", ", name, text, used.at(name));
  }
  if (overruled.empty()) return std::nullopt;
  return fmt::format("parity overrides {}", overruled);
}

}  // namespace mugrad
