// SPDX-License-Identifier: MIT
#pragma once

#include "core/json.h"

#include <mugrad/data/table_encoding.h>

namespace mugrad {

/// The entry `columns` of the metadata of a model.
nlohmann::json json_of(const TableEncoding& encoding);
/// The inverse. Throws InputError for what is no encoding; check_encoding does the rest.
TableEncoding encoding_from(const JsonField& field);

}  // namespace mugrad
