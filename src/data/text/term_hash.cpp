// SPDX-License-Identifier: MIT
#include "data/text/term_hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace mugrad {

std::uint64_t term_hash(std::string_view term) noexcept {
  return XXH3_64bits(term.data(), term.size());
}

}  // namespace mugrad
