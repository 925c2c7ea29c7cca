// SPDX-License-Identifier: MIT
#include <mugrad/core/error.h>
#include <mugrad/model/model.h>
#include <mugrad/report/page.h>
#include <mugrad/version.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>

namespace mugrad {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kVersionOfDocument = 2;
/// Maximum number of relations shown, the strongest first.
constexpr std::size_t kMostLinks = 400;

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

/// Finds figures by the name of a method, ignoring case.
class PublishedLookup {
 public:
  explicit PublishedLookup(const PublishedFigures& published) {
    for (const auto& [metric, methods] : published) {
      for (const auto& [method, sets] : methods)
        figures_.try_emplace({metric, lower(method)}, &sets);
    }
  }

  /// Null if none was published under any convention.
  const PublishedFigure* find(const Metric& metric, const ContenderInfo& method,
                              const std::string& set) const {
    const auto sets = figures_.find({metric.name(), lower(method.name)});
    if (sets == figures_.end()) return nullptr;
    const auto found = sets->second->find(set);
    return found == sets->second->end() ? nullptr : &found->second;
  }

 private:
  std::map<std::pair<std::string, std::string>, const std::map<std::string, PublishedFigure>*>
      figures_;
};

Json cell_json(const ResultCell& cell, const MetricTable& table, const SetInfo& set,
               const ContenderInfo& method, const PublishedLookup& published) {
  Json repeats = Json::array();
  for (std::size_t k = 0; k < cell.values.size(); ++k) {
    repeats.push_back({{"repeat", cell.splits[k] + 1}, {"value", cell.values[k]}});
  }
  Json json = {{"metric", to_string(table.metric)},
               {"set", set.name},
               {"method", method.name},
               {"mean", cell.mean},
               {"deviation", cell.deviation},
               {"repeats", std::move(repeats)},
               {"rank", cell.rank},
               {"best", cell.is_best},
               {"second", cell.is_second},
               {"mark", to_string(cell.mark)}};
  json["published"] = nullptr;
  if (const auto* figure = published.find(table.metric, method, set.name)) {
    json["published"] = {{"mean", figure->mean}, {"deviation", nullptr}};
    if (figure->deviation) json["published"]["deviation"] = *figure->deviation;
  }
  return json;
}

Json statistics_json(const Comparison& comparison, const MetricTable& table) {
  const auto name = [&](std::size_t m) { return comparison.methods[m].name; };
  Json json = {{"metric", to_string(table.metric)}, {"sets", table.ranked_sets}};
  json["methods"] = Json::array();
  for (std::size_t m = 0; m < comparison.methods.size(); ++m) {
    json["methods"].push_back({{"name", name(m)}, {"mean_rank", table.mean_ranks[m]}});
  }
  json["friedman"] = json["nemenyi"] = json["bonferroni_dunn"] = nullptr;
  json["pairs"] = Json::array();
  if (!table.friedman) return json;
  json["friedman"] = {{"chi_squared", table.friedman->chi_squared},
                      {"p", table.friedman->p},
                      {"f", table.friedman->f},
                      {"f_p", table.friedman->f_p}};
  Json groups = Json::array();
  for (const auto& group : groups_alike(table.mean_ranks, table.nemenyi_distance)) {
    Json names = Json::array();
    for (const Index m : group) names.push_back(name(as_size(m)));
    if (names.size() > 1) groups.push_back(std::move(names));
  }
  json["nemenyi"] = {{"alpha", comparison.alpha},
                     {"critical_distance", table.nemenyi_distance},
                     {"groups", std::move(groups)}};
  Json different = Json::array();
  const double control = table.mean_ranks[comparison.control];
  for (std::size_t m = 0; m < comparison.methods.size(); ++m) {
    if (std::abs(table.mean_ranks[m] - control) >= table.bonferroni_dunn_distance) {
      different.push_back(name(m));
    }
  }
  json["bonferroni_dunn"] = {{"alpha", comparison.alpha},
                             {"control", name(comparison.control)},
                             {"critical_distance", table.bonferroni_dunn_distance},
                             {"different", std::move(different)}};
  for (const auto& pair : table.pairs) {
    json["pairs"].push_back({{"a", name(pair.a)},
                             {"b", name(pair.b)},
                             {"wins", pair.test.wins},
                             {"losses", pair.test.losses},
                             {"ties", pair.test.ties},
                             {"p", pair.test.p},
                             {"holm", pair.holm}});
  }
  return json;
}

/// Mean seconds of each method on each set, if recorded.
Json seconds_json(const Comparison& comparison) {
  struct Sum {
    double seconds = 0, count = 0;
  };
  std::map<std::pair<std::string_view, std::string_view>, Sum> sums;
  for (const auto& record : comparison.records) {
    if (record.seconds < 0) continue;
    Sum& sum = sums[{record.set, record.contender}];
    sum.seconds += record.seconds;
    sum.count += 1;
  }
  Json json = Json::array();
  for (const auto& set : comparison.sets) {
    for (const auto& method : comparison.methods) {
      const auto found = sums.find({set.name, method.name});
      if (found == sums.end()) continue;
      json.push_back({{"set", set.name},
                      {"method", method.name},
                      {"mean", found->second.seconds / found->second.count}});
    }
  }
  return json;
}

Json results_json(const Comparison& comparison, const PublishedFigures& published) {
  Json json = {{"protocol", comparison.protocol}, {"repeats", comparison.splits}};
  const PublishedLookup lookup(published);
  for (const auto& set : comparison.sets) {
    json["sets"].push_back({{"name", set.name},
                            {"rows", set.rows},
                            {"features", set.features},
                            {"labels", set.labels},
                            {"cardinality", set.cardinality}});
  }
  for (const auto& method : comparison.methods) {
    json["methods"].push_back(
        {{"name", method.name}, {"method", method.method}, {"summary", method.text}});
  }
  json["cells"] = json["statistics"] = Json::array();
  for (const auto& table : comparison.tables) {
    json["metrics"].push_back({{"name", to_string(table.metric)},
                               {"larger_is_better", larger_is_better(table.metric)},
                               {"convention", to_string(table.metric.convention)}});
    for (std::size_t s = 0; s < comparison.sets.size(); ++s) {
      for (std::size_t m = 0; m < comparison.methods.size(); ++m) {
        json["cells"].push_back(
            cell_json(table.cells[s][m], table, comparison.sets[s], comparison.methods[m], lookup));
      }
    }
    json["statistics"].push_back(statistics_json(comparison, table));
  }
  json["options"] = Json::array();
  for (const auto& record : comparison.records) {
    if (!record.failure.empty()) continue;
    json["options"].push_back({{"set", record.set},
                               {"method", record.contender},
                               {"repeat", record.split + 1},
                               {"values", record.options},
                               {"threshold", record.thresholds}});
  }
  json["failures"] = Json::array();
  for (const auto& failure : comparison.failures) {
    json["failures"].push_back({{"set", failure.set},
                                {"method", failure.method},
                                {"repeat", failure.split + 1},
                                {"reason", failure.reason}});
  }
  if (auto seconds = seconds_json(comparison); !seconds.empty()) {
    json["seconds"] = std::move(seconds);
  }
  return json;
}

Json relations_json(const Model& model, const std::string& name) {
  const auto links = strongest_relations(model, kMostLinks);
  // Only the labels of these relations, in their order.
  std::set<LabelId> shown;
  for (const auto& link : links) shown.insert({link.label, link.from});
  Json json = {{"model", name}, {"labels", Json::array()}, {"links", Json::array()}};
  std::map<LabelId, std::size_t> place;
  for (const LabelId label : shown) {
    place[label] = json["labels"].size();
    json["labels"].push_back({{"name", model.label_name(label)}, {"positives", nullptr}});
  }
  for (const auto& link : links) {
    json["links"].push_back(
        {{"label", place[link.label]}, {"from", place[link.from]}, {"share", link.strength}});
  }
  return json;
}

Json to_json(std::string_view set, const ConvergenceStudy& study) {
  Json curves = Json::array();
  for (const auto& curve : study.curves) {
    curves.push_back({{"name", curve.name},
                      {"iterations", curve.iterations},
                      {"total_loss", curve.total_loss},
                      {"metric", curve.metric}});
  }
  return {{"set", set},
          {"metric", to_string(study.metric)},
          {"setting", study.setting},
          {"curves", curves}};
}

Json to_json(std::string_view set, const SensitivityStudy& study) {
  if (study.rhos.empty() || study.sigmas.empty()) {
    throw UsageError("a sensitivity study needs at least one rho and one sigma");
  }
  Json values = Json::array();
  const double sign = larger_is_better(study.metric) ? 1 : -1;
  Index best_row = 0, best_column = 0;
  for (Index row = 0; row < study.values.rows(); ++row) {
    values.push_back(Json::array());
    for (Index column = 0; column < study.values.cols(); ++column) {
      values.back().push_back(study.values(row, column));
      const double best = study.values(best_row, best_column);
      if (sign * study.values(row, column) > sign * best || std::isnan(best)) {
        best_row = row;
        best_column = column;
      }
    }
  }
  return {{"set", set},
          {"metric", to_string(study.metric)},
          {"larger_is_better", sign > 0},
          {"rhos", study.rhos},
          {"sigmas", study.sigmas},
          {"values", values},
          {"fixed_rho", study.rhos[as_size(best_row)]},
          {"fixed_sigma", study.sigmas[as_size(best_column)]}};
}

std::string study_text(const Json& study) {
  return study.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string report_document(const ReportContents& contents) {
  Json json = {{"version", kVersionOfDocument},
               {"program", kVersion},
               {"created", contents.created},
               {"title", contents.title}};
  if (contents.comparison) {
    json["results"] = results_json(*contents.comparison, contents.published);
  }
  for (const auto& [set, study] : contents.convergence) {
    json["convergence"].push_back(to_json(set, study));
  }
  for (const auto& [set, study] : contents.sensitivity) {
    json["sensitivity"].push_back(to_json(set, study));
  }
  if (contents.model) json["relations"] = relations_json(*contents.model, contents.model_name);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string study_json(std::string_view set, const ConvergenceStudy& study) {
  return study_text({{"mugrad-study", 1}, {"convergence", to_json(set, study)}});
}

std::string study_json(std::string_view set, const SensitivityStudy& study) {
  return study_text({{"mugrad-study", 1}, {"sensitivity", to_json(set, study)}});
}

}  // namespace mugrad
