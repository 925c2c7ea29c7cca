// SPDX-License-Identifier: MIT
#pragma once

#include "method/common/option_list.h"

#include <mugrad/core/memory.h>
#include <mugrad/data/dataset.h>
#include <mugrad/method/br.h>
#include <mugrad/method/mgd.h>
#include <mugrad/method/mgd_regression.h>

#include <map>
#include <string>

namespace mugrad {

/// The options that can be set by name; vectors and matrices can only be set in C++.
void list_options(MgdOptions& options, OptionList& list);

/// Throws UsageError for options that are out of range or do not fit the data, and InputError for
/// unsuitable data.
void validate(const MgdOptions& options, const Dataset& data);

/// The options by name, for a model file.
std::map<std::string, std::string> as_text(const MgdOptions& options);

/// The peak memory of training, without the data.
MemoryNeed memory_need(const DataShape& shape, const MgdOptions& options);

/// Throws MemoryError if less than the need in this precision is available.
template <class Real>
void require_memory_for(const Dataset& data, const MgdOptions& options);

void list_options(BrOptions& options, OptionList& list);
/// The peak memory of training, without the data.
MemoryNeed memory_need(const DataShape& shape, const BrOptions& options);

/// BR is MGD with these options.
MgdOptions as_mgd(const BrOptions& options, double examples);
/// Turns a model that MGD trained with these options into one of BR.
Model as_br(const Model& model, const BrOptions& options);

void list_options(RegressionOptions& options, OptionList& list);
/// The memory of training, without the data.
MemoryNeed memory_need(const RegressionData& data, const RegressionOptions& options);

}  // namespace mugrad
