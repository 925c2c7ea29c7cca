// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/files.h>

namespace mugrad::formats {

/// Passes a sentence on to whoever wants to hear it.
inline void tell(const ReadOptions& options, const std::string& sentence) {
  if (options.note) options.note(sentence);
}

}  // namespace mugrad::formats
