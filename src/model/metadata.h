// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/model/model.h>

#include <map>
#include <string>

namespace mugrad {

/// The textual part of a model file: version, names, scaling, options and report, as the strings of
/// a safetensors file's metadata.
std::map<std::string, std::string> metadata_of(const ModelContents& contents);

/// Throws InputError, starting with `name`, if the file is not a model or has an unsupported
/// format.
void check_format(const std::map<std::string, std::string>& metadata, const std::string& name);

/// The inverse of metadata_of; does not change the numbers of `contents`. Unknown entries are
/// ignored. Throws InputError.
void read_metadata(const std::map<std::string, std::string>& metadata, ModelContents& contents);

}  // namespace mugrad
