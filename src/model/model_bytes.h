// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/model/model.h>

namespace mugrad {

/// The memory that a copy of a model with linear scores takes: weights, names, statistics of
/// features and relations. The layout for scoring, which copies share, is not counted.
double bytes_of(const ModelContents& contents) noexcept;

}  // namespace mugrad
