// SPDX-License-Identifier: MIT
#include "model_card.h"

#include "core/atomic_file.h"
#include "core/printable.h"
#include "data/csv_cell.h"
#include "report/text_table.h"

#include <mugrad/core/error.h>
#include <mugrad/experiment/thresholds.h>
#include <mugrad/method/method.h>

#include <fmt/format.h>

namespace mugrad::cli {
namespace {

constexpr std::size_t kRelationsOnCard = 10;

std::string in_dot(std::string_view name) {
  std::string quoted = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "\"";
}

std::string relations_dot(const Model& model, const std::vector<Relation>& relations) {
  std::string text = "digraph relations {\n  node [shape=box, style=rounded];\n";
  for (LabelId i = 0; i < model.labels(); ++i) {
    text += fmt::format("  {};\n", in_dot(model.label_name(i)));
  }
  for (const auto& [label, from, strength] : relations) {
    text += fmt::format("  {} -> {} [weight={:.6g}, penwidth={:.3g}, label=\"{:.3f}\"];\n",
                        in_dot(model.label_name(from)), in_dot(model.label_name(label)), strength,
                        0.5 + 4 * strength, strength);
  }
  return text + "}\n";
}

std::string relations_csv(const Model& model, const std::vector<Relation>& relations) {
  std::string text = "label,borrows_from,strength\n";
  for (const auto& [label, from, strength] : relations) {
    text += fmt::format("{},{},{}\n", csv_cell(model.label_name(label)),
                        csv_cell(model.label_name(from)), strength);
  }
  return text;
}

/// The traits of the model's method; the default ones if there is no such method.
MethodTraits traits_of(const TrainingReport& report) {
  for (const Method* const method : methods()) {
    if (method->name() == report.method) return method->traits();
  }
  return {};
}

/// "\n total loss 12.5 on the training data, step 0.1, curvature L = 4", or empty if nothing was
/// solved.
std::string solve_text(const TrainingReport& report) {
  if (!report.solve) return {};
  std::string text =
      fmt::format("\n  {} {:.6g} on the training data", traits_of(report).report.minimised,
                  report.solve->minimised);
  if (const auto& fixed = report.solve->fixed_step) {
    text += fmt::format(", step {:.4g}, curvature L = {:.4g}", fixed->step, fixed->curvature);
  }
  return text;
}

/// Why a model has no relations.
std::string_view without_relations(const TrainingReport& report) {
  return traits_of(report).has_relations ? "the training used no transfer between labels"
                                         : "this model stores none";
}

std::string scores_text(const ModelContents& contents) {
  const ScoreRange range = score_range(contents);
  if (!contents.calibration.is_empty()) return "calibrated probabilities";
  if (range.is_limit) return range.limits();
  return fmt::format("near {} or {}, without limits", range.low, range.high);
}

std::vector<std::string> label_names(const Model& model) {
  std::vector<std::string> names;
  names.reserve(as_size(model.labels()));
  for (LabelId i = 0; i < model.labels(); ++i) names.push_back(model.label_name(i));
  return names;
}

}  // namespace

std::string training_sentence(const TrainingReport& report, Index labels) {
  const std::string method = printable(report.method);
  if (std::ssize(report.constant_labels) == labels) {
    return fmt::format("{}: no label had both classes", method);
  }
  if (!report.solve) {
    return fmt::format(
        "{}: {}", method,
        traits_of(report).solves ? "there was nothing to solve" : "trained without a solver");
  }
  const SolveFacts& solve = *report.solve;
  std::string text = fmt::format(
      "{}, {} solver: {} after {} {}, residual {:.2e}", method, printable(solve.solver),
      solve.stop == "iteration-limit" ? "stopped at the iteration limit" : printable(solve.stop),
      solve.effort, traits_of(report).report.effort, solve.residual);
  if (solve.first_residual > 0) {
    text += fmt::format(" ({:.1e} of its first value)", solve.residual / solve.first_residual);
  }
  return text;
}

std::string card_text(const Model& model) {
  const auto& contents = model.contents();
  const auto& report = contents.report;
  TextTable facts({"labels", fmt::format("{}", model.labels())});
  facts.add({"features", fmt::format("{}", model.features())});
  facts.add({"trained on", fmt::format("{} examples", report.rows)});
  facts.add({"scores", scores_text(contents)});
  facts.add({"threshold", thresholds_text(contents.thresholds)});
  std::string text = facts.text();
  text += fmt::format("\nLabels\n  {}\n", printable(listing(label_names(model), 12)));
  text += "\nOptions\n";
  for (const auto& [name, value] : contents.options) {
    text += fmt::format("  {} = {}\n", printable(name), printable(value));
  }
  text += fmt::format("\nTraining\n  {}{}\n", training_sentence(report, model.labels()),
                      solve_text(report));
  for (const auto& warning : report.warnings) {
    text += fmt::format("  warning: {}\n", printable(warning));
  }

  const auto relations = strongest_relations(model, kRelationsOnCard);
  if (relations.empty())
    return text + fmt::format("\nRelations\n  none: {}\n", without_relations(report));
  text += "\nStrongest relations\n";
  TextTable table({"label", "borrows from", "strength"});
  for (const auto& [label, from, strength] : relations) {
    table.add({model.label_name(label), model.label_name(from), fmt::format("{:.3f}", strength)});
  }
  return text + table.text(2);
}

Json card_json(const Model& model) {
  const auto& contents = model.contents();
  const ScoreRange range = score_range(contents);
  Json relations = Json::array();
  for (const auto& [label, from, strength] : strongest_relations(model, kRelationsOnCard)) {
    relations.push_back({{"label", model.label_name(label)},
                         {"borrows_from", model.label_name(from)},
                         {"strength", strength}});
  }
  return {{"kind", "model"},
          {"features", model.features()},
          {"labels", model.labels()},
          {"label_names", label_names(model)},
          {"head", kind_of(contents.head)},
          {"scores",
           {{"low", range.low},
            {"high", range.high},
            {"middle", range.middle},
            {"is_limit", range.is_limit},
            {"are_probabilities", range.are_probabilities},
            {"are_calibrated", !contents.calibration.is_empty()}}},
          {"thresholds", contents.thresholds},
          {"options", contents.options},
          {"report", Json::parse(json_text(contents.report))},
          {"strongest_relations", relations}};
}

void check_relations_path(const std::filesystem::path& path) {
  if (path.extension() == ".dot" || path.extension() == ".csv") return;
  throw UsageError(
      fmt::format("--relations writes .dot or .csv, and {} ends in neither", path.string()));
}

void write_relations(const Model& model, const std::filesystem::path& path) {
  check_relations_path(path);
  const bool dot = path.extension() == ".dot";
  const auto relations = strongest_relations(model);
  write_file(path, dot ? relations_dot(model, relations) : relations_csv(model, relations));
}

}  // namespace mugrad::cli
