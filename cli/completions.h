// SPDX-License-Identifier: MIT
#pragma once

#include "definitions.h"

namespace mugrad::cli {

/// Scripts by which shells complete commands, options, choices and file names.
std::string bash_completions(const CommandDefinition& program);
std::string zsh_completions(const CommandDefinition& program);
std::string fish_completions(const CommandDefinition& program);

}  // namespace mugrad::cli
