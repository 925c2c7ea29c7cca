// SPDX-License-Identifier: MIT
#include "model/metadata.h"

#include "model/head_fields.h"
#include "model/json.h"

#include <mugrad/core/error.h>
#include <mugrad/version.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <charconv>
#include <concepts>

namespace mugrad {
namespace {

using nlohmann::json;
using Metadata = std::map<std::string, std::string>;

constexpr const char* kFormat = "mugrad-model";
constexpr int kFormatVersion = 2;

json report_to_json(const TrainingReport& report) {
  return {{"method", report.method},
          {"solver", report.solver},
          {"stop", report.stop},
          {"rows", report.rows},
          {"passes", report.passes},
          {"step", report.step},
          {"curvature", report.curvature},
          {"first_residual", report.first_residual},
          {"residual", report.residual},
          {"total_loss", report.total_loss},
          {"constant_labels", report.constant_labels},
          {"warnings", report.warnings}};
}

/// One entry of the metadata, parsed: what it is called is in every refusal.
class Entry {
 public:
  Entry(const Metadata& metadata, const std::string& key) : name_(key) {
    const auto found = metadata.find(key);
    if (found == metadata.end()) throw InputError(fmt::format("its metadata lacks '{}'", key));
    try {
      value_ = parse_json(found->second);
    } catch (const InputError& error) {
      refuse(error.what());
    }
  }
  Entry(std::string name, json value) : name_(std::move(name)), value_(std::move(value)) {}

  Entry operator[](const char* key) const {
    if (!value_.is_object() || !value_.contains(key)) refuse(fmt::format("must have '{}'", key));
    return {fmt::format("{}.{}", name_, key), value_[key]};
  }

  void read(std::string& out) const {
    if (!value_.is_string()) refuse("must be a string");
    out = value_;
  }
  void read(double& out) const {
    if (!value_.is_number()) refuse("must be a number");
    out = value_;
  }
  /// Whole numbers, of a type that holds them.
  template <std::integral Integer>
  void read(Integer& out) const {
    const bool fits = value_.is_number_integer() && !is_larger_than_signed() &&
                      std::in_range<Integer>(value_.get<std::int64_t>());
    if (!fits) refuse("must be a whole number in range");
    out = value_;
  }
  template <class Item>
  void read(std::vector<Item>& out) const {
    if (!value_.is_array()) refuse("must be a list");
    out.resize(value_.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
      Entry(fmt::format("{}[{}]", name_, i), value_[i]).read(out[i]);
    }
  }
  void read(Metadata& out) const {
    if (!value_.is_object()) refuse("must be an object");
    for (const auto& [key, text] : value_.items()) {
      Entry(fmt::format("{}.{}", name_, key), text).read(out[key]);
    }
  }

 private:
  [[noreturn]] void refuse(const std::string& expectation) const {
    throw InputError(fmt::format("its metadata entry {} {}", name_, expectation));
  }
  bool is_larger_than_signed() const {
    return value_.is_number_unsigned() && !std::in_range<std::int64_t>(value_.get<std::uint64_t>());
  }

  std::string name_;
  json value_;
};

void read_report(const Entry& entry, TrainingReport& report) {
  entry["method"].read(report.method);
  entry["solver"].read(report.solver);
  entry["stop"].read(report.stop);
  entry["rows"].read(report.rows);
  entry["passes"].read(report.passes);
  entry["step"].read(report.step);
  entry["curvature"].read(report.curvature);
  entry["first_residual"].read(report.first_residual);
  entry["residual"].read(report.residual);
  entry["total_loss"].read(report.total_loss);
  entry["constant_labels"].read(report.constant_labels);
  entry["warnings"].read(report.warnings);
}

ScalingKind read_scaling_kind(const Entry& entry) {
  std::string name;
  entry["kind"].read(name);
  try {
    return scaling_named(name);
  } catch (const UsageError& error) {
    throw InputError(fmt::format("its scaling is unknown: {}", error.what()));
  }
}

std::string setting_text(Link link) { return std::string(to_string(link)); }
std::string setting_text(Vote vote) { return std::string(to_string(vote)); }
std::string setting_text(LabelsetScore score) { return std::string(to_string(score)); }
void read_setting(std::string_view text, Link& link) { link = link_named(text); }
void read_setting(std::string_view text, Vote& vote) { vote = vote_named(text); }
void read_setting(std::string_view text, LabelsetScore& score) {
  score = labelset_score_named(text);
}

/// The kind of head and what it has besides tensors.
json head_to_json(const Head& head) {
  json result = {{"kind", kind_of(head)}};
  std::visit(
      [&](const auto& kind) {
        visit_fields(kind, [&]<class Field>(const char* name, const Field& field) {
          if constexpr (std::is_enum_v<Field>) {
            result[name] = setting_text(field);
          } else if constexpr (Setting<Field>) {
            result[name] = field;
          }
        });
      },
      head);
  return result;
}

template <class Field>
void read_head_setting(const Entry& entry, Field& field) {
  if constexpr (std::is_enum_v<Field>) {
    std::string text;
    entry.read(text);
    try {
      read_setting(text, field);
    } catch (const UsageError& error) {
      throw InputError(fmt::format("its head is unknown: {}", error.what()));
    }
  } else if constexpr (Setting<Field>) {
    entry.read(field);
  }
}

/// A head of the kind named, empty.
template <std::size_t kIndex = 0>
Head head_of_kind(std::string_view name) {
  if constexpr (kIndex == std::variant_size_v<Head>) {
    throw InputError(fmt::format("its head is unknown: there is no kind '{}'", name));
  } else {
    Head head(std::in_place_index<kIndex>);
    return kind_of(head) == name ? head : head_of_kind<kIndex + 1>(name);
  }
}

Head read_head(const Entry& entry) {
  std::string name;
  entry["kind"].read(name);
  Head head = head_of_kind(name);
  std::visit(
      [&](auto& kind) {
        visit_fields(kind, [&]<class Field>(const char* field_name, Field& field) {
          if constexpr (Setting<Field>) read_head_setting(entry[field_name], field);
        });
      },
      head);
  return head;
}

}  // namespace

Metadata metadata_of(const ModelContents& contents) {
  return {{"format", kFormat},
          {"format_version", std::to_string(kFormatVersion)},
          {"mugrad_version", kVersion},
          {"features", json(contents.feature_names).dump()},
          {"labels", json(contents.label_names).dump()},
          {"head", head_to_json(contents.head).dump()},
          {"scaling", json{{"kind", to_string(contents.scaling.kind)}}.dump()},
          {"options", json(contents.options).dump()},
          {"report", report_to_json(contents.report).dump()}};
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
  if (version > kFormatVersion) {
    throw InputError(fmt::format("{} was written by a newer Mugrad (format {}, this one reads {})",
                                 name, version, kFormatVersion));
  }
}

void read_metadata(const Metadata& metadata, ModelContents& contents) {
  Entry(metadata, "features").read(contents.feature_names);
  Entry(metadata, "labels").read(contents.label_names);
  contents.head = read_head(Entry(metadata, "head"));
  contents.scaling.kind = read_scaling_kind(Entry(metadata, "scaling"));
  Entry(metadata, "options").read(contents.options);
  read_report(Entry(metadata, "report"), contents.report);
}

std::string json_text(const TrainingReport& report) { return report_to_json(report).dump(); }

}  // namespace mugrad
