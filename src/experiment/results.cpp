// SPDX-License-Identifier: MIT
#include "core/system_call.h"

#include <mugrad/core/error.h>
#include <mugrad/experiment/results.h>

#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <bit>
#include <cmath>
#include <fstream>
#include <sstream>
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

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    throw InputError(fmt::format("cannot read {}: {}", path.string(), reason_of(errno)));
  }
  std::ostringstream text;
  text << file.rdbuf();
  return std::move(text).str();
}

struct ReadSoFar {
  Results results;
  std::size_t whole_bytes = 0;  ///< up to the end of the last whole line
};

ReadSoFar read_whole_lines(const std::filesystem::path& path) {
  const std::string text = text_of(path);
  ReadSoFar found;
  Index line = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = text.find('\n', begin);
    if (end == std::string::npos) break;  // cut off while it was written
    ++line;
    try {
      const auto json = Json::parse(text.begin() + static_cast<std::ptrdiff_t>(begin),
                                    text.begin() + static_cast<std::ptrdiff_t>(end));
      if (line == 1) {
        if (!json.is_object() || !json.contains("mugrad-results")) {
          throw InputError(fmt::format("{} is no file of results", path.string()));
        }
        if (json.at("mugrad-results") != kVersion) {
          throw InputError(fmt::format("{} has results of version {}; this program reads {}",
                                       path.string(), json.at("mugrad-results").dump(), kVersion));
        }
        found.results.head = head_from(json);
      } else {
        found.results.records.push_back(record_from(json));
      }
    } catch (const std::exception& error) {
      if (dynamic_cast<const InputError*>(&error) != nullptr) throw;
      throw InputError(
          fmt::format("{}:{}: not a record of results: {}", path.string(), line, error.what()));
    }
    begin = end + 1;
    found.whole_bytes = begin;
  }
  if (line == 0) throw InputError(fmt::format("{} has no results", path.string()));
  return found;
}

/// In which respect two comparisons are not the same; empty: they are.
std::string difference(const ResultsHead& there, const ResultsHead& here) {
  if (there.protocol != here.protocol) {
    return fmt::format("its protocol is '{}', not '{}'", there.protocol, here.protocol);
  }
  if (there.sets != here.sets) {
    for (const auto& set : here.sets) {
      for (const auto& other : there.sets) {
        if (set.name == other.name && !(set == other)) {
          return fmt::format("the data of {} are not the same", set.name);
        }
      }
    }
    return "it is about other data sets";
  }
  if (there.contenders != here.contenders) {
    for (std::size_t k = 0; k < here.contenders.size() && k < there.contenders.size(); ++k) {
      if (here.contenders[k] == there.contenders[k]) continue;
      return fmt::format("where it has '{}' there is now '{}'", there.contenders[k].text,
                         here.contenders[k].text);
    }
    return fmt::format("it has {} methods, not {}", there.contenders.size(),
                       here.contenders.size());
  }
  return there.splits != here.splits ? "it has another number of splits" : "";
}

}  // namespace

const Record* Results::find(std::string_view set, std::string_view contender, Index split) const {
  for (const auto& record : records) {
    if (record.set == set && record.contender == contender && record.split == split) return &record;
  }
  return nullptr;
}

ResultsFile::ResultsFile(std::filesystem::path path, int descriptor, Results results)
    : path_(std::move(path)), descriptor_(descriptor), results_(std::move(results)) {}

ResultsFile::ResultsFile(ResultsFile&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      results_(std::move(other.results_)) {}

ResultsFile::~ResultsFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

ResultsFile ResultsFile::create(const std::filesystem::path& path, const ResultsHead& head) {
  const int descriptor =
      retried([&] { return ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666); });
  if (descriptor < 0) {
    throw InputError(
        errno == EEXIST
            ? fmt::format("{} exists: go on with it (--resume) or name another file", path.string())
            : fmt::format("cannot make {}: {}", path.string(), reason_of(errno)));
  }
  ResultsFile file(path, descriptor, {.head = head, .records = {}});
  file.append(to_json(head).dump());
  return file;
}

ResultsFile ResultsFile::resume(const std::filesystem::path& path, const ResultsHead& head) {
  if (!std::filesystem::exists(path)) return create(path, head);
  // Killed before its first line was whole: it knows nothing yet.
  if (text_of(path).find('\n') == std::string::npos) {
    std::filesystem::remove(path);
    return create(path, head);
  }
  auto [results, whole_bytes] = read_whole_lines(path);
  if (const auto what = difference(results.head, head); !what.empty()) {
    throw InputError(fmt::format("{} cannot be gone on with: {}", path.string(), what));
  }
  std::error_code failure;
  std::filesystem::resize_file(path, whole_bytes, failure);
  const int descriptor =
      failure ? -1 : retried([&] { return ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC); });
  if (descriptor < 0) {
    throw InputError(fmt::format("cannot write to {}: {}", path.string(),
                                 failure ? failure.message() : reason_of(errno)));
  }
  return ResultsFile(path, descriptor, std::move(results));
}

void ResultsFile::append(std::string line) {
  line += '\n';
  for (std::string_view left = line; !left.empty();) {
    const auto written = retried([&] { return ::write(descriptor_, left.data(), left.size()); });
    if (written < 0) {
      throw InputError(fmt::format("cannot write to {}: {}", path_.string(), reason_of(errno)));
    }
    left.remove_prefix(static_cast<std::size_t>(written));
  }
  if (retried([&] { return ::fsync(descriptor_); }) != 0 && errno != EINVAL) {
    throw InputError(fmt::format("cannot write to {}: {}", path_.string(), reason_of(errno)));
  }
}

void ResultsFile::add(Record record) {
  append(to_json(record).dump());
  results_.records.push_back(std::move(record));
}

Results read_results(const std::filesystem::path& path) { return read_whole_lines(path).results; }

std::uint64_t fingerprint(const Dataset& data) {
  // FNV-1a over 64-bit words.
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto mix = [&](std::uint64_t word) { hash = (hash ^ word) * 0x100000001b3; };
  mix(static_cast<std::uint64_t>(data.rows()));
  mix(static_cast<std::uint64_t>(data.features()));
  mix(static_cast<std::uint64_t>(data.labels()));
  for (Index row = 0; row < data.rows(); ++row) {
    data.x.for_each_in_row(row, [&](FeatureId column, double value) {
      if (value == 0) return;
      mix(static_cast<std::uint64_t>(column));
      mix(std::bit_cast<std::uint64_t>(value));
    });
    mix(~std::uint64_t{0});
    for (const LabelId label : data.y.row(row)) mix(static_cast<std::uint64_t>(label));
    for (const LabelId label : data.unknown_of(row)) mix(~static_cast<std::uint64_t>(label));
  }
  return hash;
}

}  // namespace mugrad
