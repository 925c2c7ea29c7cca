// SPDX-License-Identifier: MIT
#include "method/common/new_model.h"

#include "data/term_blocks.h"

#include <mugrad/core/error.h>
#include <mugrad/transfer/transfer_matrix.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

namespace mugrad {
namespace {

void check_label_names(const Dataset& data) {
  std::unordered_set<std::string_view> names;
  for (const auto& name : data.label_names) {
    if (names.insert(name).second) continue;
    throw InputError(fmt::format("two labels of {} are called '{}'", data.name, name));
  }
}

void check_unknown(const Dataset& data) {
  const auto& unknown = data.unknown;
  if (unknown.rows() == 0) return;
  if (unknown.rows() != data.rows() || unknown.cols != data.labels()) {
    throw InputError(fmt::format("the unknown labels of {} are {} x {}, {} x {} expected",
                                 data.name, unknown.rows(), unknown.cols, data.rows(),
                                 data.labels()));
  }
  for (Index row = 0; row < data.rows(); ++row) {
    for (const LabelId label : unknown.row(row)) {
      if (!std::ranges::binary_search(data.y.row(row), label)) continue;
      throw InputError(fmt::format("label '{}' of example {} of {} is both present and unknown",
                                   name_or_number(data.label_names, label), row, data.name));
    }
  }
}

void check_term_blocks(const Dataset& data) {
  if (const auto misplaced = misplaced_text(data.term_blocks, data.features())) {
    throw InputError(fmt::format("the texts of {} {}", data.name, *misplaced));
  }
}

}  // namespace

void check_weights(std::span<const double> weights, Index rows, std::string_view data) {
  if (weights.empty()) return;
  if (std::ssize(weights) != rows) {
    throw InputError(
        fmt::format("{} has {} examples, but weights of {}", data, rows, weights.size()));
  }
  double total = 0;
  for (std::size_t row = 0; row < weights.size(); ++row) {
    total += weights[row];
    if (std::isfinite(weights[row]) && weights[row] >= 0) continue;
    throw InputError(fmt::format("example {} of {} has the weight {}; expected a number >= 0", row,
                                 data, weights[row]));
  }
  if (total == 0) throw InputError(fmt::format("every example of {} has weight 0", data));
  if (!std::isfinite(total)) {
    throw InputError(fmt::format("the weights of the examples of {} are too large to sum", data));
  }
}

void check_trainable(const Dataset& data) {
  if (data.rows() == 0) throw InputError(fmt::format("{} has no examples to train on", data.name));
  if (data.features() == 0) {
    throw InputError(fmt::format("{} has no features to train on", data.name));
  }
  if (data.labels() == 0) throw InputError(fmt::format("{} has no labels to train on", data.name));
  check_label_names(data);
  check_unknown(data);
  check_term_blocks(data);
  check_weights(data.row_weights, data.rows(), data.name);
}

void check_unweighted(const Dataset& data, std::string_view method) {
  if (data.row_weights.empty()) return;
  throw UsageError(
      fmt::format("{} does not support weights of examples, which {} has; {} do", method, data.name,
                  names_of_methods([](const MethodTraits& of) { return of.takes_row_weights; })));
}

void check_fully_labelled(const Dataset& data, std::string_view method) {
  check_trainable(data);
  for (Index row = 0; row < data.unknown.rows(); ++row) {
    if (data.unknown.row(row).empty()) continue;
    throw InputError(fmt::format(
        "{} requires all labels to be known, but label '{}' of example {} of {} is not; "
        "{} do not require this",
        method, name_or_number(data.label_names, data.unknown.row(row).front()), row, data.name,
        names_of_methods([](const MethodTraits& of) { return of.takes_unknown_labels; })));
  }
}

ModelContents new_model(const Dataset& data, std::string_view method, const OptionValues& options,
                        Representation representation, double threshold) {
  ModelContents contents;
  contents.feature_names = data.feature_names;
  contents.encoding = data.encoding;
  contents.label_names = data.label_names;
  contents.representation = std::move(representation);
  contents.options.insert(options.begin(), options.end());
  contents.thresholds.assign(as_size(data.labels()), threshold);
  contents.relations = no_transfer(data.labels()).mbar;
  contents.report = {.method = std::string(method), .rows = data.rows()};
  return contents;
}

}  // namespace mugrad
