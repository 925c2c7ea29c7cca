// SPDX-License-Identifier: MIT
#include "mpi/cosine_sums.h"

#include "mpi/the_world.h"
#include "support/random_problem.h"

#include <mugrad/transfer/transfer_matrix.h>

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace mugrad::mpi {
namespace {

using testing::all_ranks;

constexpr double kStrength = 0.3;

/// Label i is on rank i % ranks; three ranks of four have a label more than the last.
class Summing {
 public:
  static constexpr Index kLabels = 47;
  static constexpr Index kParameters = 150;
  /// The least there is, 16 parameters at a time: several turns on any number of ranks.
  static constexpr Index kLittle = 1;

  Summing()
      : pool_(Threads{2}),
        labels_(testing::random_problem(
                    {.rows = 30, .features = 1, .labels = kLabels, .label_probability = 0.15}, 3)
                    .y),
        weights_of_all_(testing::random_weights(kParameters, kLabels, 5)) {}

  /// What all labels borrow when the ranks share them; rows of others are zero.
  template <class Real>
  Matrix<Real> borrowed(const Communicator& among, Index first, Index bytes_at_once,
                        Index rounds = 1) {
    std::vector<LabelId> own;
    for (auto i = static_cast<LabelId>(among.rank()); i < kLabels; i += among.size()) {
      own.push_back(i);
    }
    CosineSums<Real> sums(among, labels_, own, kParameters, first, pool_, bytes_at_once);
    Matrix<Real> weights(std::ssize(own), kParameters);
    for (std::size_t k = 0; k < own.size(); ++k) {
      for (Index p = 0; p < kParameters; ++p) {
        weights(static_cast<Index>(k), p) = static_cast<Real>(weights_of_all_(p, own[k]));
      }
    }
    Matrix<Real> found;
    for (Index round = 0; round < rounds; ++round) sums.borrow(weights, kStrength, found);
    Matrix<Real> result(kLabels, kParameters);
    own_shares_.assign(kLabels, 0);
    for (std::size_t k = 0; k < own.size(); ++k) {
      std::ranges::copy(found.row(static_cast<Index>(k)), result.row(own[k]).begin());
      own_shares_[static_cast<std::size_t>(own[k])] = sums.own_share(static_cast<Index>(k));
    }
    among.sum(result.values());
    among.sum(std::span<double>(own_shares_));
    bytes_ = among.sum(sums.bytes());
    received_ = among.sum(sums.received());
    return result;
  }

  const BinaryMatrix& labels() const { return labels_; }
  double weight(Index parameter, Index label) const { return weights_of_all_(parameter, label); }
  const std::vector<double>& own_shares() const { return own_shares_; }
  Index bytes() const { return bytes_; }
  Index received() const { return received_; }

 private:
  ThreadPool pool_;
  BinaryMatrix labels_;
  Matrix<double> weights_of_all_;  ///< a column per label
  std::vector<double> own_shares_;
  Index bytes_ = 0;
  Index received_ = 0;
};

TEST(CosineSums, AreWhatTheTransferMatrixBorrowsFromOthers) {
  Summing summing;
  const auto mbar = label_transfer(summing.labels(), Similarity::cosine).mbar;
  for (const Index first : {0, 1}) {
    for (const Index bytes : {Summing::kLittle, CosineSums<double>::kBytesAtOnce}) {
      const auto found = summing.borrowed<double>(all_ranks(), first, bytes);
      for (Index i = 0; i < Summing::kLabels; ++i) {
        // Sums of a few dozen numbers near one: some units of rounding.
        EXPECT_NEAR(summing.own_shares()[static_cast<std::size_t>(i)], mbar.at(i, i), 1e-14);
        for (Index p = 0; p < Summing::kParameters; ++p) {
          double expected = 0;
          for (Index j = 0; p >= first && j < Summing::kLabels; ++j) {
            if (j != i) expected += kStrength * mbar.at(i, j) * summing.weight(p, j);
          }
          EXPECT_NEAR(found(i, p), expected, 1e-14) << i << ' ' << p;
        }
      }
    }
  }
}

TEST(CosineSums, AreTheSameBitsWhoeverHasTheLabelsAndFeatures) {
  Summing summing;
  const auto alone = all_ranks().split(all_ranks().rank(), 0);
  const auto in_double = summing.borrowed<double>(alone, 1, CosineSums<double>::kBytesAtOnce);
  const auto in_single = summing.borrowed<float>(alone, 1, CosineSums<float>::kBytesAtOnce);
  EXPECT_EQ(summing.borrowed<double>(all_ranks(), 1, Summing::kLittle), in_double);
  EXPECT_EQ(summing.borrowed<float>(all_ranks(), 1, Summing::kLittle), in_single);
}

TEST(CosineSums, BytesAreTwoColumnsOfEachLabelLessWhatStays) {
  Summing summing;
  for (const Index first : {0, 1}) {
    summing.borrowed<float>(all_ranks(), first, Summing::kLittle, 3);
    const Index ranks = all_ranks().size();
    const Index parameters = Summing::kParameters - first;
    Index stays = 0;
    for (Index r = 0; r < ranks; ++r) {
      const Index labels = (Summing::kLabels - r + ranks - 1) / ranks;
      stays += labels * (parameters * (r + 1) / ranks - parameters * r / ranks);
    }
    EXPECT_EQ(summing.bytes(), 2 * 4 * (parameters * Summing::kLabels - stays));
    EXPECT_EQ(summing.received(), 3 * summing.bytes());
  }
}

}  // namespace
}  // namespace mugrad::mpi
