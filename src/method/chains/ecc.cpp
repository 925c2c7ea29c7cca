// SPDX-License-Identifier: MIT
#include "core/names.h"
#include "method/chains/chain_model.h"
#include "method/chains/draw_bag.h"
#include "method/common/common_options.h"
#include "method/common/method_of.h"

#include <mugrad/method/ecc.h>

namespace mugrad {
namespace {

constexpr Name<Sampling> kSamplings[] = {
    {Sampling::bootstrap, "bootstrap"}, {Sampling::subset, "subset"}, {Sampling::none, "none"}};

}  // namespace

std::string_view to_string(Sampling sampling) { return name_of<Sampling>(kSamplings, sampling); }

Sampling sampling_named(std::string_view name) {
  return named<Sampling>(kSamplings, name, "sampling");
}

void list_options(EccOptions& options, OptionList& list) {
  list.whole("members", options.members, "Chains", {.at_least = 1, .at_most = 100'000});
  list_rho(options.rho, list);
  list_weka_ridge(options.weka_ridge, list);
  list.choice("sampling", options.sampling, "The examples of each chain",
              {Sampling::bootstrap, Sampling::subset, Sampling::none}, sampling_named);
  list_vote(options.vote, list);
  list.flag("random-order", options.random_order,
            "Chains in a random order instead of that of the data");
  list_scaling(options.scaling, list);
  list_threshold(options.threshold, list);
  list_solving(options.tolerance, options.max_iterations, list);
  list.seed(options.seed);
  list_precision(options.precision, list);
}

namespace {

ChainOptions chain_options(const EccOptions& options) {
  return {.members = options.members,
          .share = share_of_bag(options.sampling),
          .rho = options.rho,
          .weka_ridge = options.weka_ridge,
          .vote = options.vote,
          .random_order = options.random_order,
          .scaling = options.scaling,
          .threshold = options.threshold,
          .stopping = {.tolerance = options.tolerance, .max_iterations = options.max_iterations},
          .seed = options.seed,
          .precision = options.precision,
          .threads = options.threads};
}

}  // namespace

MemoryNeed memory_need(const DataShape& shape, const EccOptions& options) {
  return chains_memory(shape, chain_options(options));
}

Model fit(const Dataset& data, const EccOptions& options, Progress* progress) {
  check_options(options);
  const auto bag_of = [&](Index member) {
    return draw_bag(options.sampling, data.rows(), data.row_weights, options.seed, member);
  };
  return fit_chains(data, "ecc", options_text(options), chain_options(options), bag_of, progress);
}

const Method& ecc_method() {
  static const MethodOf<EccOptions> method(
      "ecc", "ensemble of classifier chains in random orders",
      {.takes_row_weights = true,
       .trial_tolerance = kTrialTolerance,
       .usual_search = {{"rho", {"0.003", "0.01", "0.03", "0.1"}}}});
  return method;
}

}  // namespace mugrad
