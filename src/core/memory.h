// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace mugrad {

/// The memory of this machine, in bytes; infinite where the system does not say.
double machine_memory() noexcept;

/// Throws InputError when `what` takes more than half of the memory there is, saying how much.
void require_memory(double bytes, std::string_view what, double there_is = machine_memory());

}  // namespace mugrad
