// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/model/model.h>

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <string>
#include <string_view>

namespace mugrad::testing {

/// A valid model of two features and three labels, with every field set.
ModelContents small_model();

/// Gives the small model two Gaussian features, with weights in double.
void add_gaussian(ModelContents& contents);

/// A safetensors file of this header text and these tensor bytes, as they are.
std::string file_of(std::string_view header, std::string_view data);

/// A model file, taken apart and put together again around a change of header or data.
std::string doctored(std::string_view file,
                     const std::function<void(nlohmann::json& header, std::string& data)>& change);

}  // namespace mugrad::testing
