// SPDX-License-Identifier: MIT
#include "mpi/data_part.h"

#include <mugrad/core/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace mugrad::mpi {
namespace {

constexpr Index kBlockRows = 32;

void append(BinaryMatrix& to, const BinaryMatrix& rows, Index count) {
  for (Index row = 0; row < count; ++row) {
    if (rows.rows() > 0) {
      to.column.insert(to.column.end(), rows.row(row).begin(), rows.row(row).end());
    }
    to.end_row();
  }
}

/// Concatenates rows of features, dense or sparse as they are.
class FeatureRows {
 public:
  void append(const Features& rows) {
    is_sparse_ = rows.is_sparse();
    if (is_sparse_) {
      const auto& from = rows.sparse();
      sparse_.column.insert(sparse_.column.end(), from.column.begin(), from.column.end());
      sparse_.value.insert(sparse_.value.end(), from.value.begin(), from.value.end());
      for (Index row = 1; row <= from.rows(); ++row) {
        sparse_.row_start.push_back(sparse_.row_start.back() +
                                    std::ssize(from.row_columns(row - 1)));
      }
    } else {
      const auto values = rows.dense().values();
      dense_.insert(dense_.end(), values.begin(), values.end());
      dense_rows_ += rows.rows();
    }
  }
  Features take(Index cols) {
    if (is_sparse_) {
      sparse_.cols = cols;
      return std::move(sparse_);
    }
    Matrix<double> dense(dense_rows_, cols);
    std::ranges::copy(dense_, dense.values().begin());
    return dense;
  }

 private:
  bool is_sparse_ = true;
  CsrMatrix<double> sparse_;
  std::vector<double> dense_;
  Index dense_rows_ = 0;
};

Dataset read_own_rows(const Communicator& rows, const std::filesystem::path& path,
                      const ReadOptions& options) {
  BlockReader reader(path, options, kBlockRows);
  FeatureRows features;
  Dataset all, block;
  bool has_unknown = false;
  for (Index number = 0;; ++number) {
    if (number % rows.size() != rows.rank()) {
      if (!reader.skip()) break;
      continue;
    }
    if (!reader.next(block)) break;
    features.append(block.x);
    append(all.y, block.y, block.rows());
    append(all.unknown, block.unknown, block.rows());
    has_unknown = has_unknown || block.unknown.ones() > 0;
    all.name = block.name;
    all.y.cols = std::max(all.y.cols, block.y.cols);
    all.feature_names = std::move(block.feature_names);
    all.label_names = std::move(block.label_names);
    all.term_blocks = std::move(block.term_blocks);
    all.widths_inferred = block.widths_inferred;
    all.labels_from = std::move(block.labels_from);
    all.x = Matrix<double>(0, std::max(all.x.cols(), block.x.cols()));
  }
  if (all.y.rows() == 0) {
    throw UsageError(fmt::format("{} has too few rows for {} ranks: each takes {}", path.string(),
                                 rows.size(), kBlockRows));
  }
  const Index cols = all.x.cols();
  all.x = features.take(cols);
  if (!has_unknown) all.unknown = {};
  return all;
}

/// Throws the error of a single process, which has the right message.
void say_why_there_are_no_labels(const std::filesystem::path& path, const ReadOptions& options) {
  BlockReader reader(path, options);
  Dataset block;
  while (reader.next(block)) continue;
}

/// The rows of all parts, concatenated.
BinaryMatrix gathered(const Communicator& rows, const BinaryMatrix& part) {
  std::vector<std::int64_t> lengths;
  for (Index row = 0; row < part.rows(); ++row) lengths.push_back(std::ssize(part.row(row)));
  BinaryMatrix all;
  all.cols = part.cols;
  for (const auto length : rows.gather(std::span<const std::int64_t>(lengths))) {
    all.row_start.push_back(all.row_start.back() + length);
  }
  all.column = rows.gather(std::span<const std::int32_t>(part.column));
  return all;
}

/// Places in the order of the parts, for rows in the order of the file: blocks of rows go to the
/// parts in turn.
std::vector<Index> order_of_file(const std::vector<Index>& starts) {
  const Index parts = std::ssize(starts) - 1;
  std::vector<Index> order;
  for (Index row = 0; row < starts.back(); ++row) {
    const Index block = row / kBlockRows;
    order.push_back(starts[as_size(block % parts)] + block / parts * kBlockRows + row % kBlockRows);
  }
  return order;
}

/// Where these rows of the file are in the order of the parts, ascending.
std::vector<Index> places_of(const DataPart& part, const std::vector<Index>& rows) {
  if (part.order.empty()) return rows;
  std::vector<Index> places;
  for (const Index row : rows) places.push_back(part.order[as_size(row)]);
  std::ranges::sort(places);
  return places;
}

/// The starts of the parts among selected places.
std::vector<Index> starts_among(const std::vector<Index>& starts,
                                const std::vector<Index>& places) {
  std::vector<Index> result;
  for (const Index start : starts) {
    result.push_back(std::ranges::lower_bound(places, start) - places.begin());
  }
  return result;
}

/// The rows at these places, ascending, of all parts.
DataPart selected(const DataPart& part, const std::vector<Index>& places) {
  DataPart result{.data = {}, .whole = select_rows(part.whole, places), .number = part.number};
  result.starts = starts_among(part.starts, places);
  std::vector<Index> mine(places.begin() + result.first_row(),
                          places.begin() + result.starts[part.number + 1]);
  for (Index& place : mine) place -= part.first_row();
  result.data = select_rows(part.data, mine);
  for (const Index place : part.order) {
    const auto found = std::ranges::lower_bound(places, place);
    if (found != places.end() && *found == place) result.order.push_back(found - places.begin());
  }
  return result;
}

}  // namespace

DataPart read_part(const Communicator& rows, const std::filesystem::path& path,
                   const ReadOptions& options) {
  DataPart part;
  if (rows.size() == 1) {
    part.data = read_dataset(path, options);
    part.whole = {
        .x = Matrix<double>(part.data.rows(), 0), .y = part.data.y, .unknown = part.data.unknown};
    part.starts = {0, part.data.rows()};
    return part;
  }
  ReadOptions lenient = options;
  lenient.labels_optional = true;  // this part may have none
  part.data = read_own_rows(rows, path, lenient);
  Dataset& data = part.data;
  std::vector<double> widths = {static_cast<double>(data.features()),
                                static_cast<double>(data.labels()),
                                static_cast<double>(data.unknown.ones())};
  rows.largest(widths);
  data.y.cols = static_cast<Index>(widths[1]);
  if (data.y.cols == 0 && !options.labels_optional) say_why_there_are_no_labels(path, options);
  if (data.x.is_sparse()) data.x.sparse().cols = static_cast<Index>(widths[0]);
  part.whole.y = gathered(rows, data.y);
  part.whole.x = Matrix<double>(part.whole.y.rows(), 0);
  if (widths[2] > 0) {
    if (data.unknown.rows() == 0) append(data.unknown, {}, data.rows());
    data.unknown.cols = data.y.cols;
    part.whole.unknown = gathered(rows, data.unknown);
  }
  const auto counts = rows.gather(std::span<const std::int64_t>(std::vector{data.rows()}));
  part.starts = {0};
  for (const auto count : counts) part.starts.push_back(part.starts.back() + count);
  part.number = as_size(rows.rank());
  part.order = order_of_file(part.starts);
  return part;
}

void release_rows(DataPart& part) {
  part.data.x = Matrix<double>(0, part.data.features());
  part.whole.y = {};
  part.whole.unknown = {};
}

Fold fold_of(const DataPart& part, const SplitRows& rows) {
  Fold fold;
  fold.training = selected(part, places_of(part, rows.train));
  fold.held_out_places = places_of(part, rows.test);
  const auto starts = starts_among(part.starts, fold.held_out_places);
  fold.first_held_out = starts[part.number];
  for (Index k = fold.first_held_out; k < starts[part.number + 1]; ++k) {
    fold.held_out.push_back(fold.held_out_places[as_size(k)] - part.first_row());
  }
  return fold;
}

bool all_have_rows(const DataPart& part, const SplitRows& rows) {
  const auto starts = starts_among(part.starts, places_of(part, rows.train));
  return std::ranges::adjacent_find(starts) == starts.end();
}

}  // namespace mugrad::mpi
