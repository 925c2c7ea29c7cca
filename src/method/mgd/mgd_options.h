// SPDX-License-Identifier: MIT
#pragma once

#include "method/common/option_list.h"

#include <mugrad/method/mgd.h>

#include <map>
#include <string>

namespace mugrad {

/// What people can choose by name; vectors and matrices of one's own are for C++ alone.
void list_options(MgdOptions& options, OptionList& list);

/// Throws UsageError for options out of range or that do not fit the data, InputError for data
/// that cannot be trained on.
void validate(const MgdOptions& options, const Dataset& data);

/// The options by name, for a model file.
std::map<std::string, std::string> as_text(const MgdOptions& options);

}  // namespace mugrad
