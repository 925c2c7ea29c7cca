// SPDX-License-Identifier: MIT
#pragma once

#include "method/option_list.h"

#include <mugrad/core/error.h>
#include <mugrad/method/method.h>

#include <fmt/format.h>

namespace mugrad {

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

/// The function `fit` that goes with the options; where a member hides it.
template <class Options>
Model fit_with(const Dataset& data, const Options& options, Observer* observer) {
  return fit(data, options, observer);
}

/// A method whose options are a struct: needs list_options(Options&, OptionList&),
/// memory_need(const DataShape&, const Options&) and fit(const Dataset&, const Options&, Observer*)
/// for it.
template <class Options>
class MethodOf : public Method {
 public:
  constexpr MethodOf(std::string_view name, std::string_view summary, ReportWords words = {})
      : name_(name), summary_(summary), words_(words) {}

  std::string_view name() const override { return name_; }
  std::string_view summary() const override { return summary_; }
  ReportWords report_words() const override { return words_; }

  std::vector<OptionInfo> options() const override {
    Options options;
    OptionList list;
    list_options(options, list);
    return list.infos();
  }

  void check(const OptionValues& values) const override {
    check_options(options_of<Options>(name_, values));
  }

  Model fit(const Dataset& data, const OptionValues& values, Threads threads,
            Observer* observer) const override {
    auto options = options_of<Options>(name_, values);
    options.threads = threads;
    return fit_with(data, options, observer);
  }

  MemoryNeed memory(const DataShape& shape, const OptionValues& values,
                    Threads threads) const override {
    auto options = options_of<Options>(name_, values);
    options.threads = threads;
    return memory_need(shape, options);
  }

 private:
  std::string_view name_, summary_;
  ReportWords words_;
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
