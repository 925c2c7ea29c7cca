// SPDX-License-Identifier: MIT
#include "core/printable.h"

#include <mugrad/core/error.h>
#include <mugrad/data/align.h>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <utility>

namespace mugrad {
namespace {

constexpr std::int32_t kNowhere = -1;

/// Columns without a match: their number, and the names of the first.
class Unmatched {
 public:
  void add(const std::string& name) {
    if (count_++ < kNamed) named_.push_back(name);
  }
  /// The columns from `first` up to `end`, by their names or, without names, by number.
  void add_range(Index first, Index end, const std::vector<std::string>& names) {
    for (Index k = first; k < end && count_ < kNamed; ++k) {
      add(names.empty() ? std::to_string(k) : names[as_size(k)]);
    }
    count_ += std::max<Index>(0, end - first - std::ssize(named_));
  }
  Index count() const noexcept { return count_; }
  bool empty() const noexcept { return count_ == 0; }
  std::string listed() const {
    auto text = listing(named_, kNamed);
    if (count_ > std::ssize(named_)) {
      text += fmt::format(" and {} more", count_ - std::ssize(named_));
    }
    return text;
  }

 private:
  static constexpr Index kNamed = 8;
  Index count_ = 0;
  std::vector<std::string> named_;
};

/// The target of each column of the data, or kNowhere; and the columns without a match.
struct Matching {
  bool stays = false;  ///< every column stays in place; there are then no targets
  std::vector<std::int32_t> target;
  Unmatched missing;     ///< expected, not in the data
  Unmatched unexpected;  ///< in the data, not expected
};

/// Whether every column stays in place; more columns may follow after the last.
bool stay_in_place(const std::vector<std::int32_t>& target) {
  for (std::size_t k = 0; k < target.size(); ++k) {
    if (target[k] != static_cast<std::int32_t>(k)) return false;
  }
  return true;
}

Matching match_by_name(const std::vector<std::string>& have,
                       const std::vector<std::string>& expected) {
  std::unordered_map<std::string_view, std::int32_t> position;
  for (std::size_t k = 0; k < expected.size(); ++k) {
    position.emplace(expected[k], static_cast<std::int32_t>(k));
  }
  Matching matching;
  std::vector<bool> found(expected.size(), false);
  for (const auto& name : have) {
    const auto at = position.find(name);
    if (at == position.end()) {
      matching.target.push_back(kNowhere);
      matching.unexpected.add(name);
    } else {
      matching.target.push_back(at->second);
      found[as_size(at->second)] = true;
    }
  }
  for (std::size_t k = 0; k < expected.size(); ++k) {
    if (!found[k]) matching.missing.add(expected[k]);
  }
  matching.stays = stay_in_place(matching.target);
  return matching;
}

Matching match_by_position(Index have, const ExpectedColumns& expected) {
  // There may be far more columns than entries, so no memory per column.
  Matching matching{.stays = true, .target = {}, .missing = {}, .unexpected = {}};
  matching.missing.add_range(have, expected.count, expected.names);
  matching.unexpected.add_range(expected.count, have, {});
  return matching;
}

template <class Real>
Matrix<Real> rearranged(const DenseView<Real>& x, const std::vector<std::int32_t>& target,
                        Index cols) {
  Matrix<Real> result(x.rows, cols);
  for (Index i = 0; i < x.rows; ++i) {
    const auto from = x.row(i);
    for (std::size_t k = 0; k < from.size(); ++k) {
      if (target[k] != kNowhere) result(i, target[k]) = from[k];
    }
  }
  return result;
}

template <class Real>
CsrMatrix<Real> rearranged(const CsrView<Real>& x, const std::vector<std::int32_t>& target,
                           Index cols) {
  CsrMatrix<Real> result;
  result.cols = cols;
  std::vector<std::pair<std::int32_t, Real>> row;
  for (Index i = 0; i < x.rows; ++i) {
    row.clear();
    const auto columns = x.row_columns(i);
    const auto values = x.row_values(i);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const auto to = target[as_size(columns[k])];
      if (to != kNowhere) row.emplace_back(to, values[k]);
    }
    std::ranges::sort(row, {}, &std::pair<std::int32_t, Real>::first);
    for (const auto& [column, value] : row) {
      result.column.push_back(column);
      result.value.push_back(value);
    }
    result.end_row();
  }
  return result;
}

Features rearranged(const Features& x, const std::vector<std::int32_t>& target, Index cols) {
  return x.visit([&](const auto& view) -> Features { return rearranged(view, target, cols); });
}

/// Requires: every column with a one has a target.
BinaryMatrix rearranged(const BinaryMatrix& labels, const std::vector<std::int32_t>& target,
                        Index cols) {
  BinaryMatrix result;
  result.cols = cols;
  std::vector<LabelId> row;
  for (Index i = 0; i < labels.rows(); ++i) {
    row.clear();
    for (const LabelId label : labels.row(i)) {
      row.push_back(target[as_size(label)]);
    }
    std::ranges::sort(row);
    result.column.insert(result.column.end(), row.begin(), row.end());
    result.end_row();
  }
  return result;
}

/// The targets of this many columns that stay in place.
std::vector<std::int32_t> in_place(Index columns) {
  std::vector<std::int32_t> target(as_size(columns));
  std::iota(target.begin(), target.end(), 0);
  return target;
}

/// Moves the columns to their targets.
Features moved(Features x, const Matching& matching, Index cols) {
  if (!matching.stays) return rearranged(x, matching.target, cols);
  if (x.is_sparse() && x.cols() < cols) x.widen(cols);
  if (x.cols() != cols) return rearranged(x, in_place(x.cols()), cols);
  return x;
}

/// The matching of features, after the checks and the note of align_features.
Matching match_features(const Dataset& data, const ExpectedColumns& expected,
                        const std::function<void(const std::string&)>& note) {
  const bool by_name = !data.feature_names.empty() && !expected.names.empty();
  Matching matching = by_name ? match_by_name(data.feature_names, expected.names)
                              : match_by_position(data.features(), expected);
  if (by_name && !matching.missing.empty()) {
    throw InputError(fmt::format("{} lacks {} of the model's {} features: {}", data.name,
                                 matching.missing.count(), expected.count,
                                 matching.missing.listed()));
  }
  const bool widens = data.widths_inferred && data.features() <= expected.count;
  if (!by_name && data.features() != expected.count && !widens) {
    throw InputError(fmt::format(
        "{} has {} features, the model was trained on {}, and without names on both sides they are "
        "matched by position; {}: {}",
        data.name, data.features(), expected.count,
        matching.missing.empty() ? "not expected" : "missing",
        matching.missing.empty() ? matching.unexpected.listed() : matching.missing.listed()));
  }
  if (!matching.unexpected.empty() && note) {
    note(fmt::format("ignored {} of {}'s columns that the model does not use: {}",
                     matching.unexpected.count(), data.name, matching.unexpected.listed()));
  }
  return matching;
}

}  // namespace

Features align_features(const Dataset& data, const ExpectedColumns& expected,
                        const std::function<void(const std::string&)>& note) {
  return moved(Features(data.x), match_features(data, expected, note), expected.count);
}

Features align_features(Dataset&& data, const ExpectedColumns& expected,
                        const std::function<void(const std::string&)>& note) {
  const Matching matching = match_features(data, expected, note);
  return moved(std::move(data.x), matching, expected.count);
}

AlignedLabels align_labels(const Dataset& data, const ExpectedColumns& expected) {
  const bool by_name = !data.label_names.empty() && !expected.names.empty();
  const Matching matching = by_name ? match_by_name(data.label_names, expected.names)
                                    : match_by_position(data.labels(), expected);
  const bool widens = !by_name && data.widths_inferred;
  if (!matching.missing.empty() && !widens) {
    throw InputError(fmt::format("{} lacks {} of the model's {} labels: {}", data.name,
                                 matching.missing.count(), expected.count,
                                 matching.missing.listed()));
  }
  if (!matching.unexpected.empty()) {
    throw InputError(fmt::format("{} has {} labels that the model was not trained on: {}",
                                 data.name, matching.unexpected.count(),
                                 matching.unexpected.listed()));
  }
  const auto put = [&](BinaryMatrix labels) {
    if (!matching.stays) return rearranged(labels, matching.target, expected.count);
    labels.cols = expected.count;
    return labels;
  };
  AlignedLabels result{.y = put(data.y), .unknown = {}};
  if (data.unknown.rows() > 0) result.unknown = put(data.unknown);
  return result;
}

}  // namespace mugrad
