// SPDX-License-Identifier: MIT
#pragma once

#include "method/common/method_of.h"
#include "method/mgd/br.h"
#include "method/mgd/mgd_memory.h"
#include "method/mgd/mgd_options.h"

namespace mugrad {

/// MGD; settings that differ in rho and sigma alone are trained along a path.
class MgdMethod final : public MethodOf<MgdOptions> {
 public:
  using MethodOf::MethodOf;
  std::vector<std::vector<std::size_t>> groups(
      std::span<const OptionValues> settings) const override;
  void fit_each(const Dataset& data, std::span<const OptionValues> group, Threads threads,
                Progress* progress, const ModelVisitor& visit) const override;
};

/// BR; settings that differ in rho alone are trained along a path.
class BrMethod final : public MethodOf<BrOptions> {
 public:
  using MethodOf::MethodOf;
  std::vector<std::vector<std::size_t>> groups(
      std::span<const OptionValues> settings) const override;
  void fit_each(const Dataset& data, std::span<const OptionValues> group, Threads threads,
                Progress* progress, const ModelVisitor& visit) const override;
};

}  // namespace mugrad
