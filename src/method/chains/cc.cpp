// SPDX-License-Identifier: MIT
#include "method/chains/chain_model.h"
#include "method/chains/draw_bag.h"
#include "method/common/common_options.h"
#include "method/common/method_of.h"

#include <mugrad/method/cc.h>

namespace mugrad {

void list_options(CcOptions& options, OptionList& list) {
  list_rho(options.rho, list);
  list_weka_ridge(options.weka_ridge, list);
  list.flag("random-order", options.random_order,
            "Chains in a random order instead of that of the data");
  list_scaling(options.scaling, list);
  list_threshold(options.threshold, list);
  list_solving(options.tolerance, options.max_iterations, list);
  list.seed(options.seed);
  list_precision(options.precision, list);
}

namespace {

ChainOptions chain_options(const CcOptions& options) {
  return {.rho = options.rho,
          .weka_ridge = options.weka_ridge,
          .random_order = options.random_order,
          .scaling = options.scaling,
          .threshold = options.threshold,
          .stopping = {.tolerance = options.tolerance, .max_iterations = options.max_iterations},
          .seed = options.seed,
          .precision = options.precision,
          .threads = options.threads};
}

}  // namespace

MemoryNeed memory_need(const DataShape& shape, const CcOptions& options) {
  return chains_memory(shape, chain_options(options));
}

Model fit(const Dataset& data, const CcOptions& options, Progress* progress) {
  check_options(options);
  return fit_chains(
      data, "cc", options_text(options), chain_options(options),
      [&](Index) { return every_example(data.rows(), data.row_weights); }, progress);
}

const Method& cc_method() {
  static const MethodOf<CcOptions> method(
      "cc", "classifier chain: each label sees the labels before it",
      {.takes_row_weights = true,
       .trial_tolerance = kTrialTolerance,
       .usual_search = {{"rho", {"0.001", "0.003", "0.01", "0.03", "0.1", "0.3", "1"}}}});
  return method;
}

}  // namespace mugrad
