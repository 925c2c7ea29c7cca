// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/method/method.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace mugrad::testing {

/// The name of a method, as part of the name of a test.
inline std::string method_name(const ::testing::TestParamInfo<const Method*>& method) {
  std::string name(method.param->name());
  std::ranges::replace(name, '-', '_');
  return name;
}

}  // namespace mugrad::testing
