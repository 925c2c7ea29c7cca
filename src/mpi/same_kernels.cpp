// SPDX-License-Identifier: MIT
#include "mpi/same_kernels.h"

#include <mugrad/core/error.h>
#include <mugrad/core/option_text.h>

#include <fmt/format.h>

#include <vector>

namespace mugrad::mpi {

void check_same_kernels(const Communicator& rows, std::string_view mine) {
  if (rows.size() == 1) return;
  constexpr char kEnd = '\n';
  std::vector<char> name(mine.begin(), mine.end());
  name.push_back(kEnd);
  const auto all = rows.gather(std::span<const char>(name));
  const std::string_view names(all.data(), all.size());
  const std::string_view first = names.substr(0, names.find(kEnd));
  for (std::size_t at = 0; at < names.size();) {
    const std::string_view other = names.substr(at, names.find(kEnd, at) - at);
    if (other != first) {
      throw UsageError(fmt::format(
          "ranks that share rows need the same kind of processor: one has kernels for {}, another "
          "for {}; choose machines of one kind, or {}",
          first, other, option_text(Option::row_shards, "1")));
    }
    at += other.size() + 1;
  }
}

}  // namespace mugrad::mpi
