// SPDX-License-Identifier: MIT
#pragma once

#include "support/program.h"
#include "support/temporary_folder.h"

#include <mugrad/data/files.h>
#include <mugrad/model/model.h>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace mugrad::testing {

using nlohmann::json;

/// Tight enough that the equilibrium is known far better than models are compared.
inline const std::vector<std::string> kTight = {"--precision", "double", "--tolerance", "1e-9"};

/// Runs the program under mpirun and compares models.
class Ranks : public ::testing::Test {
 protected:
  ProgramResult run(const std::vector<std::string>& arguments, int ranks = 0) const {
    return run_mugrad(arguments, {.folder = folder_.path(), .environment = {}, .ranks = ranks});
  }
  std::string out_of(const std::vector<std::string>& arguments, int ranks = 0) const {
    const auto result = run(arguments, ranks);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out;
  }
  json trained(const std::string& data, const std::string& model, int ranks,
               std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments = {"train", data, "-o", model, "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const auto out = out_of(arguments, ranks);
    return json::parse(out.empty() ? "{}" : out);
  }
  std::string bytes(const std::string& name) const { return read_file(folder_ / name); }

  /// Weights that differ by no more than 1e-6 of their size, and the same labels for every row.
  void expect_same_model(const std::string& data, const std::string& first,
                         const std::string& second) const {
    const auto a = Model::load(folder_ / first);
    const auto b = Model::load(folder_ / second);
    const auto& expected = std::get<Matrix<double>>(a.contents().weights);
    const auto& found = std::get<Matrix<double>>(b.contents().weights);
    ASSERT_EQ(expected.size(), found.size());
    double difference = 0;
    double size = 0;
    for (std::size_t k = 0; k < expected.values().size(); ++k) {
      difference += std::pow(expected.values()[k] - found.values()[k], 2);
      size += std::pow(expected.values()[k], 2);
    }
    EXPECT_LE(std::sqrt(difference / size), 1e-6) << second;
    for (std::size_t i = 0; i < a.contents().intercepts.size(); ++i) {
      EXPECT_NEAR(a.contents().intercepts[i], b.contents().intercepts[i], 1e-6) << second;
    }
    EXPECT_FALSE(a.contents().trained_on.is_empty());
    EXPECT_EQ(a.contents().trained_on, b.contents().trained_on) << second;
    const auto rows =
        read_dataset(data.find('/') == 0 ? std::filesystem::path(data) : folder_ / data);
    EXPECT_EQ(a.predict(rows.x), b.predict(rows.x)) << second;
  }

  /// Numbers of ranks, and of ranks with parts of the rows.
  struct Grids {
    std::vector<int> ranks = {1, 2, 3, 4};
    std::vector<std::pair<int, int>> row_shards = {{2, 2}, {3, 3}, {4, 2}, {4, 4}};
  };

  /// The same equilibrium with labels shared and with rows shared; with labels shared the same
  /// bytes.
  void expect_same_on_ranks(const std::string& data, std::vector<std::string> options,
                            const Grids& grids) const {
    options.insert(options.end(), kTight.begin(), kTight.end());
    trained(data, "alone", 0, options);
    std::string first;
    for (const int ranks : grids.ranks) {
      const auto name = fmt::format("on-{}", ranks);
      trained(data, name, ranks, options);
      if (first.empty()) expect_same_model(data, "alone", first = name);
      EXPECT_TRUE(bytes(first) == bytes(name)) << ranks << " ranks";
    }
    for (const auto& [ranks, shards] : grids.row_shards) {
      const auto name = fmt::format("rows-{}-{}", ranks, shards);
      auto sharded = options;
      sharded.insert(sharded.end(), {"--row-shards", std::to_string(shards)});
      trained(data, name, ranks, sharded);
      expect_same_model(data, "alone", name);
    }
  }
  void expect_same_on_ranks(const std::string& data,
                            const std::vector<std::string>& options) const {
    expect_same_on_ranks(data, options, Grids());
  }
  void make_data(const std::string& name, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments = {"generate", "-o", name};
    arguments.insert(arguments.end(), more.begin(), more.end());
    out_of(arguments);
  }

  TemporaryFolder folder_;
};

}  // namespace mugrad::testing
