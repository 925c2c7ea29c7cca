// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/method/mgd.h>

#include <functional>
#include <span>

namespace mugrad {

/// One setting of a path.
struct MgdSetting {
  double rho = 0;
  double sigma = 0;

  bool operator==(const MgdSetting&) const = default;
};

/// Trains a model for each of the settings on the same data, far sooner than one by one: what they
/// share is made once, and each starts where its neighbour ended. Tolerances are relative to the
/// same start as those of `fit`, so each model that converges is as exact as if it had been trained
/// alone; the plain solver starts anew for each. rho and sigma of the options are not used.
///
/// `visit` gets the models as they are found, from the largest rho to the smallest, and returns
/// false to end the path. `progress`, which may be null, is told how much of the path is done.
/// Throws what `fit` does, and UsageError for no settings, or with one strength per label.
void fit_path(const Dataset& data, const MgdOptions& options, std::span<const MgdSetting> settings,
              const std::function<bool(const MgdSetting&, const Model&)>& visit,
              Progress* progress = nullptr);
/// The same for every pair of the rhos and sigmas.
void fit_path(const Dataset& data, const MgdOptions& options, std::span<const double> rhos,
              std::span<const double> sigmas,
              const std::function<bool(const MgdSetting&, const Model&)>& visit,
              Progress* progress = nullptr);

}  // namespace mugrad
