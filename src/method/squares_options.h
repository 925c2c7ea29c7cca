// SPDX-License-Identifier: MIT
#pragma once

#include "method/common_options.h"

namespace mugrad {

// What methods have in common that fit labels by sparse linear functions: LLSF, LLSF-DL, JFSC.

void list_relation(double& relation, OptionList& list);
void list_sparsity(double& sparsity, OptionList& list);
void list_ridge(double& ridge, OptionList& list);
void list_indefinite(bool& indefinite, OptionList& list);
void list_parity(bool& parity, OptionList& list);
void list_objective_stopping(double& tolerance, Index& max_iterations, OptionList& list);

}  // namespace mugrad
