// SPDX-License-Identifier: MIT
#include "report/json_file.h"

#include "core/system_call.h"

#include <mugrad/core/error.h>

#include <fmt/format.h>

#include <fstream>

namespace mugrad {

void from_json_file(const std::filesystem::path& path, std::string_view what,
                    const std::function<void(const Json&)>& read) {
  std::ifstream file(path);
  if (!file) {
    throw InputError(fmt::format("cannot read {}: {}", path.string(), reason_of(errno)));
  }
  try {
    read(Json::parse(file));
  } catch (const Json::exception& error) {
    throw InputError(fmt::format("{} does not hold {}: {}", path.string(), what, error.what()));
  }
}

}  // namespace mugrad
