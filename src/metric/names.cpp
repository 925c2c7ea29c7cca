// SPDX-License-Identifier: MIT
#include <mugrad/core/error.h>
#include <mugrad/metric/evaluate.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace mugrad {
namespace {

constexpr std::array<std::string_view, 4> kLargerIsBetter = {"average-precision", "macro-f1",
                                                             "micro-f1", "subset-accuracy"};
constexpr std::array<std::string_view, 4> kSmallerIsBetter = {"coverage", "ranking-loss",
                                                              "one-error", "hamming-loss"};
constexpr std::array<std::string_view, 2> kAtK = {"precision@", "ndcg@"};

bool is_at_k(std::string_view metric) {
  for (const std::string_view prefix : kAtK) {
    if (!metric.starts_with(prefix)) continue;
    const auto k = metric.substr(prefix.size());
    return !k.empty() && k.front() != '0' && k.find_first_not_of("0123456789") == k.npos;
  }
  return false;
}

}  // namespace

bool larger_is_better(std::string_view metric) {
  if (is_at_k(metric) || std::ranges::count(kLargerIsBetter, metric) > 0) return true;
  if (std::ranges::count(kSmallerIsBetter, metric) > 0) return false;
  throw UsageError(fmt::format("there is no metric '{}'; there are {}, {}, precision@K, ndcg@K",
                               metric, fmt::join(kLargerIsBetter, ", "),
                               fmt::join(kSmallerIsBetter, ", ")));
}

double Evaluation::operator[](std::string_view name) const {
  const auto found = std::ranges::find(metrics, name, &MetricValue::name);
  if (found != metrics.end()) return found->value;
  std::vector<std::string_view> names;
  for (const MetricValue& metric : metrics) names.emplace_back(metric.name);
  throw UsageError(fmt::format("there is no metric '{}' in this evaluation; there are {}", name,
                               fmt::join(names, ", ")));
}

}  // namespace mugrad
