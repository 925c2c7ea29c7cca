// SPDX-License-Identifier: MIT
#include "mpi/stages/rank_cosines.h"

#include "linalg/dense/blas.h"
#include "transfer/column_cosines.h"

#include <algorithm>
#include <cmath>

namespace mugrad::mpi {
namespace {

constexpr Index kBlock = 64;

using Similar = std::vector<std::vector<SimilarColumn>>;

/// Makes the rows of length one, or zero.
template <class Real>
void normalise(Matrix<Real>& rows) {
  for (Index i = 0; i < rows.rows(); ++i) {
    double square = 0;
    for (const Real value : rows.row(i)) {
      square += static_cast<double>(value) * static_cast<double>(value);
    }
    const double length = std::sqrt(square);
    for (Real& value : rows.row(i)) {
      value = length > 0 ? static_cast<Real>(static_cast<double>(value) / length) : 0;
    }
  }
}

/// The lists of all ranks, which have the labels in their order.
Similar gathered(const Communicator& among, const Similar& mine) {
  std::vector<Index> sizes;
  std::vector<LabelId> columns;
  std::vector<double> cosines;
  for (const auto& list : mine) {
    sizes.push_back(std::ssize(list));
    for (const auto& [column, cosine] : list) {
      columns.push_back(column);
      cosines.push_back(cosine);
    }
  }
  const auto all_columns = among.gather(std::span<const LabelId>(columns));
  const auto all_cosines = among.gather(std::span<const double>(cosines));
  Similar all;
  std::size_t at = 0;
  for (const Index size : among.gather(std::span<const Index>(sizes))) {
    auto& list = all.emplace_back();
    for (Index k = 0; k < size; ++k, ++at) list.push_back({all_columns[at], all_cosines[at]});
  }
  return all;
}

}  // namespace

LabelBlocks::LabelBlocks(Index labels, int ranks) : labels_(labels), ranks_(ranks) {}

Index LabelBlocks::count() const noexcept { return (labels_ + kBlock - 1) / kBlock; }

Index LabelBlocks::begin(Index block) const noexcept { return std::min(block * kBlock, labels_); }

std::vector<std::int32_t> LabelBlocks::rank_of() const {
  std::vector<std::int32_t> result;
  for (int rank = 0; rank < ranks_; ++rank) {
    result.resize(as_size(begin(first_of(rank + 1))), rank);
  }
  return result;
}

std::vector<LabelId> LabelBlocks::labels_of(int rank) const {
  std::vector<LabelId> result;
  for (Index label = begin(first_of(rank)); label < begin(first_of(rank + 1)); ++label) {
    result.push_back(static_cast<LabelId>(label));
  }
  return result;
}

template <class Real>
CsrMatrix<double> strongest_cosines(const Communicator& among, const LabelBlocks& blocks,
                                    Matrix<Real> columns, Index top, ThreadPool& pool) {
  normalise(columns);
  const Index length = columns.cols();
  const Index first = blocks.first_of(among.rank());
  const Index own_begin = blocks.begin(first);
  Similar similar(as_size(columns.rows()));
  Matrix<Real> block;
  for (int rank = 0; rank < among.size(); ++rank) {
    for (Index b = blocks.first_of(rank); b < blocks.first_of(rank + 1); ++b) {
      const Index begin = blocks.begin(b);
      block.resize(blocks.begin(b + 1) - begin, length);
      if (rank == among.rank()) {
        std::copy_n(columns.data() + (begin - own_begin) * length, block.size(), block.data());
      }
      MPI_Bcast(block.data(), count_of(block.size()), type_of<Real>(), rank, among.handle());
      pool.run(blocks.first_of(among.rank() + 1) - first, [&](Index item) {
        const Index mine = blocks.begin(first + item);
        const Index size = blocks.begin(first + item + 1) - mine;
        Matrix<Real> cosines(size, block.rows());
        blas::multiply<Real>(size, block.rows(), length,
                             {columns.data() + (mine - own_begin) * length, length},
                             {block.data(), length, true}, 0, cosines.data(), block.rows());
        for (Index i = 0; i < size; ++i) {
          auto& found = similar[as_size(mine - own_begin + i)];
          for (Index j = 0; j < block.rows(); ++j) {
            if (mine + i == begin + j || !(cosines(i, j) > 0)) continue;
            found.push_back({static_cast<LabelId>(begin + j), static_cast<double>(cosines(i, j))});
          }
          keep_strongest(found, top);
        }
      });
    }
  }
  return made_symmetric(gathered(among, similar));
}

template decltype(strongest_cosines<float>) strongest_cosines<float>;
template decltype(strongest_cosines<double>) strongest_cosines<double>;

}  // namespace mugrad::mpi
