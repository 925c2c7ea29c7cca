// SPDX-License-Identifier: MIT
#include "core/mapped_file.h"
#include "data/formats/csv/csv_scanner.h"
#include "data/formats/number.h"
#include "data/formats/source_text.h"

#include <mugrad/core/error.h>
#include <mugrad/method/mgd.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

namespace mugrad {
namespace {

using formats::CsvCell;
using formats::CsvScanner;
using formats::SourceText;

double number_of(const SourceText& source, const CsvCell& cell) {
  const auto value = formats::number_in(cell.text);
  if (!value) source.fail(cell.at, fmt::format("{} is not a number", formats::shown(cell.text)));
  return *value;
}

CsrMatrix<double> read_matrix(const SourceText& source) {
  CsrMatrix<double> matrix;
  CsvScanner scanner(source, source.begin());
  while (scanner.next_record()) {
    Index column = 0;
    CsvCell cell;
    do {
      cell = scanner.next_cell();
      const double value = number_of(source, cell);
      if (value != 0) {
        matrix.column.push_back(static_cast<LabelId>(column));
        matrix.value.push_back(value);
      }
      ++column;
    } while (!cell.last);
    if (matrix.rows() > 0 && column != matrix.cols) {
      source.fail(cell.at,
                  fmt::format("this row has {} numbers, the ones before {}", column, matrix.cols));
    }
    matrix.cols = column;
    matrix.end_row();
  }
  return matrix;
}

/// The cells of a record, which must have three.
std::vector<CsvCell> three_cells(const SourceText& source, CsvScanner& scanner,
                                 std::vector<std::string>& texts) {
  std::vector<CsvCell> cells;
  texts.clear();
  do {
    cells.push_back(scanner.next_cell());
    texts.emplace_back(cells.back().text);  // the scanner reuses its memory
  } while (!cells.back().last);
  if (cells.size() != 3) {
    source.fail(cells.front().at, fmt::format("this line has {} cells; expected label, "
                                              "borrows_from and strength",
                                              cells.size()));
  }
  return cells;
}

CsrMatrix<double> read_relations(const SourceText& source, const std::vector<std::string>& names) {
  std::unordered_map<std::string, LabelId> position;
  for (std::size_t i = 0; i < names.size(); ++i) {
    position.emplace(names[i], static_cast<LabelId>(i));
  }
  std::vector<std::map<LabelId, double>> rows(names.size());
  CsvScanner scanner(source, source.begin());
  std::vector<std::string> texts;
  scanner.next_record();
  const auto header = three_cells(source, scanner, texts);
  if (texts != std::vector<std::string>{"label", "borrows_from", "strength"}) {
    source.fail(header[0].at, "expected the header label,borrows_from,strength");
  }
  while (scanner.next_record()) {
    const auto cells = three_cells(source, scanner, texts);
    const auto find = [&](std::size_t k) {
      const auto at = position.find(texts[k]);
      if (at == position.end()) {
        source.fail(cells[k].at, fmt::format("there is no label {}", formats::shown(texts[k])));
      }
      return at->second;
    };
    const auto value = formats::number_in(texts[2]);
    if (!value) {
      source.fail(cells[2].at, fmt::format("{} is not a number", formats::shown(texts[2])));
    }
    const bool is_new = rows[as_size(find(0))].emplace(find(1), *value).second;
    if (!is_new) {
      source.fail(cells[0].at, fmt::format("{} already borrows from {} in an earlier line",
                                           formats::shown(texts[0]), formats::shown(texts[1])));
    }
  }
  CsrMatrix<double> matrix;
  matrix.cols = std::ssize(names);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto own = static_cast<LabelId>(i);
    double borrowed = 0;
    for (const auto& [label, strength] : rows[i]) borrowed += label == own ? 0 : strength;
    if (borrowed > 1 + 1e-9) {
      source.fail(fmt::format("label {} borrows {:.6g} in total; expected at most 1",
                              formats::shown(names[i]), borrowed));
    }
    if (!rows[i].contains(own)) rows[i][own] = std::max(0.0, 1 - borrowed);
    for (const auto& [label, strength] : rows[i]) {
      matrix.column.push_back(label);
      matrix.value.push_back(strength);
    }
    matrix.end_row();
  }
  return matrix;
}

}  // namespace

TransferMatrix read_transfer(const std::filesystem::path& path,
                             const std::vector<std::string>& names) {
  const MappedFile file(path);
  const auto matrix = file.while_whole([&] {
    const SourceText source(path.string(), file.bytes());
    const bool relations = std::string_view(source.begin(), source.end()).starts_with("label,");
    return relations ? read_relations(source, names) : read_matrix(source);
  });
  try {
    return transfer_as_given(matrix, std::ssize(names));
  } catch (const UsageError& error) {
    throw InputError(fmt::format("{}: {}", path.string(), error.what()));
  }
}

}  // namespace mugrad
