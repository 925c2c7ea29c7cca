// SPDX-License-Identifier: MIT
#include "experiment/results_lines.h"

#include <mugrad/core/error.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <utility>

namespace mugrad {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kVersion = 1;

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

ResultsHead head_from(const Json& json) {
  ResultsHead head{.protocol = json.at("protocol"),
                   .splits = json.at("splits"),
                   .test_share = json.at("test_share")};
  for (const auto& set : json.at("sets")) {
    head.sets.push_back(
        {.name = set.at("name"),
         .rows = set.at("rows"),
         .features = set.at("features"),
         .labels = set.at("labels"),
         .cardinality = set.at("cardinality"),
         .fingerprint = std::stoull(set.at("fingerprint").get<std::string>(), nullptr, 16)});
  }
  for (const auto& contender : json.at("methods")) {
    head.contenders.push_back({contender.at("name"), contender.at("method"), contender.at("text")});
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
  json["options"] = Json::object();
  for (const auto& [name, text] : record.options) json["options"][name] = text;
  json["thresholds"] = record.thresholds;
  json["metrics"] = Json::object();
  for (const auto& [name, value] : record.metrics) json["metrics"][name] = value;
  if (record.seconds >= 0) json["seconds"] = record.seconds;
  return json;
}

Record record_from(const Json& json) {
  Record record{.set = json.at("set"), .contender = json.at("method"), .split = json.at("split")};
  if (json.contains("failure")) {
    record.failure = json.at("failure");
    return record;
  }
  for (const auto& [name, text] : json.at("options").items()) record.options[name] = text;
  record.thresholds = json.at("thresholds");
  for (const auto& [name, value] : json.at("metrics").items()) {
    record.metrics[name] = value.is_null() ? NAN : value.get<double>();
  }
  record.seconds = json.value("seconds", -1.0);
  return record;
}

/// Reads the lines of a file one by one. Whatever is wrong is an InputError that names the line.
class LineReader {
 public:
  explicit LineReader(const std::filesystem::path& path) : path_(path) {}

  void read(std::string_view text) {
    ++line_;
    try {
      const auto json = Json::parse(text);
      if (line_ == 1) {
        read_head(json);
      } else {
        read_record(json);
      }
    } catch (const InputError&) {
      throw;
    } catch (const std::exception& error) {
      fail(fmt::format("not a record of results: {}", error.what()));
    }
  }

  Results results;

 private:
  void read_head(const Json& json) {
    if (!json.is_object() || !json.contains("mugrad-results")) {
      throw InputError(fmt::format("{} is no file of results", path_.string()));
    }
    if (json.at("mugrad-results") != kVersion) {
      throw InputError(fmt::format("{} has results of version {}; this program reads {}",
                                   path_.string(), json.at("mugrad-results").dump(), kVersion));
    }
    try {
      results.head = head_from(json);
    } catch (const InputError& error) {
      fail(error.what());
    }
  }

  void read_record(const Json& json) {
    const auto& head = results.head;
    Record record = record_from(json);
    if (std::ranges::find(head.sets, record.set, &SetInfo::name) == head.sets.end()) {
      fail(fmt::format("line 1 names no data set '{}'", record.set));
    }
    if (std::ranges::find(head.contenders, record.contender, &ContenderInfo::name) ==
        head.contenders.end()) {
      fail(fmt::format("line 1 names no method '{}'", record.contender));
    }
    if (!json.at("split").is_number_integer() || record.split < 0 || record.split >= head.splits) {
      fail(fmt::format("split {} is not one of the {} from 0 on", json.at("split").dump(),
                       head.splits));
    }
    if (!there_.emplace(record.set, record.contender, record.split).second) {
      fail(fmt::format("{} on {}, split {}, is there already", record.contender, record.set,
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

/// What is no UTF-8 in a name becomes U+FFFD.
std::string as_line(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace

std::string line_of(const ResultsHead& head) { return as_line(to_json(head)); }
std::string line_of(const Record& record) { return as_line(to_json(record)); }

ResultsHead as_written(const ResultsHead& head) { return head_from(Json::parse(line_of(head))); }

ReadSoFar read_whole_lines(const std::filesystem::path& path, std::string_view text) {
  LineReader reader(path);
  std::size_t begin = 0;
  for (auto end = text.find('\n'); end != text.npos; end = text.find('\n', begin)) {
    reader.read(text.substr(begin, end - begin));
    begin = end + 1;  // what follows without a newline was cut off while it was written
  }
  if (begin == 0) throw InputError(fmt::format("{} has no results", path.string()));
  return {std::move(reader.results), begin};
}

}  // namespace mugrad
