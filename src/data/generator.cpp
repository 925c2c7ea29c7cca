// SPDX-License-Identifier: MIT
#include "core/paced_progress.h"
#include "data/random_order.h"

#include <mugrad/core/error.h>
#include <mugrad/core/random.h>
#include <mugrad/data/generator.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace mugrad {
namespace {

/// Labels scored in one pass over the rows.
constexpr Index kPanel = 16;
constexpr double kRarest = 0.4;     ///< base rate of the rarest label, relative to the mean
constexpr double kCommonest = 2.5;  ///< base rate of the most common label
constexpr double kLargestRate = 0.9;
/// Numbers drawn or multiplied between two progress updates: a few tens of milliseconds.
constexpr Index kBetweenUpdates = 1 << 20;

/// Counts numbers drawn or multiplied, relative to their approximate total.
class Work {
 public:
  Work(const GeneratorOptions& options, Progress* progress) : paced_(progress, kBetweenUpdates) {
    const auto rows = static_cast<double>(options.rows);
    const auto labels = static_cast<double>(options.labels);
    const auto features = static_cast<double>(options.features);
    const double stored = rows * features * options.density;
    const double panels = std::ceil(labels / static_cast<double>(kPanel));
    all_ = stored + 2 * labels * features + panels * (stored + rows) + rows * labels;
  }

  void add(Index numbers) {
    done_ += static_cast<double>(numbers);
    paced_.add(numbers, std::min(1.0, done_ / all_));
  }

 private:
  PacedProgress paced_;
  double done_ = 0, all_ = 0;
};

void check_count(std::string_view name, Index value) {
  constexpr Index kMost = std::numeric_limits<std::int32_t>::max();
  if (value < 1 || value > kMost) {
    throw UsageError(fmt::format("{} must be between 1 and {}, got {}", name, kMost, value));
  }
}

double cardinality_of(const GeneratorOptions& options) {
  return options.cardinality.value_or(std::min(3.0, static_cast<double>(options.labels) / 2));
}

void check(const GeneratorOptions& options) {
  check_count("rows", options.rows);
  check_count("features", options.features);
  check_count("labels", options.labels);
  check_count("group_size", options.group_size);
  if (!(options.relatedness >= 0 && options.relatedness <= 1)) {
    throw UsageError(
        fmt::format("relatedness must be between 0 and 1, got {}", options.relatedness));
  }
  const double cardinality = cardinality_of(options);
  if (!(cardinality > 0 && cardinality < static_cast<double>(options.labels))) {
    throw UsageError(
        fmt::format("cardinality must be above 0 and below the number of labels, {}, got {}",
                    options.labels, cardinality));
  }
  if (!(options.noise >= 0 && std::isfinite(options.noise))) {
    throw UsageError(fmt::format("noise must be >= 0, got {}", options.noise));
  }
  if (!(options.density > 0 && options.density <= 1)) {
    throw UsageError(fmt::format("density must be above 0 and at most 1, got {}", options.density));
  }
}

Matrix<double> dense_features(const GeneratorOptions& options, Work& work) {
  Matrix<double> x(options.rows, options.features);
  RandomStream random(options.seed, "generator-features");
  for (Index row = 0; row < options.rows; ++row) {
    for (double& value : x.row(row)) value = random.normal();
    work.add(options.features);
  }
  return x;
}

/// Every row has floor or ceil of density * features non-zeros, with this mean.
CsrMatrix<double> sparse_features(const GeneratorOptions& options, Work& work) {
  CsrMatrix<double> x;
  x.cols = options.features;
  RandomStream random(options.seed, "generator-features");
  std::vector<FeatureId> columns(as_size(options.features));
  std::iota(columns.begin(), columns.end(), 0);
  const double mean_count = options.density * static_cast<double>(options.features);
  for (Index row = 0; row < options.rows; ++row) {
    const double whole = std::floor(mean_count);
    const auto count =
        static_cast<std::size_t>(whole) + (random.uniform() < mean_count - whole ? 1U : 0U);
    for (std::size_t k = 0; k < count; ++k) {
      std::swap(columns[k], columns[k + random.below(columns.size() - k)]);
    }
    const auto begin = x.column.insert(x.column.end(), columns.begin(),
                                       columns.begin() + static_cast<std::ptrdiff_t>(count));
    std::sort(begin, x.column.end());
    for (std::size_t k = 0; k < count; ++k) {
      double value = random.normal();
      while (value == 0) value = random.normal();
      x.value.push_back(value);
    }
    x.end_row();
    work.add(as_index(count) + 1);
  }
  return x;
}

double dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

void normalise(std::span<double> vector) {
  const double length = std::sqrt(dot(vector, vector));
  for (double& value : vector) value /= length;
}

/// A uniformly random direction.
std::vector<double> direction(Index features, RandomStream random) {
  std::vector<double> result(as_size(features));
  for (double& value : result) value = random.normal();
  normalise(result);
  return result;
}

/// One unit-length task per row: sqrt(c) u + sqrt(1 - c) v, where u is the group's direction and v
/// the label's own, made orthogonal to u so that c is the squared cosine between task and u. With
/// a single feature nothing is orthogonal to u, and the task is u itself.
Matrix<double> task_directions(const GeneratorOptions& options, std::span<const Index> group,
                               Work& work) {
  Matrix<double> tasks(options.labels, options.features);
  for (std::size_t label = 0; label < group.size(); ++label) {
    work.add(2 * options.features);
    const auto shared = direction(
        options.features,
        RandomStream(options.seed, "generator-group", static_cast<std::uint64_t>(group[label])));
    const auto task = tasks.row(as_index(label));
    std::ranges::copy(shared, task.begin());
    if (options.features == 1) continue;
    auto own = direction(options.features, RandomStream(options.seed, "generator-label", label));
    const double along = dot(own, shared);
    for (std::size_t k = 0; k < own.size(); ++k) own[k] -= along * shared[k];
    normalise(own);
    for (std::size_t k = 0; k < own.size(); ++k) {
      task[k] =
          std::sqrt(options.relatedness) * shared[k] + std::sqrt(1 - options.relatedness) * own[k];
    }
  }
  return tasks;
}

/// Rates with a geometric spread, capped at the largest allowed, with mean cardinality / labels.
/// (If the mean itself exceeds the largest allowed, all are equal to the mean.) Ascending.
std::vector<double> base_rates(const GeneratorOptions& options) {
  const auto count = as_size(options.labels);
  const double mean = cardinality_of(options) / static_cast<double>(count);
  const double cap = std::max(kLargestRate, mean);
  std::vector<double> rates(count, 1.0);
  for (std::size_t i = 0; count > 1 && i < count; ++i) {
    const double along = static_cast<double>(i) / static_cast<double>(count - 1);
    rates[i] = kRarest * std::pow(kCommonest / kRarest, along);
  }
  // The most common labels are capped one by one; the others share the rest in proportion.
  double left = cardinality_of(options);
  double weight = std::accumulate(rates.begin(), rates.end(), 0.0);
  std::size_t uncapped = count;
  while (uncapped > 0 && rates[uncapped - 1] * left / weight > cap) {
    weight -= rates[uncapped - 1];
    left -= cap;
    rates[--uncapped] = cap;
  }
  for (std::size_t i = 0; i < uncapped; ++i) rates[i] *= left / weight;
  return rates;
}

/// Positives of each label. Rounding errors are carried over, so that the total fits.
std::vector<Index> positive_counts(const GeneratorOptions& options) {
  const auto rates = base_rates(options);
  const auto order = random_order(options.labels, options.seed, "generator-rates");
  const Index least = options.rows > 1 ? 1 : 0;
  std::vector<Index> counts(rates.size());
  double target = 0;
  Index given = 0;
  for (std::size_t i = 0; i < rates.size(); ++i) {
    target += rates[i] * static_cast<double>(options.rows);
    const auto count = std::clamp<Index>(std::llround(target) - given, least, options.rows - least);
    counts[as_size(order[i])] = count;
    given += count;
  }
  return counts;
}

/// Noisy scores of the labels [begin, end), one label per row of the result.
Matrix<double> scores_of(const GeneratorOptions& options, const Features& x,
                         const Matrix<double>& tasks, Index begin, Index end, Work& work) {
  Matrix<double> scores(end - begin, options.rows);
  Matrix<double> weights(options.features, end - begin);  // the weights of a feature side by side
  for (Index label = begin; label < end; ++label) {
    for (Index k = 0; k < options.features; ++k) weights(k, label - begin) = tasks(label, k);
  }
  // The features of a row have the variance `density`.
  const double scale = 1 / std::sqrt(options.density);
  std::vector<double> sums(as_size(end - begin));
  const Index per_row = x.stored() / options.rows + 1;
  for (Index row = 0; row < options.rows; ++row) {
    std::ranges::fill(sums, 0.0);
    x.for_each_in_row(row, [&](FeatureId feature, double value) {
      const auto of_feature = weights.row(feature);
      for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += value * of_feature[i];
    });
    work.add(per_row);
    for (std::size_t i = 0; i < sums.size(); ++i) {
      scores(as_index(i), row) = scale * sums[i];
    }
  }
  for (Index label = begin; label < end; ++label) {
    RandomStream random(options.seed, "generator-noise", static_cast<std::uint64_t>(label));
    for (double& score : scores.row(label - begin)) score += options.noise * random.normal();
    work.add(options.rows);
  }
  return scores;
}

/// The rows with the highest scores: those above the empirical quantile.
std::vector<LabelId> highest(std::span<const double> scores, Index count) {
  std::vector<LabelId> rows(scores.size());
  std::iota(rows.begin(), rows.end(), 0);
  const auto end = rows.begin() + count;
  std::nth_element(rows.begin(), end, rows.end(), [scores](LabelId a, LabelId b) {
    const double score_a = scores[as_size(a)];
    const double score_b = scores[as_size(b)];
    return score_a > score_b || (score_a == score_b && a < b);
  });
  rows.erase(end, rows.end());
  std::ranges::sort(rows);
  return rows;
}

BinaryMatrix label_matrix(const GeneratorOptions& options, const Features& x,
                          const Matrix<double>& tasks, Work& work) {
  const auto counts = positive_counts(options);
  BinaryMatrix rows_of_label;
  rows_of_label.cols = options.rows;
  for (Index begin = 0; begin < options.labels; begin += kPanel) {
    const Index end = std::min(begin + kPanel, options.labels);
    const auto scores = scores_of(options, x, tasks, begin, end, work);
    for (Index label = begin; label < end; ++label) {
      const auto rows = highest(scores.row(label - begin), counts[as_size(label)]);
      rows_of_label.column.insert(rows_of_label.column.end(), rows.begin(), rows.end());
      rows_of_label.end_row();
    }
  }
  return transposed(rows_of_label);
}

/// a, b, ..., z, aa, ab, ...
std::string letters(Index member) {
  std::string result;
  for (Index rest = member + 1; rest > 0; rest = (rest - 1) / 26) {
    result.insert(result.begin(), static_cast<char>('a' + (rest - 1) % 26));
  }
  return result;
}

}  // namespace

GeneratedData generate(const GeneratorOptions& options, Progress* progress) {
  check(options);
  Work work(options, progress);
  GeneratedData result;
  Dataset& data = result.data;
  data.name = "generated";
  for (Index label = 0; label < options.labels; ++label) {
    const Index group = label / options.group_size;
    const Index group_end = std::min((group + 1) * options.group_size, options.labels);
    result.group.push_back(group);
    work.add(group_end - label);
    data.label_names.push_back(
        fmt::format("g{}-{}", group + 1, letters(label % options.group_size)));
    for (Index other = label + 1; other < group_end; ++other) {
      result.related.emplace_back(static_cast<LabelId>(label), static_cast<LabelId>(other));
    }
  }
  for (Index k = 1; k <= options.features; ++k) data.feature_names.push_back(fmt::format("x{}", k));
  data.x = options.density < 1 ? Features(sparse_features(options, work))
                               : dense_features(options, work);
  data.y = label_matrix(options, data.x, task_directions(options, result.group, work), work);
  return result;
}

}  // namespace mugrad
