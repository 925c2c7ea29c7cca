// SPDX-License-Identifier: MIT
#include "method/mgd/mgd_prior.h"

#include "core/printable.h"
#include "method/common/initial_weights.h"
#include "method/common/weights_near_one.h"
#include "objective/smoothed_l1.h"

#include <mugrad/transfer/transfer_matrix.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <variant>

namespace mugrad {
namespace {

/// Which labels the prior has trained, rather than only seen in one class or not at all.
std::vector<bool> trained_labels(const Model& prior) {
  std::vector<bool> is_trained;
  for (const double examples : prior.contents().curvature.examples) {
    is_trained.push_back(examples > 0);
  }
  for (const LabelId label : prior.contents().report.constant_labels) {
    is_trained[as_size(label)] = false;
  }
  return is_trained;
}

/// Rows of `narrow`, over the trainable labels, by the numbers of all.
void append_row(const CsrMatrix<double>& narrow, Index row, std::span<const LabelId> original,
                CsrMatrix<double>& to) {
  for (const LabelId column : narrow.row_columns(row)) {
    to.column.push_back(original[as_size(column)]);
  }
  const auto values = narrow.row_values(row);
  to.value.insert(to.value.end(), values.begin(), values.end());
}

/// (I - Mbar) w_0 for one parameter: what each label's weight exceeds that which it borrows.
std::vector<double> excess_over_borrowed(const CsrMatrix<double>& mbar,
                                         std::span<const double> weights) {
  std::vector<double> excess;
  for (Index i = 0; i < mbar.rows(); ++i) {
    const auto columns = mbar.row_columns(i);
    const auto values = mbar.row_values(i);
    double sum = 0;
    for (std::size_t k = 0; k < columns.size(); ++k) {
      sum += values[k] * (weights[as_size(i)] - weights[as_size(columns[k])]);
    }
    excess.push_back(sum);
  }
  return excess;
}

/// Only the coefficients that lend weights which are not trained.
CsrMatrix<double> of_fixed_labels(const CsrMatrix<double>& mbar, const TrainableLabels& trainable) {
  std::vector<bool> is_fixed(as_size(mbar.rows()), false);
  for (const LabelId label : trainable.constant()) is_fixed[as_size(label)] = true;
  CsrMatrix<double> result{.cols = mbar.cols};
  for (Index i = 0; i < mbar.rows(); ++i) {
    const auto columns = mbar.row_columns(i);
    const auto values = mbar.row_values(i);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      if (!is_fixed[as_size(columns[k])] || columns[k] == i) continue;
      result.column.push_back(columns[k]);
      result.value.push_back(values[k]);
    }
    result.end_row();
  }
  return result;
}

/// Computes the slope of equation (23), a parameter at a time.
class Slopes {
 public:
  Slopes(const MgdOptions& options, const TrainableLabels& trainable, double sigma,
         std::span<const double> row_weights)
      : options_(options),
        trainable_(trainable),
        sigma_(sigma),
        now_(sigma > 0 ? continued_relations(trainable, options, row_weights)
                       : no_transfer(options.prior->labels()).mbar),
        fixed_(of_fixed_labels(now_, trainable)),
        known_(trainable.known()) {}

  /// The strength by which each trainable label borrows weights that are not trained.
  std::vector<double> ridges() const {
    std::vector<double> result;
    for (const LabelId label : trainable_.original()) {
      const auto values = fixed_.row_values(label);
      result.push_back(sigma_ * std::accumulate(values.begin(), values.end(), 0.0));
    }
    return result;
  }

  /// The share of the prior in the examples of a trainable label.
  double share_before(std::size_t task) const {
    const double before = examples()[as_size(trainable_.original()[task])];
    return before / (before + known_[task]);
  }

  /// For parameter k, whose weights of all labels are given.
  template <class Real>
  void write(Index k, std::span<const double> weights, bool is_absent, std::span<Real> slope) {
    const bool is_transferred = sigma_ > 0 && (k > 0 || options_.transfer_intercept);
    const auto zero = std::vector<double>(weights.size(), 0);
    const auto& before_relations = options_.prior->contents().relations;
    const auto then = is_transferred ? excess_over_borrowed(before_relations, weights) : zero;
    const auto now = is_transferred ? excess_over_borrowed(now_, weights) : zero;
    const auto of_fixed = is_transferred ? excess_over_borrowed(fixed_, weights) : zero;
    for (std::size_t t = 0; t < slope.size(); ++t) {
      const auto label = as_size(trainable_.original()[t]);
      const bool is_kept = is_absent && examples()[label] > 0;
      const double share = is_kept ? 1 : share_before(t);
      const double borrowed = is_kept ? now[label] : then[label];
      slope[t] = static_cast<Real>(-share * (penalty(k, weights[label]) + sigma_ * borrowed) +
                                   sigma_ * of_fixed[label]);
    }
  }

 private:
  std::span<const double> examples() const { return options_.prior->contents().curvature.examples; }
  double penalty(Index k, double weight) const {
    if (k == 0) return 0;
    const SmoothedL1 smoothed{options_.l1_sharpness};
    return options_.rho * weight +
           (options_.l1 > 0 ? options_.l1 * smoothed.derivative(weight) : 0);
  }

  const MgdOptions& options_;
  const TrainableLabels& trainable_;
  double sigma_;
  CsrMatrix<double> now_;    ///< the relations of all labels
  CsrMatrix<double> fixed_;  ///< their part that lends weights which are not trained
  std::vector<double> known_;
};

/// Warns of labels that the prior did not have and that have one class in the new rows.
void warn_of_constant_labels(const ModelContents& before, ModelContents& now) {
  std::vector<std::string> names;
  for (const LabelId label : now.report.constant_labels) {
    if (before.curvature.examples[as_size(label)] > 0) continue;
    names.push_back(name_or_number(now.label_names, label));
  }
  if (names.empty()) return;
  now.report.warnings.push_back(
      fmt::format("{} new labels have only one class in the new rows and predict their base rate: "
                  "{}",
                  names.size(), listing(names)));
}

}  // namespace

std::vector<double> examples_before(const MgdOptions& options) {
  if (!options.prior) return {};
  const Curvature& curvature = options.prior->contents().curvature;
  std::vector<double> examples = curvature.examples;
  for (std::size_t label = 0; label < examples.size(); ++label) {
    if (curvature.diagonal(0, as_index(label)) <= 0) examples[label] = 0;
  }
  return examples;
}

std::vector<double> all_examples(const Dataset& data, const MgdOptions& options,
                                 const TrainableLabels& trainable) {
  auto examples = trainable.narrowed(options.prior->contents().curvature.examples);
  const auto known = trainable.known();
  double unit = 1;  // a power of two
  const auto near_one = weights_near_one(data.row_weights);
  for (std::size_t row = 0; row < near_one.size(); ++row) {
    if (near_one[row] > 0) unit = near_one[row] / data.row_weights[row];
  }
  for (std::size_t t = 0; t < examples.size(); ++t) examples[t] = unit * (examples[t] + known[t]);
  return examples;
}

CsrMatrix<double> continued_relations(const TrainableLabels& trainable, const MgdOptions& options,
                                      std::span<const double> row_weights) {
  const auto& before = options.prior->contents().relations;
  const auto is_trained = trained_labels(*options.prior);
  const Similarity similarity =
      is_learned(options.similarity) ? Similarity::cosine : options.similarity;
  const BinaryMatrix& unknown = trainable.unknown();
  const auto found = label_transfer(trainable.labels(), similarity, options.neighbours,
                                    unknown.ones() > 0 ? &unknown : nullptr, row_weights)
                         .mbar;
  const auto& original = trainable.original();
  CsrMatrix<double> result{.cols = before.cols};
  for (LabelId label = 0; label < before.rows(); ++label) {
    const auto at = std::ranges::lower_bound(original, label);
    const bool is_new = !is_trained[as_size(label)] && at != original.end() && *at == label;
    if (is_new) {
      append_row(found, at - original.begin(), original, result);
    } else {
      const auto columns = before.row_columns(label);
      const auto values = before.row_values(label);
      result.column.insert(result.column.end(), columns.begin(), columns.end());
      result.value.insert(result.value.end(), values.begin(), values.end());
    }
    result.end_row();
  }
  return result;
}

std::vector<bool> absent_features(const Dataset& data, const Representation& representation) {
  std::vector<bool> is_absent(as_size(data.features()), true);
  for (Index row = 0; row < data.rows(); ++row) {
    if (data.weight_of(row) == 0) continue;
    data.x.for_each_in_row(row, [&](FeatureId column, double value) {
      if (value != 0) is_absent[as_size(column)] = false;
    });
  }
  // A shift makes a feature of zeros a constant that is not zero.
  const auto shift = feature_transform(representation).shift;
  for (std::size_t k = 0; k < shift.size(); ++k) {
    if (shift[k] != 0) is_absent[k] = false;
  }
  return is_absent;
}

template <class Real>
QuadraticPrior<Real> prior_of(const Dataset& data, const MgdOptions& options,
                              const TrainableLabels& trainable, double sigma) {
  const Model& model = *options.prior;
  const Curvature& curvature = model.contents().curvature;
  const Matrix<double> weights = weights_under(model, model.contents().representation);
  const auto is_absent = absent_features(data, model.contents().representation);
  const auto& original = trainable.original();
  Slopes slopes(options, trainable, sigma, weights_near_one(data.row_weights));
  QuadraticPrior<Real> prior{.centre = Matrix<Real>(weights.rows(), std::ssize(original))};
  prior.slope = prior.root = prior.centre;
  prior.factor = Matrix<Real>(curvature.factor.rows(), curvature.factor.cols());
  std::ranges::transform(curvature.factor.values(), prior.factor.values().begin(),
                         [](float entry) { return static_cast<Real>(entry); });
  prior.ridge = slopes.ridges();
  prior.first_ridged = options.transfer_intercept ? 0 : 1;
  const auto known = trainable.known();
  for (Index k = 0; k < weights.rows(); ++k) {
    slopes.write<Real>(k, weights.row(k), k > 0 && is_absent[as_size(k - 1)], prior.slope.row(k));
    for (std::size_t t = 0; t < original.size(); ++t) {
      const LabelId label = original[t];
      const double examples = curvature.examples[as_size(label)] + known[t];
      const auto sum = static_cast<double>(curvature.diagonal(k, label));
      prior.centre(k, as_index(t)) = static_cast<Real>(weights(k, label));
      prior.root(k, as_index(t)) = static_cast<Real>(std::sqrt(sum / examples));
    }
  }
  prior.own_share = 0;
  for (std::size_t t = 0; t < original.size(); ++t) {
    prior.own_share += (1 - slopes.share_before(t)) / static_cast<double>(original.size());
  }
  return prior;
}

template <class Real>
Matrix<Real> first_weights_of(const Model& prior, const TrainableLabels& trainable,
                              Matrix<Real> start) {
  const auto& contents = prior.contents();
  const Matrix<double> weights = weights_under(prior, contents.representation);
  for (Index t = 0; t < start.cols(); ++t) {
    const LabelId label = trainable.original()[as_size(t)];
    if (contents.curvature.examples[as_size(label)] == 0) continue;
    for (Index k = 0; k < start.rows(); ++k) start(k, t) = static_cast<Real>(weights(k, label));
  }
  return start;
}

template <class Real>
void describe_continued(const Dataset& data, const MgdOptions& options,
                        const MgdProblem<Real>& problem, ModelContents& contents) {
  const ModelContents& before = options.prior->contents();
  const TrainableLabels& trainable = problem.trainable();
  const Matrix<double> weights = weights_under(*options.prior, before.representation);
  const auto is_absent = absent_features(data, before.representation);
  auto& now = std::get<Matrix<Real>>(contents.weights);
  std::vector<bool> is_fixed(as_size(data.labels()), false);
  for (const LabelId label : trainable.constant()) is_fixed[as_size(label)] = true;
  contents.report.constant_labels.clear();
  for (std::size_t i = 0; i < is_fixed.size(); ++i) {
    const auto label = static_cast<LabelId>(i);
    const bool is_old = before.curvature.examples[i] > 0;
    if (is_fixed[i] && is_old) contents.intercepts[i] = before.intercepts[i];
    for (Index k = 0; k < now.rows() && is_old; ++k) {
      if (!is_fixed[i] && !is_absent[as_size(k)]) continue;
      now(k, label) = static_cast<Real>(weights(k + 1, label));
    }
    const bool was_constant = std::ranges::count(before.report.constant_labels, label) > 0;
    if (is_fixed[i] && (!is_old || was_constant)) contents.report.constant_labels.push_back(label);
  }
  if (trainable.warning(data.label_names)) {
    contents.report.warnings.erase(contents.report.warnings.begin());  // it is of kept labels too
    warn_of_constant_labels(before, contents);
  }
  contents.report.rows = before.report.rows + data.rows();
  contents.report.new_rows = data.rows();
  if (problem.sigma() > 0) {
    contents.relations =
        continued_relations(trainable, options, weights_near_one(data.row_weights));
  } else {
    contents.relations = before.relations;
  }
}

template decltype(prior_of<float>) prior_of<float>;
template decltype(first_weights_of<float>) first_weights_of<float>;
template decltype(describe_continued<float>) describe_continued<float>;
template decltype(prior_of<double>) prior_of<double>;
template decltype(first_weights_of<double>) first_weights_of<double>;
template decltype(describe_continued<double>) describe_continued<double>;

}  // namespace mugrad
