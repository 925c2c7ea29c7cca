// SPDX-License-Identifier: MIT
#pragma once

#include "data/formats/attribute.h"
#include "data/formats/raw_features.h"
#include "data/formats/value_codes.h"

#include <mugrad/data/files.h>

#include <string>
#include <vector>

namespace mugrad::formats {

/// A feature attribute with the values its codes stand for (none for a number).
struct FeatureColumn {
  const Attribute* attribute;
  const ValueCodes* values;
};

struct EncodedFeatures {
  Features x;
  std::vector<std::string> names;
};

/// Turns nominals into columns of numbers: one 0/1 column for two-valued ones, one column per
/// value for others; leaves identifiers out. Requires: one column per position of `raw`.
EncodedFeatures encode(RawFeatures raw, const std::vector<FeatureColumn>& columns,
                       const std::string& file, const ReadOptions& options);

}  // namespace mugrad::formats
