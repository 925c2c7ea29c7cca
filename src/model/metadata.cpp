// SPDX-License-Identifier: MIT
#include "model/metadata.h"

#include "core/json.h"
#include "model/encoding_json.h"
#include "model/head_kind.h"

#include <mugrad/core/error.h>
#include <mugrad/version.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <utility>

namespace mugrad {
namespace {

using nlohmann::json;
using Metadata = std::map<std::string, std::string>;

constexpr const char* kFormat = "mugrad-model";
/// The newest that this program reads; a model has the lowest that its head is in.
constexpr int kFormatVersion = 3;
constexpr Index kMostIndex = std::numeric_limits<Index>::max();
constexpr Index kMostLabel = std::numeric_limits<LabelId>::max();

/// The report in format 2, whose readers require every key: without a solve, texts are empty and
/// numbers are 0; likewise for a fixed step.
json report_for_file(const TrainingReport& report) {
  const SolveFacts solve = report.solve.value_or(SolveFacts{});
  const FixedStep fixed = solve.fixed_step.value_or(FixedStep{});
  return {{"method", report.method},
          {"solver", solve.solver},
          {"stop", solve.stop},
          {"rows", report.rows},
          {"passes", solve.effort},
          {"step", fixed.step},
          {"curvature", fixed.curvature},
          {"first_residual", solve.first_residual},
          {"residual", solve.residual},
          {"total_loss", solve.minimised},
          {"constant_labels", report.constant_labels},
          {"warnings", report.warnings}};
}

/// One entry of the metadata, parsed.
class Entry {
 public:
  Entry(const Metadata& metadata, const std::string& key) {
    constexpr const char* kBefore = "its metadata entry ";
    const auto found = metadata.find(key);
    if (found == metadata.end()) throw InputError(fmt::format("its metadata lacks '{}'", key));
    try {
      value_ = parse_json(found->second);
    } catch (const InputError& error) {
      throw InputError(fmt::format("{}{} {}", kBefore, key, error.what()));
    }
    field_.emplace(value_, kBefore, key);
  }
  Entry(const Entry&) = delete;
  Entry& operator=(const Entry&) = delete;

  const JsonField& operator*() const { return *field_; }
  const JsonField* operator->() const { return &*field_; }

 private:
  json value_;
  std::optional<JsonField> field_;
};

std::optional<SolveFacts> solve_from(const JsonField& field) {
  SolveFacts solve{.solver = field["solver"].text(),
                   .stop = field["stop"].text(),
                   .effort = field["passes"].whole_number(0, kMostIndex),
                   .first_residual = field["first_residual"].number(),
                   .residual = field["residual"].number(),
                   .minimised = field["total_loss"].number()};
  const FixedStep fixed{field["step"].number(), field["curvature"].number()};
  if (fixed.step != 0) solve.fixed_step = fixed;
  // Version 0.1 also named a solver if no label was trained.
  const bool is_all_zero = solve.effort == 0 && solve.first_residual == 0 && solve.minimised == 0;
  if (solve.solver.empty() || is_all_zero) return std::nullopt;
  return solve;
}

TrainingReport report_from(const JsonField& field) {
  const auto labels = field["constant_labels"].whole_numbers(0, kMostLabel);
  return {.method = field["method"].text(),
          .rows = field["rows"].whole_number(0, kMostIndex),
          .constant_labels = {labels.begin(), labels.end()},
          .warnings = field["warnings"].texts(),
          .solve = solve_from(field)};
}

/// Without the statistics of features, which are tensors. Unit rows of format 2 have length 1.
json representation_to_json(const Representation& representation) {
  json result = {{"kind", to_string(representation.kind)}};
  if (representation.row_length > 0 && representation.row_length != 1) {
    result["row_length"] = representation.row_length;
  }
  if (representation.kind == RepresentationKind::gaussian) {
    result["decay"] = representation.gaussian.decay;
  }
  if (!representation.term_blocks.empty()) {
    result["text_length"] = representation.text_length;
    result["beside_texts"] = representation.beside_texts;
  }
  return result;
}

void read_representation(const JsonField& field, Representation& representation) {
  try {
    representation.kind = representation_named(field["kind"].text());
  } catch (const UsageError& error) {
    throw InputError(fmt::format("its representation is unknown: {}", error.what()));
  }
  if (representation.kind == RepresentationKind::gaussian) {
    representation.gaussian.decay = field["decay"].number();
  }
  if (field.has("text_length")) {
    representation.text_length = field["text_length"].number();
    representation.beside_texts = field["beside_texts"].number();
  }
  if (!has_row_length(representation.kind)) return;
  representation.row_length = field.has("row_length") ? field["row_length"].number() : 1;
}

/// The lowest format that can hold the model.
int format_of(const ModelContents& contents) {
  const auto kind = contents.representation.kind;
  const bool is_new = kind == RepresentationKind::unit || kind == RepresentationKind::tfidf ||
                      kind == RepresentationKind::gaussian ||
                      !contents.representation.term_blocks.empty();
  return std::max(format_of(contents.head), is_new || !contents.calibration.is_empty() ? 3 : 2);
}

void read_setting(std::string_view text, Link& link) { link = link_named(text); }
void read_setting(std::string_view text, Vote& vote) { vote = vote_named(text); }
void read_setting(std::string_view text, LabelsetScore& score) {
  score = labelset_score_named(text);
}

/// The kind of head and its fields that are not tensors.
json head_to_json(const Head& head) {
  json result = {{"kind", kind_of(head)}};
  for (const auto& field : fields_of(head)) {
    std::visit(
        [&]<class Value>(const Value& value) {
          if constexpr (std::is_same_v<Value, std::string_view> || Setting<Value>) {
            result[std::string(field.name)] = value;
          }
        },
        field.value);
  }
  return result;
}

void read_setting(const JsonField& field, Index& number) {
  number = field.whole_number(0, kMostIndex);
}
void read_setting(const JsonField& field, double& number) { number = field.number(); }
template <class Choice>
requires std::is_enum_v<Choice>
void read_setting(const JsonField& field, Choice& choice) {
  try {
    read_setting(field.text(), choice);
  } catch (const UsageError& error) {
    throw InputError(fmt::format("its head is unknown: {}", error.what()));
  }
}

Head head_from(const JsonField& field) {
  const std::string name = field["kind"].text();
  auto heads = empty_heads();
  const auto head = std::ranges::find(heads, name, kind_of);
  if (head == heads.end()) {
    throw InputError(fmt::format("its head is unknown: there is no kind '{}'", name));
  }
  visit_fields(*head, [&]<class Value>(std::string_view key, Value& value) {
    if constexpr (Setting<Value>) read_setting(field[key], value);
  });
  return std::move(*head);
}

}  // namespace

Metadata metadata_of(const ModelContents& contents) {
  Metadata metadata = {{"format", kFormat},
                       {"format_version", std::to_string(format_of(contents))},
                       {"mugrad_version", kVersion},
                       {"features", json(contents.feature_names).dump()},
                       {"labels", json(contents.label_names).dump()},
                       {"head", head_to_json(contents.head).dump()},
                       {"scaling", representation_to_json(contents.representation).dump()},
                       {"options", json(contents.options).dump()},
                       {"report", report_for_file(contents.report).dump()}};
  if (!contents.encoding.is_empty()) metadata["columns"] = json_of(contents.encoding).dump();
  if (!contents.trained_on.is_empty()) {
    metadata["trained_on"] =
        json({{"hash", contents.trained_on.hash}, {"count", contents.trained_on.count}}).dump();
  }
  return metadata;
}

void check_format(const Metadata& metadata, const std::string& name) {
  const auto format = metadata.find("format");
  if (format == metadata.end() || format->second != kFormat) {
    throw InputError(
        fmt::format("{} is not a Mugrad model: its metadata lacks the format '{}'", name, kFormat));
  }
  const auto found = metadata.find("format_version");
  const std::string text = found == metadata.end() ? "" : found->second;
  int version = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), version);
  if (error != std::errc{} || end != text.data() + text.size() || version < 1) {
    throw InputError(
        fmt::format("{} is not a Mugrad model: its format_version is '{}'", name, text));
  }
  if (version == 1) {
    throw InputError(
        fmt::format("{} is of format 1, which was used before version 0.1 and never released; this "
                    "program reads formats 2 to {}: train the model again",
                    name, kFormatVersion));
  }
  if (version > kFormatVersion) {
    throw InputError(fmt::format("{} was written by a newer Mugrad (format {}, this one reads {})",
                                 name, version, kFormatVersion));
  }
}

void read_metadata(const Metadata& metadata, ModelContents& contents) {
  contents.feature_names = Entry(metadata, "features")->texts();
  contents.label_names = Entry(metadata, "labels")->texts();
  contents.head = head_from(*Entry(metadata, "head"));
  read_representation(*Entry(metadata, "scaling"), contents.representation);
  if (metadata.contains("columns")) {
    contents.encoding = encoding_from(*Entry(metadata, "columns"));
  }
  if (metadata.contains("trained_on")) {
    const Entry rows(metadata, "trained_on");
    contents.trained_on = {.hash = (*rows)["hash"].whole_numbers(0, kMostIndex),
                           .count = (*rows)["count"].whole_numbers(1, kMostIndex)};
  }
  const Entry options(metadata, "options");
  for (const auto& [key, value] : options->members()) contents.options[key] = value.text();
  contents.report = report_from(*Entry(metadata, "report"));
}

std::string json_text(const TrainingReport& report) {
  json result = report_for_file(report);
  if (!report.solve) {
    for (const char* const key : {"solver", "stop", "passes", "step", "curvature", "first_residual",
                                  "residual", "total_loss"}) {
      result[key] = nullptr;
    }
  }
  return result.dump();
}

}  // namespace mugrad
