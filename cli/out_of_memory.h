// SPDX-License-Identifier: MIT
#pragma once

namespace mugrad::cli {

/// Whether a request for memory has failed at any time, be it that someone did without.
bool has_run_out_of_memory() noexcept;

}  // namespace mugrad::cli
