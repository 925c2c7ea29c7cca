// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/dataset.h>

#include <filesystem>
#include <optional>

namespace mugrad {

struct ReadOptions;

/// How large a data set is, which may be known before its rows are: what memory is estimated from.
struct DataShape {
  Index rows = 0;
  Index features = 0;
  Index labels = 0;
  Index stored = 0;     ///< entries of the features: all of them, or the non-zeros of sparse ones
  Index positives = 0;  ///< ones of the labels
  bool is_sparse = false;
  /// The labels themselves, once they are read; what some methods need depends on them.
  const BinaryMatrix* y = nullptr;

  /// Labels that some example has, as far as that is known: the others are not trained.
  Index labels_that_occur() const;
};

/// How large the data in a file are, at the least, where its head says so (XMC): before any row is
/// read. Throws InputError for a head that is not as it must be.
std::optional<DataShape> promised_shape(const std::filesystem::path& path,
                                        const ReadOptions& options);

/// `data` must outlive it.
DataShape shape_of(const Dataset& data);

}  // namespace mugrad
