// SPDX-License-Identifier: MIT
#include <mugrad/core/error.h>
#include <mugrad/experiment/compare.h>
#include <mugrad/method/method.h>

#include <fmt/format.h>

#include <charconv>
#include <sstream>

namespace mugrad {
namespace {

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  stream.exceptions(std::ios::badbit);  // rethrows bad_alloc
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

Index whole_number(const std::string& text, std::string_view option, Index least) {
  Index value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code == std::errc{} && end == text.data() + text.size() && value >= least) return value;
  throw UsageError(
      fmt::format("{} must be a whole number of at least {}, got '{}'", option, least, text));
}

double share(const std::string& text, std::string_view option) {
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code == std::errc{} && end == text.data() + text.size() && value > 0 && value < 1) {
    return value;
  }
  throw UsageError(fmt::format("{} must be between 0 and 1, got '{}'", option, text));
}

/// The options of tuning itself; returns false for others.
bool take_tuning_option(const std::string& name, const std::string& value, Contender& contender) {
  TuneOptions& tuning = contender.tuning;
  InnerProtocol& inner = tuning.inner;
  if (name == "draws") {
    tuning.draws = whole_number(value, name, 1);
  } else if (name == "metric") {
    tuning.for_each_metric = value == "each";
    tuning.metric = tuning.for_each_metric ? Metric{} : metric_named(value);
  } else if (name == "thresholds") {
    tuning.thresholds = threshold_rule_named(value);
  } else if (name == "threshold-metric") {
    tuning.threshold_metric = threshold_metric_named(value);
  } else if (name == "at-precision") {
    tuning.threshold_target = {ThresholdTarget::Quantity::precision, share(value, name)};
  } else if (name == "at-recall") {
    tuning.threshold_target = {ThresholdTarget::Quantity::recall, share(value, name)};
  } else if (name == "inner-folds") {
    inner.folds = whole_number(value, name, 2);
  } else if (name == "holdout") {
    inner.folds = 1;
    inner.train = 1 - share(value, name);
  } else if (name == "inner-stratified") {
    inner.stratified = true;
  } else if (name == "tune-seed") {
    tuning.seed = inner.seed = static_cast<std::uint64_t>(whole_number(value, name, 0));
  } else {
    return false;
  }
  return true;
}

bool searches_as_usual(const std::string& value) {
  if (value == "usual") return true;
  if (value == "none") return false;
  throw UsageError(fmt::format("search must be usual or none, got '{}'", value));
}

/// Throws UsageError for the first setting that the method refuses.
void check_settings(const Method& method, const TuneOptions& tuning) {
  const auto& [stages, fixed, trial_only, is_usual] = tuning.search;
  if (stages.empty()) method.check(fixed);
  for (const auto& stage : stages) {
    const auto settings = tuning.draws > 0 ? drawn_settings(stage, fixed, tuning.draws, tuning.seed)
                                           : all_settings(stage, fixed);
    for (const auto& setting : settings) method.check(setting);
  }
}

/// " --rho 0.1,1 --sigma 0.01..1".
std::string listed_text(const SearchSpace& space) {
  std::string text;
  for (const auto& dimension : space) {
    text += fmt::format(" --{} ", dimension.option);
    if (dimension.values.empty()) text += fmt::format("{}..{}", dimension.low, dimension.high);
    text += fmt::format("{}", fmt::join(dimension.values, ","));
  }
  return text;
}

/// Options as words: "--rho 0.1 --weka-ridge --sigma=0.3".
class OptionWords {
 public:
  explicit OptionWords(std::vector<std::string> words) : words_(std::move(words)) {}

  bool next(std::string& name, std::string& value) {
    if (at_ == words_.size()) return false;
    const std::string& word = words_[at_++];
    if (!word.starts_with("--") || word.size() == 2) {
      throw UsageError(fmt::format("'{}' is not an option: they start with --", word));
    }
    const auto equals = word.find('=');
    name = word.substr(2, equals == std::string::npos ? equals : equals - 2);
    if (equals != std::string::npos) {
      value = word.substr(equals + 1);
    } else if (at_ < words_.size() && !words_[at_].starts_with("--")) {
      value = words_[at_++];
      // The convention of a metric may follow in parentheses.
      if (at_ < words_.size() && words_[at_].starts_with('(')) value += " " + words_[at_++];
    } else {
      value = "true";
    }
    return true;
  }

 private:
  std::vector<std::string> words_;
  std::size_t at_ = 0;
};

Contender parse(std::string_view text, const Contender& usual, bool tuned) {
  Contender contender{.name = {}, .method = {}, .tuning = usual.tuning};
  std::string rest(text);
  if (const auto colon = text.find(':'); colon != std::string_view::npos) {
    const auto name = words_of(std::string(text.substr(0, colon)));
    if (name.size() != 1) throw UsageError("the name before the colon must be one word");
    contender.name = name.front();
    rest = text.substr(colon + 1);
  }
  auto words = words_of(rest);
  if (words.empty()) throw UsageError("it names no method");
  contender.method = words.front();
  if (contender.name.empty()) contender.name = contender.method;
  const Method& method = method_named(contender.method);
  words.erase(words.begin());

  OptionValues given;
  OptionWords options(std::move(words));
  for (std::string name, value; options.next(name, value);) {
    if (take_tuning_option(name, value, contender)) continue;
    if (name == "search") {
      tuned = searches_as_usual(value);
      continue;
    }
    if (name == "preset") {
      for (const auto& [option, preset] : preset_named(method, value).values) {
        given.try_emplace(option, preset);
      }
      continue;
    }
    // As on the command line, --no-FLAG is the opposite of --FLAG.
    const bool is_opposite = name.starts_with("no-") && value == "true";
    is_opposite ? given[name.substr(3)] = "false" : given[name] = value;
  }
  contender.tuning.search =
      search_of(method.traits(), method.with_current_names(std::move(given)), tuned);
  check_settings(method, contender.tuning);
  return contender;
}

}  // namespace

Contender parse_contender(std::string_view text, const Contender& usual, bool tuned) {
  try {
    return parse(text, usual, tuned);
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("'{}': {}", text, error.what()));
  }
}

std::string to_text(const Contender& contender) {
  std::string text = contender.method;
  const auto& tuning = contender.tuning;
  for (const auto& [name, value] : tuning.search.fixed)
    text += fmt::format(" --{} {}", name, value);
  if (tuning.search.is_usual) {
    text += " --search usual";
  } else if (!tuning.search.stages.empty()) {
    text += listed_text(tuning.search.stages.front().space);
  } else if (contender.is_tuned()) {
    text += " --search none";
  }
  if (!contender.is_tuned()) return text;
  if (tuning.draws > 0) text += fmt::format(" --draws {}", tuning.draws);
  text += fmt::format(" --metric {}", tuning.for_each_metric ? "each" : to_string(tuning.metric));
  const auto& inner = tuning.inner;
  text += inner.folds > 1 ? fmt::format(" --inner-folds {}", inner.folds)
                          : fmt::format(" --holdout {:g}", 1 - inner.train);
  if (inner.stratified) text += " --inner-stratified";
  text += fmt::format(" --tune-seed {}", tuning.seed);
  if (tuning.thresholds != ThresholdRule::keep) {
    text += fmt::format(" --thresholds {} --threshold-metric {}", to_string(tuning.thresholds),
                        to_string(tuning.threshold_metric));
    if (const auto& target = tuning.threshold_target) {
      const bool is_precision = target->quantity == ThresholdTarget::Quantity::precision;
      text += fmt::format(" --at-{} {}", is_precision ? "precision" : "recall", target->value);
    }
  }
  return text;
}

}  // namespace mugrad
