// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/method/mgd.h>

#include <map>
#include <string>

namespace mugrad {

/// Throws UsageError for options out of range or that do not fit the data, InputError for data
/// that cannot be trained on.
void validate(const MgdOptions& options, const Dataset& data);

/// The options by name, for a model file.
std::map<std::string, std::string> as_text(const MgdOptions& options);

}  // namespace mugrad
