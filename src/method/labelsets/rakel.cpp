// SPDX-License-Identifier: MIT
#include "core/printable.h"
#include "method/common/common_options.h"
#include "method/common/feature_checks.h"
#include "method/common/gaussian_training.h"
#include "method/common/method_of.h"
#include "method/common/new_model.h"
#include "method/common/training_memory.h"
#include "method/labelsets/labelset_training.h"

#include <mugrad/core/error.h>
#include <mugrad/method/rakel.h>

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace mugrad {
namespace {

std::vector<Labelset> overlapping_sets(Index labels, const RakelOptions& options) {
  const Index size = std::min(options.labels_per_set, labels);
  const double all = labelset_count(labels, size);
  const Index usual = 2 * labels;
  const Index count = options.sets > 0                   ? options.sets
                      : all < static_cast<double>(usual) ? static_cast<Index>(all)
                                                         : usual;
  if (static_cast<double>(count) > all) {
    throw UsageError(fmt::format("there are {} sets of {} of {} labels, got sets {}", all, size,
                                 labels, options.sets));
  }
  if (!options.cover) return random_labelsets(labels, size, count, options.seed);
  if (count * size < labels) {
    throw UsageError(fmt::format("{} sets of {} cannot cover {} labels; {} can", count, size,
                                 labels, (labels + size - 1) / size));
  }
  return balanced_labelsets(labels, size, count, options.seed);
}

std::vector<Labelset> drawn_sets(Index labels, const RakelOptions& options) {
  if (!options.disjoint) return overlapping_sets(labels, options);
  if (options.sets > 0) {
    throw UsageError(fmt::format("the number of disjoint sets follows from their size, got sets {}",
                                 options.sets));
  }
  return disjoint_labelsets(labels, options.labels_per_set, options.seed);
}

/// The combinations of all sets, extrapolated from some.
LabelsetCounts counts_of(const DataShape& shape, const RakelOptions& options) {
  constexpr std::size_t kLooked = 32;
  constexpr Index kMostLabels = 1'000'000;  // beyond this, drawing the sets itself takes memory
  if (shape.y == nullptr || shape.labels > kMostLabels) {
    return {.sets = shape.labels, .most_classes = 2, .all_classes = 2 * shape.labels};
  }
  const auto sets = drawn_sets(shape.labels, options);
  LabelsetCounts counts{.sets = std::ssize(sets)};
  const std::size_t looked = std::min(kLooked, sets.size());
  double sum = 0;
  for (std::size_t k = 0; k < looked; ++k) {
    const auto classes = classes_of(*shape.y, sets[k * sets.size() / looked]).classes.rows();
    counts.most_classes = std::max(counts.most_classes, classes);
    sum += static_cast<double>(classes) / static_cast<double>(looked);
  }
  counts.all_classes = static_cast<Index>(sum * static_cast<double>(sets.size()));
  return counts;
}

std::optional<std::string> uncovered_warning(const Dataset& data,
                                             const std::vector<Labelset>& sets) {
  std::vector<char> covered(as_size(data.labels()), 0);
  for (const Labelset& set : sets) {
    for (const LabelId label : set) covered[as_size(label)] = 1;
  }
  std::vector<std::string> names;
  for (LabelId label = 0; label < data.labels(); ++label) {
    if (covered[as_size(label)]) continue;
    names.push_back(name_or_number(data.label_names, label));
  }
  if (names.empty()) return std::nullopt;
  return fmt::format(
      "{} of {} labels are in no labelset and are never predicted: {}; cover puts each into a set",
      names.size(), data.labels(), listing(names));
}

}  // namespace

void list_options(RakelOptions& options, OptionList& list) {
  list.whole("labels-per-set", options.labels_per_set,
             "Labels per set; all labels if there are fewer", {.at_least = 1});
  list.whole("sets", options.sets, "Number of labelsets; 0: two per label, or all possible ones",
             {.at_least = 0, .at_most = 1'000'000});
  list.flag("disjoint", options.disjoint, "Use sets that have no label in common");
  list_labelset_score(options.score, list);
  list.flag("cover", options.cover, "Draw labels equally often, so that each is in a set");
  list_rho(options.rho, list);
  list_representation(options.representation, options.gaussian, list);
  list_text_weight(options.text_weight, list);
  list_threshold(options.threshold, list);
  list.seed(options.seed);
  list_solving(options.tolerance, options.max_iterations, list);
}

MemoryNeed memory_need(const DataShape& shape, const RakelOptions& options) {
  return labelsets_memory(shape, counts_of(shape, options), options.threads);
}

Model fit(const Dataset& data, const RakelOptions& options, Progress* progress) {
  if (is_gaussian(options)) return fit_with_gaussian_features(data, options, progress);
  check_options(options);
  check_fully_labelled(data, "rakel");
  check_unweighted(data, "rakel");
  require_memory(memory_need(shape_of(data), options), training_on(data), kFewerCombinations);
  const auto sets = drawn_sets(data.labels(), options);
  auto contents = new_model(
      data, "rakel", options_text(options),
      checked_representation(data, options.representation, options.text_weight), options.threshold);
  train_labelsets(
      data, sets,
      {.rho = options.rho,
       .score = options.score,
       .stopping = {.tolerance = options.tolerance, .max_iterations = options.max_iterations},
       .threads = options.threads},
      progress, contents);
  if (!options.disjoint && options.labels_per_set >= data.labels()) {
    contents.report.warnings.push_back(
        fmt::format("there are only {} labels: sets of {} contain all of them, as in lp",
                    data.labels(), options.labels_per_set));
  }
  if (const auto warning = uncovered_warning(data, sets)) {
    contents.report.warnings.push_back(*warning);
  }
  return Model(std::move(contents));
}

const Method& rakel_method() {
  static const MethodOf<RakelOptions> method(
      "rakel", "random k-labelsets: label powersets of few labels",
      {.usual_search = {{.space = {{"rho", {"0.003", "0.01", "0.03", "0.1"}}}}}});
  return method;
}

}  // namespace mugrad
