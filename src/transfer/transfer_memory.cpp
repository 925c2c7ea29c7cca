// SPDX-License-Identifier: MIT
#include "transfer/transfer_memory.h"

#include "transfer/cosine_rows.h"
#include "transfer/label_product.h"

#include <algorithm>
#include <cstdint>

namespace mugrad {

Index related_pairs(const BinaryMatrix& labels) {
  constexpr Index kFewLabels = 500;
  constexpr Index kLong = Index{1} << 28;  // products that can be counted in about a second
  Index products = 0;                      // of two labels of the same example
  for (Index row = 0; row < labels.rows(); ++row) {
    const auto size = std::ssize(labels.row(row));
    products += size * size;
  }
  // Labels without examples are related to themselves.
  const Index most = std::min(labels.cols * labels.cols, products + labels.cols);
  const bool has_room = labels.cols <= 8 * (labels.ones() + labels.rows());
  if (labels.cols <= kFewLabels || products > kLong || !has_room) return most;
  CosineRows rows(labels);
  Index pairs = 0;
  for (LabelId label = 0; label < labels.cols; ++label) pairs += rows.size_of(label);
  return pairs;
}

template <class Real>
TransferMemory transfer_memory(Index tasks, Index found, Index kept) {
  constexpr double kGrown = 1.5;  // spare capacity of appended vectors
  constexpr double kEntry = sizeof(double) + sizeof(std::int32_t);
  const auto all = kEntry * static_cast<double>(found);
  const auto matrix = kEntry * static_cast<double>(kept);
  const double product = LabelProduct<Real>::bytes(tasks, kept);
  // First the similarities, those that are kept, and the row-stochastic matrix; then this matrix, a
  // copy of it that is checked through another, and finally the copy and that of the operator.
  return {.finding = std::max(kGrown * all + (kept < found ? kGrown : 0) * matrix + matrix,
                              2 * matrix + std::max(matrix, matrix + product)),
          .kept = 2 * matrix + product};
}

template TransferMemory transfer_memory<float>(Index, Index, Index);
template TransferMemory transfer_memory<double>(Index, Index, Index);

}  // namespace mugrad
