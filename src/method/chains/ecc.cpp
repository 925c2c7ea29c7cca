// SPDX-License-Identifier: MIT
#include "method/chains/ecc.h"

#include "core/names.h"
#include "core/stages.h"
#include "method/chains/chain.h"
#include "method/common/feature_checks.h"
#include "method/common/gaussian_training.h"
#include "method/common/method_of.h"
#include "method/common/new_model.h"
#include "method/common/outcome.h"
#include "method/common/trainable_labels.h"
#include "method/common/training_memory.h"

#include <mugrad/core/random.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace mugrad {
namespace {

constexpr Name<Sampling> kSamplings[] = {
    {Sampling::bootstrap, "bootstrap"}, {Sampling::subset, "subset"}, {Sampling::none, "none"}};

std::vector<LabelId> chain_order(const EccOptions& options, Index labels, Index member) {
  std::vector<LabelId> order(as_size(labels));
  std::iota(order.begin(), order.end(), LabelId{0});
  if (options.random_order) {
    RandomStream(options.seed, "chain-order", static_cast<std::uint64_t>(member))
        .shuffle(std::span(order));
  }
  return order;
}

/// Chains side by side, in the form of ChainHead.
template <class Real>
class ChainColumns {
 public:
  ChainColumns(const Dataset& data, const EccOptions& options)
      : labels_(data.labels()), weights_(data.features(), options.members * labels_) {
    head_.vote = options.vote;
    head_.history = Matrix<double>(options.members * labels_, labels_);
  }

  void add(const TrainedChain<Real>& chain, std::span<const LabelId> order) {
    const auto first = std::ssize(head_.order);
    for (Index k = 0; k < weights_.rows(); ++k) {
      std::ranges::copy(chain.weights.row(k), weights_.row(k).begin() + first);
    }
    for (Index label = 0; label < labels_; ++label) {
      std::ranges::copy(chain.history.row(label), head_.history.row(first + label).begin());
    }
    intercepts_.insert(intercepts_.end(), chain.intercepts.begin(), chain.intercepts.end());
    head_.order.insert(head_.order.end(), order.begin(), order.end());
  }

  void move_to(ModelContents& contents) {
    contents.weights = std::move(weights_);
    contents.intercepts = std::move(intercepts_);
    contents.head = std::move(head_);
  }

 private:
  Index labels_;
  Matrix<Real> weights_;
  std::vector<double> intercepts_;
  ChainHead head_;
};

/// The features of a chain: some examples, with all labels but the last.
DesignShape chain_design(const DataShape& shape, Index tasks, double share) {
  const auto rows = static_cast<Index>(std::ceil(share * static_cast<double>(shape.rows)));
  const Index cols = shape.features + std::max<Index>(1, tasks);
  const double stored = share * static_cast<double>(shape.stored + shape.positives);
  return {.rows = rows,
          .cols = cols,
          .stored = shape.is_sparse ? static_cast<Index>(stored) : rows * cols,
          .is_sparse = shape.is_sparse};
}

template <class Real>
MemoryNeed need_in(const DataShape& shape, const EccOptions& options) {
  constexpr double kGrown = 1.5;  // what is appended has room for more
  const Index tasks = shape.labels_that_occur();
  const LinearRun run{.design = chain_design(shape, tasks, share_of_bag(options.sampling)),
                      .tasks = tasks,
                      .threads = options.threads.resolved()};
  const auto labels = static_cast<double>(shape.labels);
  const double chain =
      labels * (static_cast<double>(shape.features) * sizeof(Real) + labels * sizeof(double));
  const auto entries = static_cast<double>(run.design.stored);
  const double joined = shape.is_sparse ? kGrown * entries * (sizeof(FeatureId) + sizeof(double))
                                        : entries * sizeof(double);
  const auto others = static_cast<double>(tasks);
  return statistics_memory(shape) +
         MemoryNeed("the chains", static_cast<double>(options.members + 1) * chain) +
         MemoryNeed("the order of labels", kGrown / 2 * others * others * sizeof(LabelId)) +
         features_memory<Real>(run.design, tasks) +
         larger(MemoryNeed("the features with earlier labels", joined),
                solving_memory<Real>(run, 0));
}

template <class Real>
Model fit_in(const Dataset& data, std::string_view method, const OptionValues& text,
             const EccOptions& options, Progress* progress) {
  check_fully_labelled(data, method);
  require_memory(need_in<Real>(shape_of(data), options), training_on(data),
                 "fewer labels, features or chains");
  const Representation representation =
      checked_representation(data, options.representation, options.text_weight);

  ModelContents contents = new_model(data, method, text, representation, options.threshold);
  const TrainableLabels trainable(data);
  contents.report.constant_labels = trainable.constant();
  if (const auto warning = trainable.warning(data.label_names)) {
    contents.report.warnings.push_back(*warning);
  }

  ThreadPool pool(options.threads);
  ChainSetting setting{
      .data = data,
      .representation = representation,
      .rho = options.rho,
      .stopping = {.tolerance = options.tolerance, .max_iterations = options.max_iterations},
      .pool = pool};
  ChainColumns<Real> columns(data, options);
  Stages stages(progress);
  Stop stop = Stop::converged;
  SolveFacts whole{.solver = "accelerated"};
  const auto members = static_cast<double>(options.members);
  for (Index member = 0; member < options.members; ++member) {
    stages.enter(static_cast<double>(member) / members, static_cast<double>(member + 1) / members);
    const auto order = chain_order(options, data.labels(), member);
    const auto bag =
        draw_bag(options.sampling, data.rows(), data.row_weights, options.seed, member);
    if (options.weka_ridge) setting.rho = weka_rho(bag.total());
    const auto chain = train_chain<Real>(setting, bag, order, &stages);
    throw_unless_usable(chain.solve);
    stages.advance(1);
    columns.add(chain, order);
    // The loss is the mean over the chains.
    add_part(facts_of(whole.solver, chain.solve, chain.total_loss / members), whole);
    stop = worse(stop, chain.solve.stop);
  }
  whole.stop = to_string(stop);
  if (trainable.labels().cols > 0) contents.report.solve = std::move(whole);
  warn_of_limit({options.tolerance, options.max_iterations}, contents.report);
  columns.move_to(contents);
  return Model(std::move(contents));
}

}  // namespace

std::string_view to_string(Sampling sampling) { return name_of<Sampling>(kSamplings, sampling); }

Sampling sampling_named(std::string_view name) {
  return named<Sampling>(kSamplings, name, "sampling");
}

void list_options(EccOptions& options, OptionList& list) {
  list.whole("members", options.members, "Number of chains", {.at_least = 1, .at_most = 100'000});
  list_rho(options.rho, list);
  list_weka_ridge(options.weka_ridge, list);
  list.choice("sampling", options.sampling, "The examples of each chain",
              {Sampling::bootstrap, Sampling::subset, Sampling::none}, sampling_named);
  list_vote(options.vote, list);
  list_chain(options, list);
}

MemoryNeed memory_need(const DataShape& shape, const EccOptions& options) {
  return options.precision == Precision::double_precision ? need_in<double>(shape, options)
                                                          : need_in<float>(shape, options);
}

Model fit_chains(const Dataset& data, std::string_view method, const OptionValues& text,
                 const EccOptions& options, Progress* progress) {
  return options.precision == Precision::double_precision
             ? fit_in<double>(data, method, text, options, progress)
             : fit_in<float>(data, method, text, options, progress);
}

Model fit(const Dataset& data, const EccOptions& options, Progress* progress) {
  if (is_gaussian(options)) return fit_with_gaussian_features(data, options, progress);
  check_options(options);
  return fit_chains(data, "ecc", options_text(options), options, progress);
}

const Method& ecc_method() {
  static const MethodOf<EccOptions> method(
      "ecc", "ensemble of classifier chains in random orders",
      {.takes_row_weights = true,
       .trial_tolerance = kTrialTolerance,
       .usual_search = {{.space = {{"rho", {"0.003", "0.01", "0.03", "0.1"}}}}}});
  return method;
}

}  // namespace mugrad
