// SPDX-License-Identifier: MIT
#include "mgd_arguments.h"

#include <mugrad/core/error.h>
#include <mugrad/method/transfer_file.h>

#include <fmt/format.h>

namespace mugrad::cli {
namespace {

/// --transfer names a similarity, or a file with a matrix.
void choose_transfer(const MgdArguments& arguments, const Dataset& data, MgdOptions& options) {
  if (arguments.transfer.empty()) return;
  for (const auto similarity : {Similarity::cosine, Similarity::jaccard, Similarity::conditional,
                                Similarity::pearson, Similarity::identity}) {
    if (to_string(similarity) != arguments.transfer) continue;
    options.similarity = similarity;
    return;
  }
  if (!std::filesystem::exists(arguments.transfer)) {
    throw UsageError(fmt::format(
        "--transfer {} is neither a file that exists nor cosine, jaccard, conditional, pearson or "
        "identity",
        arguments.transfer));
  }
  std::vector<std::string> names;
  for (Index i = 0; i < data.labels(); ++i) names.push_back(name_or_number(data.label_names, i));
  options.transfer = read_transfer(arguments.transfer, names);
}

}  // namespace

MgdOptions chosen_options(const MgdArguments& arguments, const CLI::App& command,
                          const Dataset& data) {
  const MgdOptions& given = arguments.options;
  MgdOptions chosen = given;
  if (!arguments.preset.empty()) chosen = with_paper_preset(given);
  const auto is_given = [&](const char* name) { return command.count(name) > 0; };
  if (is_given("--alpha")) chosen.alpha = given.alpha;
  if (is_given("--tolerance")) chosen.tolerance = given.tolerance;
  if (is_given("--iterations")) chosen.max_iterations = given.max_iterations;
  if (is_given("--transfer-intercept")) chosen.transfer_intercept = given.transfer_intercept;
  if (is_given("--loss")) chosen.loss = loss_named(arguments.loss);
  if (is_given("--scaling")) chosen.scaling = scaling_named(arguments.scaling);
  if (is_given("--start")) chosen.start = start_named(arguments.start);
  if (is_given("--precision")) chosen.precision = precision_named(arguments.precision);
  if (is_given("--solver")) {
    chosen.solver = solver_named(arguments.solver);
    // The preset's step belongs to the plain iteration.
    if (chosen.solver != SolverKind::plain && !is_given("--alpha")) chosen.alpha.reset();
  }
  choose_transfer(arguments, data, chosen);
  return chosen;
}

void add_objective_options(CLI::App& command, MgdArguments& arguments) {
  MgdOptions& options = arguments.options;
  const std::string group = "Training";
  command
      .add_option("--preset", arguments.preset,
                  "paper: alpha 0.02, 1000 plain iterations from zero, z-scores, intercept "
                  "transferred")
      ->check(CLI::IsMember({"paper"}))
      ->type_name("NAME")
      ->group(group);
  command.add_option("--rho", options.rho, "L2 strength, per example")
      ->capture_default_str()
      ->group(group);
  command
      .add_option("--loss", arguments.loss,
                  fmt::format("logistic or squared [default: {}]", to_string(options.loss)))
      ->type_name("NAME")
      ->group(group);
  command.add_option("--l1", options.l1, "Strength of the smoothed L1 on the weights")
      ->capture_default_str()
      ->group(group);
  command
      .add_option("--l1-sharpness", options.l1_sharpness,
                  "How closely the smoothed L1 follows |w|; solving takes longer as it grows")
      ->capture_default_str()
      ->group(group);
  command
      .add_option("--positive-weight", options.positive_weight,
                  "How many negative examples a positive one counts for")
      ->capture_default_str()
      ->group(group);
  command.add_option("--sigma", options.sigma, "Transfer strength; 0 trains every label alone")
      ->capture_default_str()
      ->group(group);
  command
      .add_option("--transfer", arguments.transfer,
                  fmt::format("cosine, jaccard, conditional, pearson or identity, or a file with a "
                              "matrix [default: {}]",
                              to_string(options.similarity)))
      ->type_name("NAME")
      ->group(group);
  command
      .add_option("--neighbours", options.neighbours,
                  "Borrow from the K most similar labels alone [default: all]")
      ->type_name("K")
      ->group(group);
  command
      .add_flag("--transfer-intercept,!--own-intercept", options.transfer_intercept,
                "Transfer the intercepts too, as the paper does, or leave each label its own "
                "[default: own]")
      ->group(group);
  command
      .add_option("--scaling", arguments.scaling,
                  fmt::format("zscore, none or unit-row [default: {}]", to_string(options.scaling)))
      ->type_name("NAME")
      ->group(group);
}

void add_solver_options(CLI::App& command, MgdArguments& arguments) {
  MgdOptions& options = arguments.options;
  const std::string group = "Solving";
  command
      .add_option("--solver", arguments.solver,
                  fmt::format("accelerated or plain [default: {}]", to_string(options.solver)))
      ->type_name("NAME")
      ->group(group);
  command
      .add_option(
          "--tolerance", options.tolerance,
          "Stop when the residual has fallen to this share of its first value; 0: as far as "
          "iterations and rounding let it")
      ->capture_default_str()
      ->group(group);
  command.add_option("--iterations", options.max_iterations, "Iterations at the most")
      ->capture_default_str()
      ->group(group);
  command
      .add_option("--alpha", options.alpha,
                  "Step of the plain solver [default: 0.95 of the largest safe one]")
      ->type_name("FLOAT")
      ->group(group);
  command
      .add_option("--start", arguments.start,
                  fmt::format("log-odds, zero or random [default: {}]", to_string(options.start)))
      ->type_name("NAME")
      ->group(group);
  command.add_option("--seed", options.seed, "Seed of a random start")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str()
      ->group(group);
  command
      .add_option("--precision", arguments.precision,
                  fmt::format("float or double [default: {}]", to_string(options.precision)))
      ->type_name("NAME")
      ->group(group);
}

void add_threshold_option(CLI::App& command, MgdArguments& arguments) {
  MgdOptions& options = arguments.options;
  const std::string group = "Training";
  command.add_option("--threshold", options.threshold, "A label is predicted at this score")
      ->capture_default_str()
      ->group(group);
}

}  // namespace mugrad::cli
