// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/method/ecc.h>
#include <mugrad/method/method.h>

#include <string_view>

namespace mugrad {

/// The model of an ensemble of chains, or of one chain, as `method` with its options as text.
/// Requires: options in range.
Model fit_chains(const Dataset& data, std::string_view method, const OptionValues& text,
                 const EccOptions& options, Observer* observer);

}  // namespace mugrad
