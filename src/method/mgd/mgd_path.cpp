// SPDX-License-Identifier: MIT
#include "core/stages.h"
#include "method/common/gaussian_training.h"
#include "method/mgd/mgd_options.h"
#include "method/mgd/mgd_problem.h"
#include "method/mgd/mgd_solution.h"

#include <mugrad/core/error.h>
#include <mugrad/core/option_text.h>
#include <mugrad/method/mgd.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

namespace mugrad {
namespace {

template <class Real>
class MgdPath {
 public:
  MgdPath(const Dataset& data, const MgdOptions& options)
      : data_(data), options_(options), problem_(data, options) {
    if (!problem_.is_empty()) weights_ = problem_.first_weights();
  }

  Model fit_at(const MgdSetting& setting, Progress* progress) {
    MgdOptions options = options_;
    options.rho = setting.rho;
    options.sigma = setting.sigma;
    options.sigma_ratio.reset();
    if (problem_.is_empty()) return model_of<Real>(data_, options, problem_, nullptr);
    const bool starts_anew = problem_.set_strengths(setting.rho, setting.sigma, progress);
    // For the plain iteration, a number of steps from a given start may be requested.
    if (starts_anew || options.solver == SolverKind::plain) weights_ = problem_.first_weights();
    auto solution =
        solve_mgd(problem_, options, std::move(weights_), first_residual(setting.sigma), progress);
    Model model = model_of<Real>(data_, options, problem_, &solution);
    weights_ = std::move(solution.weights);
    return model;
  }

 private:
  /// The residual of `fit` at its start. At zero weights it does not depend on rho.
  double first_residual(double sigma) {
    const bool is_same = options_.start != Start::random &&
                         problem_.intercepts() == Intercepts::own && !first_residuals_.empty();
    if (is_same) return first_residuals_.begin()->second;
    if (const auto known = first_residuals_.find(sigma);
        known != first_residuals_.end() && options_.start != Start::random) {
      return known->second;
    }
    return first_residuals_[sigma] = problem_.residual_at(problem_.start());
  }

  const Dataset& data_;
  MgdOptions options_;
  MgdProblem<Real> problem_;
  Matrix<Real> weights_;
  std::map<double, double> first_residuals_;  ///< by sigma
};

template <class Real>
void follow(const Dataset& data, const MgdOptions& options, const std::vector<MgdSetting>& settings,
            const std::function<bool(const MgdSetting&, const Model&)>& visit, Progress* progress) {
  MgdPath<Real> path(data, options);
  Stages stages(progress);
  Index done = 0;
  for (const auto& setting : settings) {
    stages.enter(share_of(done, std::ssize(settings)), share_of(done + 1, std::ssize(settings)));
    ++done;
    if (!visit(setting, path.fit_at(setting, &stages))) return;
    stages.advance(1);
  }
}

/// From the largest rho to the smallest, with sigma alternately ascending and descending, so that
/// consecutive settings are neighbours.
std::vector<MgdSetting> snake(std::vector<MgdSetting> settings) {
  std::ranges::sort(settings, [](const MgdSetting& a, const MgdSetting& b) {
    return a.rho != b.rho ? a.rho > b.rho : a.sigma < b.sigma;
  });
  bool is_down = false;
  for (auto first = settings.begin(); first != settings.end(); is_down = !is_down) {
    const auto last = std::find_if(first, settings.end(), [&](const MgdSetting& setting) {
      return setting.rho != first->rho;
    });
    if (is_down) std::reverse(first, last);
    first = last;
  }
  return settings;
}

void check_strength(std::string_view name, double value) {
  if (value >= 0 && std::isfinite(value)) return;
  throw UsageError(fmt::format("{} must be >= 0, got {}", method_option_text(name), value));
}

}  // namespace

void fit_path(const Dataset& data, const MgdOptions& options, std::span<const MgdSetting> settings,
              const std::function<bool(const MgdSetting&, const Model&)>& visit,
              Progress* progress) {
  if (settings.empty()) throw UsageError("a path needs at least one rho and one sigma");
  if (!options.sigma_per_label.empty()) {
    throw UsageError("a path has one sigma for all labels, not one per label");
  }
  if (is_gaussian(options)) {
    return train_gaussian(
        data, options, progress,
        [&](const GaussianData& given, const MgdOptions& inner, Progress* rest) {
          const auto pass_on = [&](const MgdSetting& setting, const Model& model) {
            return visit(setting, with_gaussian(model, given.representation, data.feature_names,
                                                data.encoding));
          };
          fit_path(given.data, inner, settings, pass_on, rest);
        });
  }
  MgdOptions common = options;
  common.rho = common.sigma = 0;
  common.sigma_ratio.reset();
  for (const auto& setting : settings) {
    check_strength("rho", setting.rho);
    check_strength("sigma", setting.sigma);
    common.rho = std::max(common.rho, setting.rho);
    common.sigma = std::max(common.sigma, setting.sigma);
  }
  const auto path = snake({settings.begin(), settings.end()});
  options.precision == Precision::double_precision
      ? follow<double>(data, common, path, visit, progress)
      : follow<float>(data, common, path, visit, progress);
}

void fit_path(const Dataset& data, const MgdOptions& options, std::span<const double> rhos,
              std::span<const double> sigmas,
              const std::function<bool(const MgdSetting&, const Model&)>& visit,
              Progress* progress) {
  std::vector<MgdSetting> settings;
  for (const double rho : rhos) {
    for (const double sigma : sigmas) settings.push_back({rho, sigma});
  }
  fit_path(data, options, settings, visit, progress);
}

}  // namespace mugrad
