// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>

#include <filesystem>
#include <functional>
#include <string_view>

namespace mugrad {

using Json = nlohmann::ordered_json;

/// Reads a JSON file and hands it to `read`. Whatever is wrong with it is an InputError that names
/// the file and what it should hold.
void from_json_file(const std::filesystem::path& path, std::string_view what,
                    const std::function<void(const Json&)>& read);

}  // namespace mugrad
