// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace mugrad::formats {

/// The label names of a Mulan label file, in its order, including nested labels. Throws InputError
/// if the file is not a label file or names no label.
std::vector<std::string> read_label_xml(const std::filesystem::path& path);

/// The path of the label file that this library writes beside an ARFF file.
std::filesystem::path label_file_of(std::filesystem::path arff);

/// The text of a label file.
std::string label_xml(const std::vector<std::string>& names);

}  // namespace mugrad::formats
