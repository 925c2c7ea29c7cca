// SPDX-License-Identifier: MIT
#include "experiment/represented_splits.h"

#include "data/gaussian_fit.h"
#include "method/common/gaussian_training.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace mugrad {
namespace {

constexpr Index kMostNumbers = Index{1} << 24;  // at most 128 MiB

/// The Gaussian features that all settings ask for; empty if they do not.
std::optional<GaussianRequest> common_request(const Method& method,
                                              const std::vector<OptionValues>& settings,
                                              Threads threads) {
  std::optional<GaussianRequest> common;
  for (const OptionValues& values : settings) {
    const auto request = gaussian_request(method, values, threads);
    if (!request || (common && !same_features(*request, *common))) return std::nullopt;
    common = request;
  }
  return common;
}

Index represented_numbers(const Dataset& data, Index centres) {
  return data.rows() * (data.features() + centres);
}

Index numbers_of(const Split& split) {
  return split.train.rows() * split.train.features() + split.test.rows() * split.test.features();
}

std::shared_ptr<const Split> represented(const Split& split, const GaussianRequest& request,
                                         Progress* progress) {
  GaussianData train(split.train, request, progress);
  ThreadPool pool(request.threads);
  auto test = expanded_rows(split.test.x, train.representation, pool, progress);
  return std::make_shared<const Split>(Split{.train = std::move(train.data),
                                             .test = {.name = split.test.name,
                                                      .x = std::move(test),
                                                      .y = split.test.y,
                                                      .unknown = split.test.unknown,
                                                      .row_weights = split.test.row_weights,
                                                      .label_names = split.test.label_names}});
}

}  // namespace

RepresentedSplits::Represented RepresentedSplits::find(std::size_t number, const Split& split,
                                                       const Method& method,
                                                       const std::vector<OptionValues>& settings,
                                                       Threads threads, Progress* progress) {
  const auto request = common_request(method, settings, threads);
  if (!request) return {};
  const Index centres = std::min(split.train.rows(), request->features.centres);
  const Index of_test = represented_numbers(split.test, centres);
  if (of_test > kMostNumbers) return {};
  Represented result;
  {
    const auto entry = entry_of(number, *request);
    const std::lock_guard one_at_a_time(entry->mutex);
    result.split = entry->split;
    if (result.split == nullptr) {
      for (const OptionValues& values : settings) {
        check_gaussian_training(split.train, method.memory(shape_of(split.train), values, threads));
      }
      result.split = represented(split, *request, progress);
      if (has_room_for(numbers_of(*result.split))) entry->split = result.split;
    }
  }
  for (const OptionValues& values : settings) {
    result.settings.push_back(method.with_current_names(values));
    result.settings.back()["representation"] = to_string(RepresentationKind::none);
  }
  return result;
}

std::shared_ptr<RepresentedSplits::Entry> RepresentedSplits::entry_of(
    std::size_t number, const GaussianRequest& request) {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find_if(entries_, [&](const auto& entry) {
    return entry->number == number && same_features(entry->request, request);
  });
  if (found != entries_.end()) return *found;
  return entries_.emplace_back(std::make_shared<Entry>(number, request));
}

bool RepresentedSplits::has_room_for(Index numbers) {
  const std::lock_guard lock(mutex_);
  if (numbers_ + numbers > kMostNumbers) return false;
  numbers_ += numbers;
  return true;
}

}  // namespace mugrad
