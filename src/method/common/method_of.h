// SPDX-License-Identifier: MIT
#pragma once

#include "method/common/gaussian_request.h"
#include "method/common/option_list.h"

#include <mugrad/core/error.h>
#include <mugrad/method/method.h>

#include <fmt/format.h>

#include <optional>
#include <utility>

namespace mugrad {

/// Comparing settings in tuning needs less accuracy than the final model.
inline constexpr const char* kTrialTolerance = "0.001";
/// For methods that solve on a quantity computed from the data, such as a matrix of products.
inline constexpr ReportWords kIterations = {.effort = "iterations", .minimised = "objective"};

/// Options by name as a struct. Throws UsageError, starting with the method's name.
template <class Options>
Options options_of(std::string_view method, const OptionValues& values) {
  Options options;
  OptionList list;
  list_options(options, list);
  for (const auto& [name, text] : values) {
    try {
      list.set(name, text);
    } catch (const UsageError& error) {
      throw UsageError(fmt::format("method {}: {}", method, error.what()));
    }
  }
  return options;
}

/// Throws UsageError for the first option out of range.
template <class Options>
void check_options(const Options& options) {
  Options copy = options;
  OptionList list;
  list_options(copy, list);
  list.check();
}

/// The function `fit` for the options, for use where a member hides it.
template <class Options>
Model fit_with(const Dataset& data, const Options& options, Progress* progress) {
  return fit(data, options, progress);
}

template <class Options>
concept TakesStart = requires(Options options, TrainingExtras extras) {
  options.initial = extras.start;
};
template <class Options>
concept TakesPrior = requires(Options options, TrainingExtras extras) {
  options.prior = extras.prior;
};
template <class Options>
concept TakesTransfer = requires(Options options, TrainingExtras extras) {
  options.transfer = extras.transfer;
};
template <class Options>
concept TakesSigmaPerLabel = requires(Options options, TrainingExtras extras) {
  options.sigma_per_label = extras.sigma_per_label;
};
template <class Options>
concept TakesPositiveWeights = requires(Options options, TrainingExtras extras) {
  options.positive_weights = extras.positive_weights;
};

/// A method whose options are a struct. The struct needs list_options(Options&, OptionList&),
/// memory_need(const DataShape&, const Options&) and fit(const Dataset&, const Options&,
/// Progress*). The method accepts the extras that the struct has fields for.
template <class Options>
class MethodOf : public Method, public TakesGaussian {
 public:
  MethodOf(std::string_view name, std::string_view summary, MethodTraits traits)
      : name_(name), summary_(summary), traits_(std::move(traits)) {
    traits_.takes_start = TakesStart<Options>;
    traits_.takes_prior = TakesPrior<Options>;
    traits_.takes_transfer = TakesTransfer<Options>;
    traits_.takes_sigma_per_label = TakesSigmaPerLabel<Options>;
    traits_.takes_positive_weights = TakesPositiveWeights<Options>;
  }

  std::string_view name() const override { return name_; }
  std::string_view summary() const override { return summary_; }
  const MethodTraits& traits() const override { return traits_; }

  std::vector<OptionInfo> options() const override {
    Options options;
    OptionList list;
    list_options(options, list);
    return list.infos();
  }

  void check(const OptionValues& values) const override {
    check_options(options_of<Options>(name_, values));
  }

  using Method::fit;
  Model fit(const Dataset& data, const OptionValues& values, const TrainingExtras& extras,
            Threads threads, Progress* progress) const override {
    auto options = options_of<Options>(name_, values);
    options.threads = threads;
    take(extras, options);
    return fit_with(data, options, progress);
  }

  MemoryNeed memory(const DataShape& shape, const OptionValues& values,
                    Threads threads) const override {
    auto options = options_of<Options>(name_, values);
    options.threads = threads;
    return whole_memory_need(shape, options);
  }

  std::optional<GaussianRequest> gaussian_request(const OptionValues& values,
                                                  Threads threads) const override {
    auto options = options_of<Options>(name_, values);
    options.threads = threads;
    if (!is_gaussian(options)) return std::nullopt;
    return mugrad::gaussian_request(options);
  }

 private:
  void take(const TrainingExtras& extras, Options& options) const {
    if constexpr (TakesStart<Options>) options.initial = extras.start;
    if constexpr (TakesPrior<Options>) options.prior = extras.prior;
    if constexpr (TakesTransfer<Options>) options.transfer = extras.transfer;
    if constexpr (TakesSigmaPerLabel<Options>) options.sigma_per_label = extras.sigma_per_label;
    if constexpr (TakesPositiveWeights<Options>) {
      options.positive_weights = extras.positive_weights;
    }
    refuse_unless(traits_.takes_start || !extras.start, "model to start from",
                  &MethodTraits::takes_start);
    refuse_unless(traits_.takes_prior || !extras.prior, "model to continue",
                  &MethodTraits::takes_prior);
    refuse_unless(traits_.takes_transfer || !extras.transfer, "transfer matrix",
                  &MethodTraits::takes_transfer);
    refuse_unless(traits_.takes_sigma_per_label || extras.sigma_per_label.empty(),
                  "transfer strength per label", &MethodTraits::takes_sigma_per_label);
    refuse_unless(traits_.takes_positive_weights || extras.positive_weights.empty(),
                  "weight of positives per label", &MethodTraits::takes_positive_weights);
  }
  void refuse_unless(bool holds, std::string_view what, bool MethodTraits::*takes) const {
    if (holds) return;
    const auto does = [=](const MethodTraits& traits) { return traits.*takes; };
    throw UsageError(fmt::format("{} takes no {}, unlike {}", name_, what, names_of_methods(does)));
  }

  std::string_view name_, summary_;
  MethodTraits traits_;
};

/// The options by name, for a model file.
template <class Options>
OptionValues options_text(const Options& options) {
  Options copy = options;
  OptionList list;
  list_options(copy, list);
  return list.as_text();
}

}  // namespace mugrad
