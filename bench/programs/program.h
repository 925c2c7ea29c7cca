// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/error.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <exception>
#include <iostream>
#include <string>

namespace mugrad::bench {

using Json = nlohmann::json;

/// The one argument of a benchmark program: its parameters as a JSON object. What is absent keeps
/// the value in `defaults`; a name that is not there is an error, not a default.
inline Json parameters(int argc, char** argv, Json defaults) {
  if (argc > 2) throw UsageError(fmt::format("usage: {} ['{}']", argv[0], defaults.dump()));
  if (argc < 2) return defaults;
  const Json given = Json::parse(argv[1]);
  for (const auto& [name, value] : given.items()) {
    if (!defaults.contains(name)) throw UsageError(fmt::format("there is no parameter {}", name));
    defaults[name] = value;
  }
  return defaults;
}

/// One line of the results.
inline void print(const Json& line) { std::cout << line.dump() << std::endl; }

/// Runs `body`, and turns what it throws into a message and an exit status.
template <class Body>
int run_program(Body&& body) {
  try {
    body();
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}

}  // namespace mugrad::bench
