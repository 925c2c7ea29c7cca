// SPDX-License-Identifier: MIT
#pragma once

#include "data_arguments.h"
#include "method_arguments.h"
#include "session.h"

#include <mugrad/data/dataset.h>
#include <mugrad/model/model.h>

#include <span>
#include <string>

namespace mugrad::cli {

/// Arguments for training a model further, and for models that are to be.
struct ContinueArguments {
  std::string model;  ///< empty: a new model is trained
  bool refit = false;
  bool keep_curvature = false;

  bool is_given() const noexcept { return !model.empty(); }
};

/// Adds --continue, --refit and --keep-curvature.
void add_continue_options(CLI::App& command, ContinueArguments& arguments);
/// Declares that the command reads the model, if any. Throws as CommandFiles does.
void declare_reads(const ContinueArguments& arguments, Session& session);

/// Throws UsageError for options that a continued training does not have; `others` are those of
/// the choice of options and thresholds.
void check_continued(const ContinueArguments& arguments, const MethodArguments& method,
                     const CLI::App& command, std::span<CLI::Option* const> others,
                     const Session& session);
/// Throws UsageError if the models of the method have no curvature to keep.
void check_keeps_curvature(const ContinueArguments& arguments, const MethodArguments& method,
                           const CLI::App& command, const Session& session);

/// The new rows as the model expects them, with new terms of its texts.
Dataset read_data_to_continue(const DataArguments& arguments, const Model& model,
                              const Session& session);

/// Trains the model further.
Model continued(const ContinueArguments& arguments, const MethodArguments& method,
                const DataArguments& data_arguments, const Model& model, const Dataset& data,
                const CLI::App& command, const Session& session, Progress& progress);

/// The model with its curvature if that is asked for and it can have one; a warning otherwise.
Model with_kept_curvature(const ContinueArguments& arguments, const Model& model,
                          const Dataset& data, const Session& session, Progress& progress);

}  // namespace mugrad::cli
