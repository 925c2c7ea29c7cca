// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/model/model.h>

#include <map>
#include <string>

namespace mugrad {

/// What a model file says in words: version, names, scaling, options and report, as the strings of
/// a safetensors file's metadata.
std::map<std::string, std::string> metadata_of(const ModelContents& contents);

/// Refuses a file that is not a model, or is of a format that is not read. Throws InputError,
/// starting with `name`.
void check_format(const std::map<std::string, std::string>& metadata, const std::string& name);

/// The reverse of metadata_of; the numbers of `contents` stay as they are. Unknown entries are
/// passed over. Throws InputError.
void read_metadata(const std::map<std::string, std::string>& metadata, ModelContents& contents);

}  // namespace mugrad
