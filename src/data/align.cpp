// SPDX-License-Identifier: MIT
#include <mugrad/core/error.h>
#include <mugrad/core/listing.h>
#include <mugrad/data/align.h>

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace mugrad {
namespace {

constexpr std::int32_t kNowhere = -1;

/// Where each column of the data goes, or kNowhere; and what was not found.
struct Matching {
  std::vector<std::int32_t> target;
  std::vector<std::string> missing;     ///< expected, not in the data
  std::vector<std::string> unexpected;  ///< in the data, not expected
};

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
      matching.unexpected.push_back(name);
    } else {
      matching.target.push_back(at->second);
      found[static_cast<std::size_t>(at->second)] = true;
    }
  }
  for (std::size_t k = 0; k < expected.size(); ++k) {
    if (!found[k]) matching.missing.push_back(expected[k]);
  }
  return matching;
}

Matching match_by_position(Index have, Index expected) {
  Matching matching;
  for (Index k = 0; k < have; ++k) matching.target.push_back(static_cast<std::int32_t>(k));
  for (Index k = have; k < expected; ++k) matching.missing.push_back(std::to_string(k));
  for (Index k = expected; k < have; ++k) matching.unexpected.push_back(std::to_string(k));
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
      const auto to = target[static_cast<std::size_t>(columns[k])];
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

/// Requires: every column that has a one has a target.
BinaryMatrix rearranged(const BinaryMatrix& labels, const std::vector<std::int32_t>& target,
                        Index cols) {
  BinaryMatrix result;
  result.cols = cols;
  std::vector<LabelId> row;
  for (Index i = 0; i < labels.rows(); ++i) {
    row.clear();
    for (const LabelId label : labels.row(i)) {
      row.push_back(target[static_cast<std::size_t>(label)]);
    }
    std::ranges::sort(row);
    result.column.insert(result.column.end(), row.begin(), row.end());
    result.end_row();
  }
  return result;
}

/// Whether every column stays where it is; there may be more to come after the last.
bool stay_in_place(const std::vector<std::int32_t>& target) {
  for (std::size_t k = 0; k < target.size(); ++k) {
    if (target[k] != static_cast<std::int32_t>(k)) return false;
  }
  return true;
}

/// The columns where they belong.
Features moved(Features x, const std::vector<std::int32_t>& target, Index cols) {
  if (!stay_in_place(target)) return rearranged(x, target, cols);
  if (x.is_sparse() && x.cols() < cols) x.widen(cols);
  if (x.cols() != cols) return rearranged(x, target, cols);
  return x;
}

/// The matching of features, after the checks and the note that align_features promises.
Matching match_features(const Dataset& data, const ExpectedColumns& expected,
                        const std::function<void(const std::string&)>& note) {
  const bool by_name = !data.feature_names.empty() && !expected.names.empty();
  Matching matching = by_name ? match_by_name(data.feature_names, expected.names)
                              : match_by_position(data.features(), expected.count);
  if (by_name && !matching.missing.empty()) {
    throw InputError(fmt::format("{} lacks {} of the model's {} features: {}", data.name,
                                 matching.missing.size(), expected.count,
                                 listing(matching.missing)));
  }
  const bool widens = data.widths_inferred && data.features() <= expected.count;
  if (!by_name && data.features() != expected.count && !widens) {
    throw InputError(fmt::format(
        "{} has {} features, the model was trained on {}, and without names on both sides they are "
        "matched by position; {}: {}",
        data.name, data.features(), expected.count,
        matching.missing.empty() ? "not expected" : "missing",
        listing(matching.missing.empty() ? matching.unexpected : matching.missing)));
  }
  if (!matching.unexpected.empty() && note) {
    note(fmt::format("passed over {} of {}'s columns that the model does not know: {}",
                     matching.unexpected.size(), data.name, listing(matching.unexpected)));
  }
  return matching;
}

}  // namespace

Features align_features(const Dataset& data, const ExpectedColumns& expected,
                        const std::function<void(const std::string&)>& note) {
  return moved(Features(data.x), match_features(data, expected, note).target, expected.count);
}

Features align_features(Dataset&& data, const ExpectedColumns& expected,
                        const std::function<void(const std::string&)>& note) {
  const Matching matching = match_features(data, expected, note);
  return moved(std::move(data.x), matching.target, expected.count);
}

AlignedLabels align_labels(const Dataset& data, const ExpectedColumns& expected) {
  const bool by_name = !data.label_names.empty() && !expected.names.empty();
  const Matching matching = by_name ? match_by_name(data.label_names, expected.names)
                                    : match_by_position(data.labels(), expected.count);
  const bool widens = !by_name && data.widths_inferred;
  if (!matching.missing.empty() && !widens) {
    throw InputError(fmt::format("{} lacks {} of the model's {} labels: {}", data.name,
                                 matching.missing.size(), expected.count,
                                 listing(matching.missing)));
  }
  if (!matching.unexpected.empty()) {
    throw InputError(fmt::format("{} has {} labels that the model was not trained on: {}",
                                 data.name, matching.unexpected.size(),
                                 listing(matching.unexpected)));
  }
  AlignedLabels result{.y = rearranged(data.y, matching.target, expected.count), .unknown = {}};
  if (data.unknown.rows() > 0) {
    result.unknown = rearranged(data.unknown, matching.target, expected.count);
  }
  return result;
}

}  // namespace mugrad
