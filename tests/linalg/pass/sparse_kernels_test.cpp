// SPDX-License-Identifier: MIT
#include "linalg/pass/kernels.h"
#include "linalg/pass/panels.h"
#include "linalg/pass/row_blocks.h"
#include "support/every_target.h"

#include <mugrad/core/random.h>

#include <cmath>

namespace mugrad {
namespace {

/// Entries that are small multiples of 1/8, so that sums of products are exact in any order and
/// with or without fused multiplication: results can be compared bit by bit.
template <class Real>
Real small_number(RandomStream& random) {
  return static_cast<Real>(std::floor(random.uniform() * 33) - 16) / Real{8};
}

/// Every third row is empty, and one in the middle is full.
template <class Real>
CsrMatrix<Real> some_rows(Index rows, Index cols, std::uint64_t seed) {
  RandomStream random(seed, "rows");
  CsrMatrix<Real> x;
  x.cols = cols;
  for (Index i = 0; i < rows; ++i) {
    for (Index k = 0; k < cols; ++k) {
      if (i != rows / 2 && (i % 3 == 0 || random.uniform() > 0.3)) continue;
      x.column.push_back(static_cast<std::int32_t>(k));
      x.value.push_back(small_number<Real>(random));
    }
    x.end_row();
  }
  return x;
}

template <class Real>
AlignedBuffer<Real> some_numbers(Index size, std::uint64_t seed) {
  RandomStream random(seed, "numbers");
  AlignedBuffer<Real> numbers(size);
  for (Index k = 0; k < size; ++k) numbers.data()[k] = small_number<Real>(random);
  return numbers;
}

/// `Stored` is what the panel is stored in.
template <class Real, class Stored = Real>
void expect_plain_products(Index rows, Index cols, Index width) {
  const auto x = some_rows<Real>(rows, cols, 1);
  const auto panel = some_numbers<Stored>(cols * width, 2);
  const auto offset = some_numbers<Real>(width, 3);
  AlignedBuffer<Real> out(rows * width);
  for (const bool is_far : {false, true}) {
    multiply_rows({x.rows(), x.row_start.data(), x.column.data(), x.value.data(), is_far},
                  panel.data(), offset.data(), width, out.data());
    for (Index i = 0; i < rows; ++i) {
      for (Index t = 0; t < width; ++t) {
        Real expected = offset.data()[t];
        for (Index k = 0; k < cols; ++k) {
          expected += x.at(i, k) * static_cast<Real>(panel.data()[k * width + t]);
        }
        ASSERT_EQ(out.data()[i * width + t], expected) << i << ' ' << t;
      }
    }
  }
}

template <class Real>
void expect_plain_transposed_products(Index rows, Index cols, Index width, Index block_rows,
                                      bool is_far) {
  const auto x = some_rows<Real>(rows, cols, 4);
  const RowBlocks<Real> blocks(x, block_rows);
  const auto residuals = some_numbers<Real>(rows * width, 5);
  auto sums = some_numbers<Real>((1 + cols) * width, 6);
  for (Index block = 0; block * block_rows < rows; ++block) {
    auto columns = blocks.columns(block);
    columns.is_far = is_far;
    add_rows(columns, blocks.names(block), residuals.data() + block * block_rows * width, width,
             sums.data());
  }
  const auto before = some_numbers<Real>((1 + cols) * width, 6);
  for (Index k = 0; k < 1 + cols; ++k) {
    for (Index t = 0; t < width; ++t) {
      Real expected = before.data()[k * width + t];
      for (Index i = 0; i < rows; ++i) {
        expected += (k == 0 ? Real{1} : x.at(i, k - 1)) * residuals.data()[i * width + t];
      }
      ASSERT_EQ(sums.data()[k * width + t], expected) << k << ' ' << t;
    }
  }
}

template <class Real>
class SparseKernels : public ::testing::Test {};
using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(SparseKernels, Reals);

TYPED_TEST(SparseKernels, GiveThePlainProductOnEveryTargetAtEveryWidth) {
  testing::for_each_target([] {
    for (Index lines = 1; lines <= 17; ++lines) {
      for (const Index rows : {0, 1, 2, 9}) {
        expect_plain_products<TypeParam>(rows, 7, lines * kLine<TypeParam>);
      }
    }
  });
}

TEST(WidenedSparseKernels, SumPanelsOfSinglePrecisionInDouble) {
  testing::for_each_target([] {
    for (Index lines = 1; lines <= 17; ++lines) {
      expect_plain_products<double, float>(9, 7, lines * kLine<double>);
    }
  });
}

TYPED_TEST(SparseKernels, GiveThePlainTransposedProductOnEveryTargetAtEveryWidth) {
  testing::for_each_target([] {
    for (Index lines = 1; lines <= 17; ++lines) {
      for (const Index rows : {0, 1, 9}) {
        for (const bool is_far : {false, true}) {
          const Index width = lines * kLine<TypeParam>;
          expect_plain_transposed_products<TypeParam>(rows, is_far ? 23 : 7, width, 4, is_far);
        }
      }
    }
  });
}

TEST(Panels, CoverAllColumnsWithWholeLinesThatDifferByOneAtMost) {
  for (Index columns = 1; columns <= 300; ++columns) {
    for (const Index most : {1, 3, 4, 16}) {
      const auto panels = Panels::cut(columns, 16, most);
      Index covered = 0;
      for (Index p = 0; p < panels.count; ++p) {
        EXPECT_EQ(panels.first(p), covered);
        EXPECT_EQ(panels.width(p) % 16, 0);
        EXPECT_LE(panels.width(p), 16 * most);
        EXPECT_LE(std::abs(panels.width(p) - panels.width(0)), 16);
        EXPECT_GT(panels.filled(p), 0);
        covered += panels.width(p);
      }
      EXPECT_EQ(covered, panels.padded());
      EXPECT_GE(covered, columns);
      EXPECT_LT(covered, columns + 16);
    }
  }
}

}  // namespace
}  // namespace mugrad
