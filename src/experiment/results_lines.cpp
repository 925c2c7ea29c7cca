// SPDX-License-Identifier: MIT
#include "experiment/results_lines.h"

#include "core/json.h"

#include <mugrad/core/error.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <set>
#include <tuple>
#include <utility>

namespace mugrad {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kVersion = 1;

/// Limit up to which JSON numbers are exact everywhere.
constexpr Index kMostCounted = Index{1} << 53;
constexpr double kMostMeasured = 1e12;  ///< keeps sums and squares of metrics and seconds finite

Json to_json(const ResultsHead& head) {
  Json sets = Json::array();
  for (const auto& set : head.sets) {
    sets.push_back({{"name", set.name},
                    {"rows", set.rows},
                    {"features", set.features},
                    {"labels", set.labels},
                    {"cardinality", set.cardinality},
                    {"fingerprint", fmt::format("{:016x}", set.fingerprint)}});
  }
  Json contenders = Json::array();
  for (const auto& contender : head.contenders) {
    contenders.push_back(
        {{"name", contender.name}, {"method", contender.method}, {"text", contender.text}});
  }
  return {{"mugrad-results", kVersion}, {"protocol", head.protocol},
          {"splits", head.splits},      {"test_share", head.test_share},
          {"sets", std::move(sets)},    {"methods", std::move(contenders)}};
}

template <class Info>
void check_unique(const std::vector<Info>& infos, std::string_view what) {
  std::set<std::string_view> names;
  for (const auto& info : infos) {
    if (!names.insert(info.name).second) {
      throw InputError(fmt::format("two {} are called '{}'", what, info.name));
    }
  }
}

std::uint64_t fingerprint_from(const JsonField& field) {
  const std::string& text = field.text();
  std::uint64_t number = 0;
  const auto* const end = text.data() + text.size();
  const auto [last, code] = std::from_chars(text.data(), end, number, 16);
  if (code != std::errc{} || last != end) field.refuse("must be up to 16 hexadecimal digits");
  return number;
}

ResultsHead head_from(const JsonField& field) {
  ResultsHead head{.protocol = field["protocol"].text(),
                   .splits = field["splits"].whole_number(1, kMostCounted),
                   .test_share = field["test_share"].number(0, 1)};
  if (head.test_share == 1) field["test_share"].refuse("must be below 1");
  const auto sets = field["sets"].items();
  const auto contenders = field["methods"].items();
  if (sets.size() > kMostSets) {
    field["sets"].refuse(fmt::format("must be at most {} data sets", kMostSets));
  }
  if (contenders.size() > kMostContenders) {
    field["methods"].refuse(fmt::format("must be at most {} methods", kMostContenders));
  }
  for (const auto& set : sets) {
    head.sets.push_back({.name = set["name"].text(),
                         .rows = set["rows"].whole_number(0, kMostCounted),
                         .features = set["features"].whole_number(0, kMostCounted),
                         .labels = set["labels"].whole_number(0, kMostCounted),
                         .cardinality = set["cardinality"].number(0, kMostMeasured),
                         .fingerprint = fingerprint_from(set["fingerprint"])});
  }
  for (const auto& contender : contenders) {
    head.contenders.push_back(
        {contender["name"].text(), contender["method"].text(), contender["text"].text()});
  }
  check_unique(head.sets, "data sets");
  check_unique(head.contenders, "methods");
  return head;
}

Json to_json(const Record& record) {
  Json json = {{"set", record.set}, {"method", record.contender}, {"split", record.split}};
  if (!record.failure.empty()) {
    json["failure"] = record.failure;
    return json;
  }
  json["options"] = record.options;
  json["thresholds"] = record.thresholds;
  std::map<std::string, double> by_name;  // files have them in the order of their names
  for (const auto& [metric, value] : record.metrics) by_name[to_string(metric)] = value;
  json["metrics"] = by_name;
  if (record.seconds >= 0) json["seconds"] = record.seconds;
  return json;
}

Metric metric_from(const std::string& name, const JsonField& value) {
  try {
    return metric_named(name);
  } catch (const UsageError& error) {
    throw InputError(fmt::format("{}: {}", value.name(), error.what()));
  }
}

/// `splits` are the splits of the head.
Record record_from(const JsonField& field, Index splits) {
  Record record{.set = field["set"].text(),
                .contender = field["method"].text(),
                .split = field["split"].whole_number(0, splits - 1)};
  if (field.has("failure")) {
    record.failure = field["failure"].text();
    return record;
  }
  for (const auto& [name, text] : field["options"].members()) record.options[name] = text.text();
  record.thresholds = field["thresholds"].text();
  const JsonField metrics = field["metrics"];
  for (const auto& [name, value] : metrics.members()) {
    record.metrics[metric_from(name, value)] =
        metrics.has(name) ? value.number(-kMostMeasured, kMostMeasured) : NAN;
  }
  if (field.has("seconds")) record.seconds = field["seconds"].number(0, kMostMeasured);
  return record;
}

/// Reads the lines of a file one by one. Errors are InputErrors that name the line.
class ResultsReader {
 public:
  explicit ResultsReader(const std::filesystem::path& path) : path_(path) {}

  void read(std::string_view text) {
    ++line_;
    const auto json = parsed(text);
    const JsonField field(json, fmt::format("{}:{}: ", path_.string(), line_));
    if (line_ == 1) {
      read_head(field);
    } else {
      read_record(field);
    }
  }

  Results results;

 private:
  nlohmann::json parsed(std::string_view text) const {
    try {
      return parse_json(text);
    } catch (const InputError& error) {
      fail(fmt::format("it {}", error.what()));
    }
  }

  void read_head(const JsonField& field) {
    if (!field.has("mugrad-results")) {
      throw InputError(fmt::format("{} is not a results file", path_.string()));
    }
    const Index version = field["mugrad-results"].whole_number(1, kMostCounted);
    if (version != kVersion) {
      throw InputError(fmt::format("{} has results of version {}; this program reads {}",
                                   path_.string(), version, kVersion));
    }
    results.head = head_from(field);
  }

  void read_record(const JsonField& field) {
    const auto& head = results.head;
    Record record = record_from(field, head.splits);
    if (std::ranges::find(head.sets, record.set, &SetInfo::name) == head.sets.end()) {
      fail(fmt::format("line 1 names no data set '{}'", record.set));
    }
    if (std::ranges::find(head.contenders, record.contender, &ContenderInfo::name) ==
        head.contenders.end()) {
      fail(fmt::format("line 1 names no method '{}'", record.contender));
    }
    if (!there_.emplace(record.set, record.contender, record.split).second) {
      fail(fmt::format("{} on {}, split {}, occurs twice", record.contender, record.set,
                       record.split));
    }
    results.records.push_back(std::move(record));
  }

  [[noreturn]] void fail(const std::string& why) const {
    throw InputError(fmt::format("{}:{}: {}", path_.string(), line_, why));
  }

  const std::filesystem::path& path_;
  Index line_ = 0;
  std::set<std::tuple<std::string, std::string, Index>> there_;
};

/// Invalid UTF-8 in a name becomes U+FFFD.
std::string as_line(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace

std::string line_of(const ResultsHead& head) { return as_line(to_json(head)); }
std::string line_of(const Record& record) { return as_line(to_json(record)); }

ResultsHead as_written(const ResultsHead& head) {
  const auto json = parse_json(line_of(head));
  return head_from(JsonField(json, "the head of the results: "));
}

ReadSoFar read_whole_lines(const std::filesystem::path& path, std::string_view text) {
  ResultsReader reader(path);
  std::size_t begin = 0;
  for (auto end = text.find('\n'); end != text.npos; end = text.find('\n', begin)) {
    reader.read(text.substr(begin, end - begin));
    begin = end + 1;  // text without a newline is an incomplete line
  }
  if (begin == 0) throw InputError(fmt::format("{} has no results", path.string()));
  return {std::move(reader.results), begin};
}

}  // namespace mugrad
