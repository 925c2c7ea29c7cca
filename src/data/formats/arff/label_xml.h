// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace mugrad::formats {

/// The label names of a Mulan label file, in its order; of nested labels, all. Throws InputError
/// when the file is no such file or names no label.
std::vector<std::string> read_label_xml(const std::filesystem::path& path);

/// Where the label file of an ARFF file lies that this library writes: beside it.
std::filesystem::path label_file_of(std::filesystem::path arff);

/// The text of a label file.
std::string label_xml(const std::vector<std::string>& names);

}  // namespace mugrad::formats
