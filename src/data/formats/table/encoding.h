// SPDX-License-Identifier: MIT
#pragma once

#include "data/formats/table/encoding_plan.h"

#include <mugrad/data/files.h>

#include <string>
#include <vector>

namespace mugrad::formats {

/// Encodes rows as columns of numbers, as planned. Requires: the plan has a column per position of
/// the raw features. Throws InputError, naming `file`, if the dense result cannot fit into any
/// memory.
Features encode(TableBlock& block, const EncodingPlan& plan, const std::string& file,
                const ReadOptions& options);

/// The share of non-zero entries of the first rows after encoding; 1 if there are no entries.
/// Requires: `raw` is dense and has at least `rows` rows; no column has terms.
double encoded_density(const RawFeatures& raw, const EncodingPlan& plan, Index rows);

/// Notes, once per column, values of categories that a model does not know.
class UnknownValues {
 public:
  /// Looks for them in a block of rows; a note has their number if these are all rows. Requires:
  /// the columns have the codes of the block, and are the same in all calls.
  void tell(const RawFeatures& block, const std::vector<FeatureColumn>& columns,
            const EncodingPlan& plan, bool has_all_rows, const ReadOptions& options);

 private:
  std::vector<bool> is_told_;  ///< one per column
};

/// Replaces every NaN by the mean of its column's other values, or by 0, with a note, if there are
/// none.
void impute_means(Features& features, const std::vector<std::string>& names,
                  const ReadOptions& options);

}  // namespace mugrad::formats
