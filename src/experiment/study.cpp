// SPDX-License-Identifier: MIT
#include "core/stages.h"
#include "experiment/evaluate_model.h"
#include "method/common/gaussian_training.h"
#include "method/common/total_loss.h"
#include "method/mgd/mgd_options.h"
#include "method/mgd/mgd_problem.h"
#include "method/mgd/mgd_solution.h"

#include <mugrad/core/error.h>
#include <mugrad/core/random.h>
#include <mugrad/experiment/study.h>

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace mugrad {
namespace {

double metric_on(const Model& model, const Dataset& test, const Metric& metric, Threads threads) {
  return metric_of(model, model.scores(test.x, threads), test, metric);
}

/// The iterations to record: all of the first, then each a twentieth later than the last.
std::vector<Index> places_to_look(Index iterations) {
  constexpr Index kAll = 20;
  std::vector<Index> places = {0};
  while (places.back() < iterations) {
    const Index last = places.back();
    places.push_back(std::min(iterations, last + std::max<Index>(1, (last - kAll) / 20 + 1)));
  }
  return places;
}

/// The plain iteration, a few steps at a time.
class Descent {
 public:
  Descent(const Dataset& data, MgdOptions options, double start_deviation)
      : data_(data), options_(std::move(options)), problem_(data, options_) {
    if (problem_.is_empty()) return;
    weights_ = problem_.start();
    if (options_.start != Start::random) return;
    RandomStream random(options_.seed, "start of a study");
    for (double& weight : weights_.values()) weight = start_deviation * random.normal();
  }

  Model model() const {
    if (problem_.is_empty()) return model_of<double>(data_, options_, problem_, nullptr);
    const MgdSolution<double> here{MgdOutcome{}, weights_};
    return model_of<double>(data_, options_, problem_, &here);
  }

  double total_loss() {
    return problem_.is_empty() ? 0 : mugrad::total_loss<double>(problem_.tasks(), weights_);
  }

  void go_on(Index iterations, Progress* progress) {
    if (problem_.is_empty()) return;
    MgdOptions options = options_;
    options.tolerance = 0;
    options.max_iterations = iterations;
    weights_ = solve_mgd<double>(problem_, options, std::move(weights_), 0, progress).weights;
  }

 private:
  const Dataset& data_;
  MgdOptions options_;
  MgdProblem<double> problem_;
  Matrix<double> weights_;
};

/// `measure` evaluates a model of the training data.
ConvergenceCurve follow(const std::string& name, const Dataset& train,
                        const std::function<double(const Model&)>& measure, const MgdOptions& mgd,
                        const ConvergenceOptions& options, Progress* progress) {
  ConvergenceCurve curve{.name = name};
  Descent descent(train, mgd, options.start_deviation);
  Stages stages(progress);
  Index done = 0;
  for (const Index place : places_to_look(options.iterations)) {
    stages.enter(share_of(done, options.iterations), share_of(place, options.iterations));
    if (place > done) descent.go_on(place - done, &stages);
    done = place;
    curve.iterations.push_back(place);
    curve.total_loss.push_back(descent.total_loss());
    curve.metric.push_back(measure(descent.model()));
    stages.advance(1);
  }
  return curve;
}

ConvergenceCurve follow(const std::string& name, const Split& split, const MgdOptions& mgd,
                        const ConvergenceOptions& options, Progress* progress) {
  const auto measure = [&](const Model& model) {
    return metric_on(model, split.test, options.metric, mgd.threads);
  };
  if (!is_gaussian(mgd)) return follow(name, split.train, measure, mgd, options, progress);
  return train_gaussian(split.train, mgd, progress,
                        [&](const GaussianData& given, const MgdOptions& inner, Progress* rest) {
                          const auto measure_inner = [&](const Model& model) {
                            return measure(with_gaussian(model, given.representation, {}));
                          };
                          return follow(name, given.data, measure_inner, inner, options, rest);
                        });
}

std::string start_text(const ConvergenceOptions& options) {
  if (options.mgd.start != Start::random) return std::string(to_string(options.mgd.start));
  return fmt::format("random, deviation {:g}", options.start_deviation);
}

}  // namespace

ConvergenceStudy study_convergence(const Split& split, const ConvergenceOptions& options,
                                   Progress* progress) {
  if (options.iterations < 1) {
    throw UsageError(
        fmt::format("a study needs at least one iteration, got {}", options.iterations));
  }
  MgdOptions mgd = options.mgd;
  mgd.solver = SolverKind::plain;
  mgd.precision = Precision::double_precision;
  MgdOptions alone = mgd;
  alone.sigma = 0;
  ConvergenceStudy study{.metric = options.metric};
  study.setting = fmt::format("rho {:g}, sigma {:g}, {}, start {}", mgd.rho, mgd.sigma,
                              mgd.alpha ? fmt::format("step {:g}", *mgd.alpha) : "safe steps",
                              start_text(options));
  Stages stages(progress);
  stages.enter(0, 0.5);
  study.curves.push_back(follow("MGD", split, mgd, options, &stages));
  stages.enter(0.5, 1);
  study.curves.push_back(follow("gradient descent", split, alone, options, &stages));
  return study;
}

SensitivityStudy study_sensitivity(const Dataset& data, Index splits, const SplitSource& split_at,
                                   const SensitivityOptions& options, Progress* progress) {
  SensitivityStudy study{.metric = options.metric, .rhos = options.rhos, .sigmas = options.sigmas};
  std::ranges::sort(study.rhos);
  std::ranges::sort(study.sigmas);
  study.values = Matrix<double>(std::ssize(study.rhos), std::ssize(study.sigmas));
  Stages stages(progress);
  for (Index k = 0; k < splits; ++k) {
    stages.enter(share_of(k, splits), share_of(k + 1, splits));
    const Split split = take(data, split_at(k));
    const auto add = [&](const MgdSetting& setting, const Model& model) {
      const auto row = std::ranges::find(study.rhos, setting.rho) - study.rhos.begin();
      const auto column = std::ranges::find(study.sigmas, setting.sigma) - study.sigmas.begin();
      study.values(row, column) +=
          metric_on(model, split.test, options.metric, options.mgd.threads) /
          static_cast<double>(splits);
      return true;
    };
    fit_path(split.train, options.mgd, study.rhos, study.sigmas, add, &stages);
  }
  return study;
}

}  // namespace mugrad
