// SPDX-License-Identifier: MIT
#include "learner/k_means.h"

#include "learner/centre_panels.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <vector>

namespace mugrad {
namespace {

/// Squared distances to the nearest chosen row.
class NearestChosen {
 public:
  NearestChosen(const ScaledRows& rows, std::span<const Index> names)
      : rows_(rows),
        names_(names),
        squared_(names.size(), std::numeric_limits<double>::infinity()),
        point_(as_size(rows.features())) {}

  /// The sum is exactly 0 if every row equals a chosen one: lengths and products of equal rows are
  /// summed in the same order.
  double choose(std::size_t chosen) {
    const Index name = names_[chosen];
    rows_.for_each_in_row(name, [&](Index k, double value) { entry(k) = value; });
    double total = 0;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      double product = 0;
      rows_.for_each_in_row(names_[i], [&](Index k, double value) { product += value * entry(k); });
      const double squared =
          rows_.squared_length(names_[i]) + rows_.squared_length(name) - 2 * product;
      squared_[i] = std::min(squared_[i], std::max(0.0, squared));
      total += squared_[i];
    }
    rows_.for_each_in_row(name, [&](Index k, double) { entry(k) = 0; });
    return total;
  }

  /// Draws a row with a probability proportional to its squared distance. Requires: `total` is
  /// their sum, and is not 0.
  std::size_t draw(double total, RandomStream& random) const {
    double left = random.uniform() * total;
    std::size_t drawn = 0;
    for (std::size_t i = 0; i < squared_.size(); ++i) {
      if (squared_[i] == 0) continue;
      drawn = i;
      left -= squared_[i];
      if (left < 0) break;
    }
    return drawn;
  }

 private:
  double& entry(Index k) noexcept { return point_[as_size(k)]; }

  const ScaledRows& rows_;
  std::span<const Index> names_;
  std::vector<double> squared_;
  std::vector<double> point_;  ///< the last chosen row; zero outside choose()
};

/// k-means++: the rows, as positions in `names`, of the initial centres.
std::vector<std::size_t> chosen_rows(const ScaledRows& rows, std::span<const Index> names,
                                     Index wanted, RandomStream& random, Progress* progress) {
  NearestChosen nearest(rows, names);
  std::vector<std::size_t> result = {random.below(names.size())};
  while (std::ssize(result) < wanted) {
    advance(progress, 0);
    const double total = nearest.choose(result.back());
    if (!(total > 0)) break;
    result.push_back(nearest.draw(total, random));
  }
  return result;
}

class Lloyd {
 public:
  Lloyd(const ScaledRows& rows, std::span<const Index> names, const Matrix<double>& start)
      : rows_(rows),
        names_(names),
        centres_(start.rows(), rows.features()),
        cluster_(names.size(), kNone),
        nearest_(names.size()),
        product_(names.size()),
        size_(as_size(start.rows())) {
    for (Index c = 0; c < start.rows(); ++c) {
      for (Index k = 0; k < start.cols(); ++k) centres_.at(c, k) = start(c, k);
    }
    centres_.measure();
  }

  /// Assigns every row to the nearest centre; returns whether any changed.
  bool assign() {
    std::ranges::fill(product_, -std::numeric_limits<double>::infinity());
    centres_.for_each_product(rows_, names_,
                              [&](std::size_t i, Index first, std::span<const double> products) {
                                const auto largest = std::ranges::max_element(products);
                                if (*largest <= product_[i]) return;
                                product_[i] = *largest;
                                nearest_[i] = first + (largest - products.begin());
                              });
    const bool changed = nearest_ != cluster_;
    std::ranges::copy(nearest_, cluster_.begin());
    return changed;
  }

  void fill_empty() {
    std::ranges::fill(size_, Index{0});
    for (const Index cluster : cluster_) ++size_[as_size(cluster)];
    for (std::size_t c = 0; c < size_.size(); ++c) {
      if (size_[c] == 0) give_farthest(c);
    }
  }

  /// Moves centres to the means of their rows.
  void update() {
    centres_.set_zero();
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const Index c = cluster_[i];
      rows_.for_each_in_row(names_[i], [&](Index k, double value) { centres_.at(c, k) += value; });
    }
    for (Index c = 0; c < centres_.centres(); ++c) {
      const auto size = static_cast<double>(size_[as_size(c)]);
      for (Index k = 0; k < rows_.features(); ++k) centres_.at(c, k) /= size;
    }
    centres_.measure();
  }

  Matrix<double> centres() const { return centres_.matrix(); }

 private:
  static constexpr Index kNone = -1;

  /// Takes the row from a cluster with several rows. There is one, because there are more rows than
  /// clusters whenever one is empty.
  void give_farthest(std::size_t to) {
    std::size_t farthest = 0;
    double largest = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const double squared = rows_.squared_length(names_[i]) - 2 * product_[i];
      if (squared <= largest || size_[as_size(cluster_[i])] < 2) continue;
      largest = squared;
      farthest = i;
    }
    --size_[as_size(cluster_[farthest])];
    cluster_[farthest] = as_index(to);
    size_[to] = 1;
  }

  const ScaledRows& rows_;
  std::span<const Index> names_;
  CentrePanels centres_;
  std::vector<Index> cluster_;   ///< of each row
  std::vector<Index> nearest_;   ///< centre of each row
  std::vector<double> product_;  ///< with it: the squared distance is |x|^2 minus twice this
  std::vector<Index> size_;      ///< of each cluster
};

}  // namespace

Clusters find_clusters(const ScaledRows& rows, std::span<const Index> names,
                       const KMeansOptions& options, RandomStream& random, Progress* progress) {
  assert(!names.empty() && options.clusters > 0);
  const auto chosen = chosen_rows(rows, names, options.clusters, random, progress);
  Matrix<double> start(std::ssize(chosen), rows.features());
  for (std::size_t c = 0; c < chosen.size(); ++c) {
    const auto centre = start.row(as_index(c));
    rows.for_each_in_row(names[chosen[c]],
                         [&](Index k, double value) { centre[as_size(k)] = value; });
  }
  return find_clusters(rows, names, start, options.max_iterations, progress);
}

Clusters find_clusters(const ScaledRows& rows, std::span<const Index> names,
                       const Matrix<double>& start, Index max_iterations, Progress* progress) {
  assert(start.rows() > 0 && start.rows() <= std::ssize(names));
  Lloyd lloyd(rows, names, start);
  Clusters result;
  for (; result.iterations < max_iterations; ++result.iterations) {
    advance(progress, 0);
    result.converged = !lloyd.assign();
    if (result.converged) break;
    lloyd.fill_empty();
    lloyd.update();
  }
  result.centres = lloyd.centres();
  return result;
}

}  // namespace mugrad
