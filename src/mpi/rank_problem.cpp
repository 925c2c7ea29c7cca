// SPDX-License-Identifier: MIT
#include "mpi/rank_problem.h"

#include "method/common/feature_checks.h"
#include "method/mgd/mgd_options.h"
#include "method/mgd/mgd_problem.h"
#include "mpi/row_summed_tasks.h"
#include "transfer/cosine_rows.h"

#include <mugrad/core/random.h>
#include <mugrad/linalg/sparse_matrix.h>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace mugrad::mpi {
namespace {

Representation representation_across(const Communicator& rows, const Dataset& data,
                                     const MgdOptions& options) {
  return fit_representation(data.x, options.representation, {},
                            {.sum = [&](std::span<double> sums) { rows.sum(sums); },
                             .least = [&](std::span<double> least) { rows.least(least); },
                             .largest = [&](std::span<double> largest) { rows.largest(largest); }},
                            data.term_blocks, options.text_weight);
}

template <class Value>
std::vector<Value> chosen(const std::vector<Value>& of_all, const std::vector<LabelId>& labels) {
  std::vector<Value> values;
  values.reserve(labels.size());
  for (const LabelId label : labels) values.push_back(of_all[as_size(label)]);
  return values;
}

/// For a rank without labels, which also stores no features.
template <class Real>
class NoTasks final : public TaskSet<Real> {
 public:
  explicit NoTasks(Index parameters) : parameters_(parameters) {}
  Index tasks() const override { return 0; }
  Index parameters() const override { return parameters_; }
  void gradient(std::span<const Index>, const Matrix<Real>&, Matrix<Real>&,
                const TaskMeasures&) override {}
  void hessian_product(std::span<const Index>, const Matrix<Real>&, const Matrix<Real>&,
                       Matrix<Real>&) override {}
  std::vector<CurvatureRange> curvatures() override { return {}; }

 private:
  Index parameters_;
};

}  // namespace

BinaryMatrix columns_of(const BinaryMatrix& of_all, std::span<const LabelId> labels,
                        Index first_row, Index rows) {
  std::vector<LabelId> place(as_size(of_all.cols), -1);
  for (std::size_t k = 0; k < labels.size(); ++k) {
    place[as_size(labels[k])] = static_cast<LabelId>(k);
  }
  BinaryMatrix result;
  result.cols = std::ssize(labels);
  for (Index row = first_row; row < first_row + rows; ++row) {
    const auto begin = std::ssize(result.column);
    for (const LabelId label : of_all.row(row)) {
      const LabelId at = place[as_size(label)];
      if (at >= 0) result.column.push_back(at);
    }
    std::sort(result.column.begin() + begin, result.column.end());
    result.end_row();
  }
  return result;
}

template <class Real>
RankProblem<Real>::RankProblem(const Grid& grid, const DataPart& part, const MgdOptions& options)
    : grid_(grid),
      options_((validate(options, part.data), options)),
      pool_(options.threads),
      trainable_(part.whole),
      representation_(representation_across(grid.rows, part.data, options)),
      intercepts_(options.transfer_intercept ? Intercepts::transferred : Intercepts::own),
      parameters_(part.data.features() + 1) {
  check_range(part.data, representation_);
  if (sums_pay(part.data)) {
    sigma_ = options.sigma;
    exchange_ = Exchange::sums;
    share_.summed = &trainable_.labels();
    const Groups groups = groups_in_order(trainable_.labels().cols);
    take(groups, place_in_order(groups, grid.labels.size()));
    share_.borrowing.start.assign(share_.own.size() + 1, 0);
  } else {
    auto chosen_transfer = transfer_for(trainable_, options, {});
    sigma_ = chosen_transfer.sigma;
    share_out(chosen_transfer.matrix.mbar);
    if (grid.all.is_first() && sigma_ > 0) {
      relations_ = std::make_unique<CsrMatrix<double>>(std::move(chosen_transfer.matrix.mbar));
    }
  }
  make_tasks(part);
}

/// Whether sums over panels of features are less work than a T x T matrix, and less to send than
/// columns. This must not depend on the number of ranks, because sums round differently.
template <class Real>
bool RankProblem<Real>::sums_pay(const Dataset& data) {
  // Each label's column is sent to the panels and returned as what it borrows: two columns per
  // label. With this many relations, the cuts need more columns than that.
  constexpr Index kRelated = 32;
  const BinaryMatrix& labels = trainable_.labels();
  if (!is_full_cosine(data, options_, trainable_) || labels.cols == 0) return false;
  if (!low_rank_pays(labels, labels.cols * labels.cols)) return false;
  CosineRows rows(labels);
  std::vector<Index> mine;  // counts of this rank's labels
  const auto begin_of = [&](int rank) { return labels.cols * rank / grid_.labels.size(); };
  for (Index i = begin_of(grid_.labels.rank()); i < begin_of(grid_.labels.rank() + 1); ++i) {
    mine.push_back(rows.size_of(static_cast<LabelId>(i)));
  }
  related_ = grid_.labels.gather(std::span<const Index>(mine));
  const Index entries = std::accumulate(related_.begin(), related_.end(), Index{0});
  return entries > kRelated * labels.cols && low_rank_pays(labels, entries);
}

template <class Real>
std::vector<Index> RankProblem<Real>::relations_start() const {
  const auto& original = trainable_.original();
  std::vector<Index> sizes(original.size() + trainable_.constant().size(), 1);
  for (std::size_t k = 0; k < original.size(); ++k) {
    sizes[as_size(original[k])] = related_[k];
  }
  std::vector<Index> starts = {0};
  for (const Index size : sizes) starts.push_back(starts.back() + size);
  return starts;
}

template <class Real>
RelationsRow RankProblem<Real>::relations_row() const {
  const auto rows = std::make_shared<CosineRows>(trainable_.labels());
  return
      [this, rows](LabelId label, std::vector<LabelId>& related, std::vector<double>& strengths) {
        const auto& original = trainable_.original();
        const auto at = std::ranges::lower_bound(original, label);
        if (at == original.end() || *at != label) {  // a constant label
          related.assign(1, label);
          strengths.assign(1, 1);
          return;
        }
        rows->read(static_cast<LabelId>(at - original.begin()), related, strengths);
        for (LabelId& j : related) j = original[as_size(j)];
      };
}

/// Groups by relations, and the columns that this rank's labels need from others.
template <class Real>
void RankProblem<Real>::share_out(const CsrMatrix<double>& relations) {
  const Communicator& among = grid_.labels;
  std::vector<std::int32_t> of_label, rank_of_group;
  if (among.is_first() && relations.rows() > 0) {
    const Groups groups = group_labels(relations);
    of_label = groups.of_label;
    rank_of_group = place_groups(groups, relations, among.size());
  }
  among.share(of_label);
  among.share(rank_of_group);
  take(groups_from(std::move(of_label)), rank_of_group);
  if (sigma_ == 0) {
    share_.borrowing.start.assign(share_.own.size() + 1, 0);
    return;
  }
  exchange_ = Exchange::columns;
  borrow(relations);
}

/// Determines the labels of this rank.
template <class Real>
void RankProblem<Real>::take(const Groups& groups, const std::vector<std::int32_t>& rank_of_group) {
  groups_ = groups.count();
  for (const std::int32_t group : groups.of_label) {
    share_.rank_of.push_back(rank_of_group[as_size(group)]);
  }
  for (Index g = 0; g < groups.count(); ++g) {
    const auto& members = groups.members[as_size(g)];
    share_.largest_group = std::max<Index>(share_.largest_group, std::ssize(members));
    if (rank_of_group[as_size(g)] != grid_.labels.rank()) continue;
    const Index begin = std::ssize(share_.own);
    share_.own.insert(share_.own.end(), members.begin(), members.end());
    share_.groups.push_back({.number = g, .begin = begin, .end = std::ssize(share_.own)});
  }
}

/// Determines what this rank's labels borrow, and the columns of others that this needs.
template <class Real>
void RankProblem<Real>::borrow(const CsrMatrix<double>& relations) {
  exchanged_columns_ = received_columns(relations, share_.rank_of);
  std::vector<Index> row_of(share_.rank_of.size(), -1);
  for (std::size_t k = 0; k < share_.own.size(); ++k) {
    row_of[as_size(share_.own[k])] = as_index(k);
  }
  std::set<std::pair<std::int32_t, LabelId>> wanted;
  for (const LabelId i : share_.own) {
    for (const LabelId j : relations.row_columns(i)) {
      if (row_of[as_size(j)] >= 0) continue;
      wanted.emplace(share_.rank_of[as_size(j)], j);
    }
  }
  for (const auto& [rank, label] : wanted) {
    row_of[as_size(label)] = std::ssize(share_.own) + std::ssize(share_.wanted);
    share_.wanted.push_back(label);
  }
  auto& borrowing = share_.borrowing;
  for (const LabelId i : share_.own) {
    const auto columns = relations.row_columns(i);
    const auto values = relations.row_values(i);
    borrowing.own.push_back(relations.at(i, i));
    for (std::size_t k = 0; k < columns.size(); ++k) {
      if (columns[k] == i) continue;
      borrowing.row.push_back(row_of[as_size(columns[k])]);
      borrowing.strength.push_back(values[k]);
    }
    borrowing.start.push_back(std::ssize(borrowing.row));
  }
}

template <class Real>
void RankProblem<Real>::make_tasks(const DataPart& part) {
  const FeatureTransform transform = feature_transform(representation_);
  check_magnitude<Real>(part.data, transform);
  const Index rows = part.data.rows();
  labels_ = columns_of(trainable_.labels(), share_.own, part.first_row(), rows);
  LinearTaskOptions options = task_options(part.data, options_, trainable_);
  if (options.unknown != nullptr) {
    unknown_ = columns_of(trainable_.unknown(), share_.own, part.first_row(), rows);
    options.unknown = &unknown_;
  }
  if (!options.positive_weights.empty()) {
    options.positive_weights = chosen(options.positive_weights, share_.own);
  }
  options.examples = chosen(trainable_.known(), share_.own);
  options.most_at_once = std::max<Index>(1, share_.largest_group);
  if (share_.own.empty()) {
    tasks_ = std::make_unique<NoTasks<Real>>(parameters_);
  } else if (grid_.rows.size() > 1) {
    tasks_ = std::make_unique<RowSummedTasks<Real>>(grid_.rows, part.data.x, transform, labels_,
                                                    options, pool_);
  } else {
    tasks_ = linear_tasks<Real>(part.data.x, transform, labels_, options, pool_);
  }
}

template <class Real>
Matrix<Real> RankProblem<Real>::start() const {
  Matrix<Real> weights(std::ssize(share_.own) + std::ssize(share_.wanted), parameters_);
  const auto positives = chosen(trainable_.positives(), share_.own);
  const auto known = chosen(trainable_.known(), share_.own);
  const auto& given = options_.positive_weights;
  for (std::size_t k = 0; k < share_.own.size(); ++k) {
    const auto label = trainable_.original()[as_size(share_.own[k])];
    const auto row = weights.row(as_index(k));
    const double weight = given.empty() ? options_.positive_weight : given[as_size(label)];
    row[0] = static_cast<Real>(start_of(options_, positives[k], known[k], weight));
    if (options_.start != Start::random) continue;
    RandomStream random(options_.seed, "mgd-start", static_cast<std::uint64_t>(label));
    for (Real& entry : row) entry = static_cast<Real>(options_.start_deviation * random.normal());
  }
  return weights;
}

template class RankProblem<float>;
template class RankProblem<double>;

}  // namespace mugrad::mpi
