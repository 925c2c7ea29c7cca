// SPDX-License-Identifier: MIT
#include <mugrad/theory/certificate.h>

#include <algorithm>
#include <cmath>

namespace mugrad::theory {
namespace {

double least_self_weight(const CsrMatrix<double>& mbar) {
  double least = 1;
  for (Index i = 0; i < mbar.rows(); ++i) least = std::min(least, mbar.at(i, i));
  return least;
}

/// The slices that are used, and whether some parameter is not transferred.
struct SlicesUsed {
  std::vector<const CsrMatrix<double>*> matrices;
  bool own = false;
};

SlicesUsed used(const TransferSlices& slices, Index parameters) {
  std::vector<bool> taken(slices.matrices.size(), false);
  SlicesUsed result;
  const auto take = [&](int slice) {
    if (slice == TransferSlices::kOwn) {
      result.own = true;
    } else {
      taken[as_size(slice)] = true;
    }
  };
  const auto named = std::ssize(slices.of_parameter);
  for (Index k = 0; k < std::min(named, parameters); ++k) {
    take(slices.of_parameter[as_size(k)]);
  }
  if (parameters > named) take(slices.of_the_rest);
  for (std::size_t k = 0; k < taken.size(); ++k) {
    if (taken[k]) result.matrices.push_back(&slices.matrices[k]);
  }
  return result;
}

/// s = max_i sum_j max_k Pbar_ij,k.
double largest_row_of_maxima(const SlicesUsed& slices, Index tasks) {
  double s = 0;
  std::vector<double> row(as_size(tasks));
  for (Index i = 0; i < tasks; ++i) {
    std::ranges::fill(row, 0.0);
    if (slices.own) row[as_size(i)] = 1;
    for (const auto* matrix : slices.matrices) {
      const auto columns = matrix->row_columns(i);
      for (std::size_t k = 0; k < columns.size(); ++k) {
        double& largest = row[as_size(columns[k])];
        largest = std::max(largest, matrix->row_values(i)[k]);
      }
    }
    double sum = 0;
    for (const double value : row) sum += value;
    s = std::max(s, sum);
  }
  return s;
}

/// pi' M = pi'?
bool is_stationary(const CsrMatrix<double>& mbar, std::span<const double> pi) {
  constexpr double kAgreement = 1e-9;
  std::vector<double> flow(pi.size(), 0);
  for (Index i = 0; i < mbar.rows(); ++i) {
    const auto columns = mbar.row_columns(i);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      flow[as_size(columns[k])] += pi[as_size(i)] * mbar.row_values(i)[k];
    }
  }
  for (std::size_t i = 0; i < pi.size(); ++i) {
    if (std::fabs(flow[i] - pi[i]) > kAgreement * pi[i]) return false;
  }
  return true;
}

/// Tries the uniform distribution and the reversing weights of each slice.
bool share_stationary(const SlicesUsed& slices, Index tasks) {
  std::vector<std::vector<double>> candidates = {std::vector<double>(as_size(tasks), 1)};
  for (const auto* matrix : slices.matrices) {
    auto weights = reversing_weights_of(*matrix);
    if (!weights.empty()) candidates.push_back(std::move(weights));
  }
  return std::ranges::any_of(candidates, [&](const auto& pi) {
    return std::ranges::all_of(slices.matrices,
                               [&](const auto* matrix) { return is_stationary(*matrix, pi); });
  });
}

}  // namespace

TransferFacts facts_of(const TransferMatrix& transfer, Intercepts intercepts) {
  TransferFacts facts{.least_self_weight = least_self_weight(transfer.mbar),
                      .masked = intercepts == Intercepts::own,
                      .reversible = !transfer.reversing_weights.empty()};
  // By Gershgorin no eigenvalue of I - Mbar exceeds 2 (1 - min mbar_ii).
  facts.spread = std::min(transfer.spread, 2 * (1 - facts.least_self_weight));
  return facts;
}

TransferFacts facts_of(const TransferSlices& slices, Index parameters) {
  const SlicesUsed in_use = used(slices, parameters);
  // A single matrix for all transferred parameters is a scalar transfer.
  if (in_use.matrices.size() == 1) {
    return facts_of(transfer_from(*in_use.matrices.front()),
                    in_use.own ? Intercepts::own : Intercepts::transferred);
  }
  const Index tasks = slices.matrices.front().rows();
  TransferFacts facts{.least_self_weight = 1,
                      .stretch = std::sqrt(largest_row_of_maxima(in_use, tasks)),
                      .masked = in_use.own,
                      .shares_stationary = share_stationary(in_use, tasks)};
  for (const auto* matrix : in_use.matrices) {
    facts.least_self_weight = std::min(facts.least_self_weight, least_self_weight(*matrix));
  }
  return facts;
}

}  // namespace mugrad::theory
