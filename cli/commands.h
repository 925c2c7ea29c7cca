// SPDX-License-Identifier: MIT
#pragma once

#include "session.h"

namespace mugrad::cli {

/// Each adds one subcommand, in the file of its name.
void add_train(CLI::App& app, Session& session);
void add_tune(CLI::App& app, Session& session);
void add_compare(CLI::App& app, Session& session);
void add_study(CLI::App& app, Session& session);
void add_report(CLI::App& app, Session& session);
void add_predict(CLI::App& app, Session& session);
void add_evaluate(CLI::App& app, Session& session);
void add_info(CLI::App& app, Session& session);
void add_split(CLI::App& app, Session& session);
void add_convert(CLI::App& app, Session& session);
void add_generate(CLI::App& app, Session& session);
void add_fetch(CLI::App& app, Session& session);
void add_certify(CLI::App& app, Session& session);
void add_methods(CLI::App& app, Session& session);
void add_demo(CLI::App& app, Session& session);
void add_completions(CLI::App& app, Session& session);
/// In completions.cpp; the help does not list it.
void add_definitions(CLI::App& app, Session& session);

}  // namespace mugrad::cli
