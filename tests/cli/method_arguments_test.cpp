// SPDX-License-Identifier: MIT
#include "cli/method_arguments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

namespace mugrad::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// A method that only has options.
class SomeMethod final : public Method {
 public:
  SomeMethod(std::string_view name, std::vector<OptionInfo> options)
      : name_(name), options_(std::move(options)) {}

  std::string_view name() const override { return name_; }
  std::string_view summary() const override { return ""; }
  const MethodTraits& traits() const override { return traits_; }
  std::vector<OptionInfo> options() const override { return options_; }
  void check(const OptionValues&) const override {}
  Model fit(const Dataset&, const OptionValues&, const TrainingExtras&, Threads,
            Progress*) const override {
    throw std::logic_error("not to be trained");
  }
  MemoryNeed memory(const DataShape&, const OptionValues&, Threads) const override { return {}; }

 private:
  std::string_view name_;
  MethodTraits traits_;
  std::vector<OptionInfo> options_;
};

TEST(MethodArguments, OlderNamesThatNoMethodHasAreFlagsWhichTheHelpDoesNotList) {
  const SomeMethod first("first", {{.name = "colour", .help = "A colour", .was = "hue"},
                                   {.name = "speed", .was = "steps"},
                                   {.name = "loud", .choices = {"true", "false"}, .was = "noisy"}});
  const SomeMethod second("second", {{.name = "steps", .help = "Steps"}});
  const std::array<const Method*, 2> methods = {&first, &second};
  CLI::App command;
  cli::MethodArguments arguments;
  cli::add_method_options(command, arguments, methods);
  const std::string help = command.help();
  EXPECT_THAT(help, HasSubstr("--colour"));
  EXPECT_THAT(help, Not(HasSubstr("--hue")));
  EXPECT_THAT(help, Not(HasSubstr("noisy")));
  EXPECT_THAT(help, HasSubstr("--steps"));  // an option of its own
  command.parse("--hue 3 --no-noisy --steps 5");
  EXPECT_EQ(arguments.given.at("hue"), "3");
  EXPECT_EQ(arguments.given.at("noisy"), "false");
  EXPECT_EQ(arguments.given.at("steps"), "5");
  EXPECT_EQ(arguments.given.at("colour"), "");
}

}  // namespace
}  // namespace mugrad::testing
