// SPDX-License-Identifier: MIT
#pragma once

#include "support/program.h"
#include "support/temporary_folder.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sstream>
#include <string>
#include <vector>

namespace mugrad::testing {

/// A generated set in a folder of its own, split, with a model trained on it.
class CommandTest : public ::testing::Test {
 protected:
  ProgramResult run(const std::vector<std::string>& arguments) const {
    return run_mugrad(arguments, {.folder = folder_.path(), .environment = {{"MUGRAD_DATA", ""}}});
  }
  std::string out_of(const std::vector<std::string>& arguments) const {
    const auto result = run(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out;
  }
  nlohmann::json json_of(std::vector<std::string> arguments) const {
    arguments.emplace_back("--json");
    return nlohmann::json::parse(out_of(arguments));
  }
  void make_data(const std::string& name = "data.arff") const {
    out_of({"generate", "-o", name, "--rows", "200", "--features", "12", "--labels", "6",
            "--group-size", "3", "--cardinality", "2", "--graph", "truth.csv"});
  }
  void make_model() const {
    make_data();
    out_of({"split", "data.arff", "-o", "parts"});
    out_of({"train", "parts/train.arff", "-o", "model"});
  }

  /// The words of every command that the program's help lists, "study convergence" being two.
  std::vector<std::vector<std::string>> commands(const std::vector<std::string>& of = {}) const {
    auto call = of;
    call.emplace_back("--help");
    std::istringstream help(out_of(call));
    std::vector<std::vector<std::string>> all;
    bool is_in_list = false;
    for (std::string line; std::getline(help, line);) {
      if (is_in_list && line.empty()) break;
      if (is_in_list && line[2] != ' ') {
        auto command = of;
        command.push_back(line.substr(2, line.find(' ', 2) - 2));
        for (auto& one : commands(command)) all.push_back(std::move(one));
      }
      is_in_list = is_in_list || line == "Subcommands:";
    }
    if (!is_in_list) all.push_back(of);
    return all;
  }

  TemporaryFolder folder_;
};

}  // namespace mugrad::testing
