// SPDX-License-Identifier: MIT
#pragma once

#include "session.h"

#include <mugrad/model/model.h>

namespace mugrad::cli {

/// "mgd, accelerated solver: converged after 57 passes, residual 1.94e-05 (4.7e-05 of its first
/// value)", for a model of this many labels; or why nothing was solved.
std::string training_sentence(const TrainingReport& report, Index labels);

/// The model's card: labels, options, training report, strongest relations.
std::string card_text(const Model& model);
Json card_json(const Model& model);

/// Throws UsageError unless the extension is .dot or .csv.
void check_relations_path(const std::filesystem::path& path);
/// All relations, as Graphviz (.dot) or CSV (.csv).
void write_relations(const Model& model, const std::filesystem::path& path);

}  // namespace mugrad::cli
