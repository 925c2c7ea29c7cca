// SPDX-License-Identifier: MIT
#include "method/chains/ecc.h"
#include "method/common/gaussian_training.h"
#include "method/common/method_of.h"

#include <mugrad/method/cc.h>

namespace mugrad {

void list_options(CcOptions& options, OptionList& list) {
  list_rho(options.rho, list);
  list_weka_ridge(options.weka_ridge, list);
  list_chain(options, list);
}

namespace {

EccOptions one_chain(const CcOptions& options) {
  return {.members = 1,
          .rho = options.rho,
          .weka_ridge = options.weka_ridge,
          .sampling = Sampling::none,
          .random_order = options.random_order,
          .representation = options.representation,
          .text_weight = options.text_weight,
          .threshold = options.threshold,
          .tolerance = options.tolerance,
          .max_iterations = options.max_iterations,
          .precision = options.precision,
          .seed = options.seed,
          .threads = options.threads};
}

}  // namespace

MemoryNeed memory_need(const DataShape& shape, const CcOptions& options) {
  return memory_need(shape, one_chain(options));
}

Model fit(const Dataset& data, const CcOptions& options, Progress* progress) {
  if (is_gaussian(options)) return fit_with_gaussian_features(data, options, progress);
  check_options(options);
  return fit_chains(data, "cc", options_text(options), one_chain(options), progress);
}

const Method& cc_method() {
  static const MethodOf<CcOptions> method(
      "cc", "classifier chain: each label depends on those before it",
      {.takes_row_weights = true,
       .trial_tolerance = kTrialTolerance,
       .usual_search = {
           {.space = {{"rho", {"0.001", "0.003", "0.01", "0.03", "0.1", "0.3", "1"}}}}}});
  return method;
}

}  // namespace mugrad
