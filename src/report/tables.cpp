// SPDX-License-Identifier: MIT
#include "core/names.h"
#include "core/printable.h"
#include "data/csv_cell.h"
#include "report/markup.h"
#include "report/text_table.h"

#include <mugrad/report/comparison.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace mugrad {
namespace {

constexpr Name<TableFormat> kFormats[] = {{TableFormat::text, "text"},
                                          {TableFormat::markdown, "markdown"},
                                          {TableFormat::csv, "csv"},
                                          {TableFormat::latex, "latex"}};

std::string number(double value) { return std::isnan(value) ? "-" : fmt::format("{:.3f}", value); }
std::string rank_text(double rank) { return std::isnan(rank) ? "-" : fmt::format("{:.2f}", rank); }
std::string p_text(double p) { return p < 1e-4 ? "< 0.0001" : fmt::format("{:.4f}", p); }

/// Joins the lines of a reason.
std::string one_line(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return text;
}

/// How a format escapes text from files.
using Escape = std::string (*)(std::string_view text);

std::string direction(const MetricTable& table) {
  return larger_is_better(table.metric) ? "larger is better" : "smaller is better";
}

/// The groups of methods that do not differ, from the best rank on, as names.
std::vector<std::string> alike(const Comparison& comparison, const MetricTable& table,
                               Escape escape) {
  std::vector<std::string> texts;
  for (const auto& group : groups_alike(table.mean_ranks, table.nemenyi_distance)) {
    if (group.size() < 2) continue;
    std::vector<std::string> names;
    names.reserve(group.size());
    for (const Index m : group) {
      names.push_back(escape(comparison.methods[as_size(m)].name));
    }
    texts.push_back(fmt::format("{}", fmt::join(names, ", ")));
  }
  return texts;
}

/// The statistics over the sets, one sentence each.
std::vector<std::string> statistics_lines(const Comparison& comparison, const MetricTable& table,
                                          Escape escape) {
  const std::string control = escape(comparison.methods[comparison.control].name);
  std::vector<std::string> lines;
  if (table.ranked_sets < comparison.sets.size()) {
    lines.push_back(
        fmt::format("Ranks are over {} of {} sets: those where all methods have all "
                    "splits.",
                    table.ranked_sets, comparison.sets.size()));
  }
  if (!table.friedman) return lines;
  const auto& test = *table.friedman;
  lines.push_back(fmt::format("Friedman: chi-squared {:.3f}, p {}; Iman-Davenport: F {:.3f}, p {}.",
                              test.chi_squared, p_text(test.p), test.f, p_text(test.f_p)));
  lines.push_back(fmt::format(
      "Critical difference of mean ranks at {:g}: {:.3f} (Nemenyi), {:.3f} from {} "
      "(Bonferroni-Dunn).",
      comparison.alpha, table.nemenyi_distance, table.bonferroni_dunn_distance, control));
  const auto groups = alike(comparison, table, escape);
  if (!groups.empty()) {
    lines.push_back(
        fmt::format("Not significantly different (Nemenyi): {}.", fmt::join(groups, "; ")));
  }
  std::vector<std::string> pairs;
  for (const auto& pair : table.pairs) {
    if (pair.a != comparison.control && pair.b != comparison.control) continue;
    const bool is_first = pair.a == comparison.control;
    const auto other = escape(comparison.methods[is_first ? pair.b : pair.a].name);
    pairs.push_back(fmt::format("{} {}-{}-{}, p {}, Holm {}", other,
                                is_first ? pair.test.wins : pair.test.losses, pair.test.ties,
                                is_first ? pair.test.losses : pair.test.wins, p_text(pair.test.p),
                                p_text(pair.holm)));
  }
  if (!pairs.empty()) {
    lines.push_back(fmt::format("{} against others, wins-ties-losses over sets (Wilcoxon): {}.",
                                control, fmt::join(pairs, "; ")));
  }
  return lines;
}

/// "split 2", "splits 1 to 5", "splits 1, 3 to 5". Requires: ascending, from 0.
std::string splits_text(const std::vector<Index>& splits) {
  std::vector<std::string> runs;
  for (std::size_t begin = 0; begin < splits.size();) {
    std::size_t end = begin + 1;
    while (end < splits.size() && splits[end] == splits[end - 1] + 1) ++end;
    runs.push_back(end - begin == 1
                       ? fmt::format("{}", splits[begin] + 1)
                       : fmt::format("{} to {}", splits[begin] + 1, splits[end - 1] + 1));
    begin = end;
  }
  return fmt::format("split{} {}", splits.size() == 1 ? "" : "s", fmt::join(runs, ", "));
}

/// The failures, one line for each method, set and reason.
std::vector<std::string> failure_lines(const Comparison& comparison, Escape escape) {
  using Kind = std::tuple<std::string_view, std::string_view, std::string_view>;
  std::map<Kind, std::size_t> groups;
  std::vector<std::pair<Kind, std::vector<Index>>> splits_of;  // in the order of occurrence
  for (const auto& failure : comparison.failures) {
    const Kind kind{failure.method, failure.set, failure.reason};
    const auto [group, is_new] = groups.try_emplace(kind, splits_of.size());
    if (is_new) splits_of.emplace_back(kind, std::vector<Index>{});
    splits_of[group->second].second.push_back(failure.split);
  }
  std::vector<std::string> lines;
  for (auto& [kind, splits] : splits_of) {
    const auto& [method, set, reason] = kind;
    std::ranges::sort(splits);
    lines.push_back(fmt::format("{} failed on {}, {}: {}", escape(method), escape(set),
                                splits_text(splits), escape(one_line(std::string(reason)))));
  }
  return lines;
}

/// How a format writes a cell.
struct CellStyle {
  std::string_view plus_minus, best_open, best_close, second_open, second_close, better, worse;
};

constexpr CellStyle kText = {" +- ", "", "*", "", "'", " ^", " v"};
constexpr CellStyle kMarkdown = {" ± ", "**", "**", "<u>", "</u>", " ▴", " ▾"};
constexpr CellStyle kLatex = {" \\pm ",       "\\mathbf{",     "}", "\\underline{", "}",
                              "^{\\uparrow}", "^{\\downarrow}"};

std::string cell_text(const ResultCell& cell, const CellStyle& style) {
  if (std::isnan(cell.mean)) return "-";
  std::string text = number(cell.mean);
  if (!std::isnan(cell.deviation))
    text += fmt::format("{}{:.3f}", style.plus_minus, cell.deviation);
  if (cell.is_best) text = fmt::format("{}{}{}", style.best_open, text, style.best_close);
  if (cell.is_second) text = fmt::format("{}{}{}", style.second_open, text, style.second_close);
  if (cell.mark == Mark::better) text += style.better;
  if (cell.mark == Mark::worse) text += style.worse;
  return text;
}

/// The number of splits after a mean that is not over all of them.
std::string count_text(const Comparison& comparison, const ResultCell& cell) {
  if (cell.is_complete || cell.values.empty()) return "";
  return fmt::format(" ({} of {})", cell.values.size(), comparison.splits);
}

std::string legend(const Comparison& comparison, std::string_view control, std::string_view best,
                   std::string_view second, std::string_view better, std::string_view worse) {
  return fmt::format(
      "{} best, {} second; {} better and {} worse than {} at {:g} (t test for overlapping splits).",
      best, second, better, worse, control, comparison.alpha);
}

std::string as_text(const Comparison& comparison) {
  std::string text = printable(comparison.protocol) + "\n";
  const std::string control = printable(comparison.methods[comparison.control].name);
  text += legend(comparison, control, "*", "'", "^", "v") + "\n";
  for (const auto& table : comparison.tables) {
    text += fmt::format("\n{} ({})\n", to_string(table.metric), direction(table));
    std::vector<std::string> header = {"method"};
    for (const auto& set : comparison.sets) header.push_back(set.name);
    header.emplace_back("mean rank");
    TextTable lines(std::move(header));
    for (std::size_t m = 0; m < comparison.methods.size(); ++m) {
      std::vector<std::string> row = {comparison.methods[m].name};
      for (const auto& cells : table.cells) {
        row.push_back(cell_text(cells[m], kText) + count_text(comparison, cells[m]));
      }
      row.push_back(rank_text(table.mean_ranks[m]));
      lines.add(std::move(row));
    }
    text += lines.text(2);
    for (const auto& line : statistics_lines(comparison, table, printable)) {
      text += "  " + line + "\n";
    }
  }
  if (!comparison.failures.empty()) text += "\n";
  for (const auto& line : failure_lines(comparison, printable)) text += line + "\n";
  return text;
}

std::string as_markdown(const Comparison& comparison) {
  const std::string control = markdown_text(comparison.methods[comparison.control].name);
  std::string text =
      fmt::format("{}. {}\n", markdown_text(comparison.protocol),
                  legend(comparison, control, "**Bold**", "<u>underlined</u>", "▴", "▾"));
  for (const auto& table : comparison.tables) {
    text += fmt::format("\n### {} ({})\n\n| method |", markdown_text(to_string(table.metric)),
                        direction(table));
    for (const auto& set : comparison.sets) text += fmt::format(" {} |", markdown_text(set.name));
    text += " mean rank |\n|---|";
    for (std::size_t s = 0; s <= comparison.sets.size(); ++s) text += "---|";
    text += '\n';
    for (std::size_t m = 0; m < comparison.methods.size(); ++m) {
      text += fmt::format("| {} |", markdown_text(comparison.methods[m].name));
      for (const auto& cells : table.cells) {
        text += fmt::format(" {}{} |", cell_text(cells[m], kMarkdown),
                            count_text(comparison, cells[m]));
      }
      text += fmt::format(" {} |\n", rank_text(table.mean_ranks[m]));
    }
    text += '\n';
    for (const auto& line : statistics_lines(comparison, table, markdown_text)) text += line + "\n";
  }
  if (!comparison.failures.empty()) text += "\n";
  for (const auto& line : failure_lines(comparison, markdown_text)) text += "- " + line + "\n";
  return text;
}

std::string as_latex(const Comparison& comparison) {
  std::string text =
      fmt::format("% {}\n% Needs the package booktabs.\n", latex_comment(comparison.protocol));
  const std::string control = latex_text(comparison.methods[comparison.control].name);
  for (const auto& table : comparison.tables) {
    text += fmt::format(
        "\\begin{{table}}\n\\centering\n\\caption{{{} ({}). {}}}\n",
        latex_text(to_string(table.metric)), direction(table),
        legend(comparison, control, "Bold:", "underlined:", "$\\uparrow$", "$\\downarrow$"));
    text += fmt::format("\\begin{{tabular}}{{l{}r}}\n\\toprule\nmethod",
                        std::string(comparison.sets.size(), 'c'));
    for (const auto& set : comparison.sets) text += " & " + latex_text(set.name);
    text += " & mean rank \\\\\n\\midrule\n";
    for (std::size_t m = 0; m < comparison.methods.size(); ++m) {
      text += latex_text(comparison.methods[m].name);
      for (const auto& cells : table.cells) {
        text +=
            fmt::format(" & ${}${}", cell_text(cells[m], kLatex), count_text(comparison, cells[m]));
      }
      text += fmt::format(" & {} \\\\\n", rank_text(table.mean_ranks[m]));
    }
    text += "\\bottomrule\n\\end{tabular}\n";
    for (const auto& line : statistics_lines(comparison, table, latex_comment)) {
      text += "% " + line + "\n";
    }
    text += "\\end{table}\n";
  }
  for (const auto& line : failure_lines(comparison, latex_comment)) text += "% " + line + "\n";
  return text;
}

std::string as_csv(const Comparison& comparison) {
  std::string text = "metric,set,method,mean,deviation,splits,rank,best,second,mark\n";
  const auto exact = [](double value) {
    return std::isnan(value) ? std::string() : fmt::format("{}", value);
  };
  for (const auto& table : comparison.tables) {
    for (std::size_t s = 0; s < comparison.sets.size(); ++s) {
      for (std::size_t m = 0; m < comparison.methods.size(); ++m) {
        const ResultCell& cell = table.cells[s][m];
        text += fmt::format(
            "{},{},{},{},{},{},{},{:d},{:d},{}\n", spreadsheet_cell(to_string(table.metric)),
            spreadsheet_cell(comparison.sets[s].name), spreadsheet_cell(comparison.methods[m].name),
            exact(cell.mean), exact(cell.deviation), cell.values.size(), exact(cell.rank),
            cell.is_best, cell.is_second, to_string(cell.mark));
      }
    }
  }
  return text;
}

}  // namespace

std::string_view to_string(TableFormat format) { return name_of<TableFormat>(kFormats, format); }

TableFormat table_format_named(std::string_view name) {
  return named<TableFormat>(kFormats, name, "format of tables");
}

std::string format_tables(const Comparison& comparison, TableFormat format) {
  switch (format) {
    case TableFormat::markdown:
      return as_markdown(comparison);
    case TableFormat::csv:
      return as_csv(comparison);
    case TableFormat::latex:
      return as_latex(comparison);
    case TableFormat::text:
      break;
  }
  return as_text(comparison);
}

}  // namespace mugrad
