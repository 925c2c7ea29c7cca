// SPDX-License-Identifier: MIT
#include "method/common/training_memory.h"

#include "linalg/pass/fused_pass.h"
#include "objective/covariance.h"

#include <fmt/format.h>

#include <algorithm>

namespace mugrad {
namespace {

template <class Real>
double matrix_bytes(Index rows, Index cols) {
  return static_cast<double>(rows) * static_cast<double>(cols) * sizeof(Real);
}

/// total_loss processes tasks in blocks, with their gradients.
template <class Real>
double loss_bytes(const LinearRun& run) {
  constexpr Index kBlock = 512;
  const Index block = std::min(kBlock, run.tasks);
  return 2 * matrix_bytes<Real>(run.design.cols, block) +
         FusedPass<Real>::scratch_bytes(run.design, run.tasks, block, false);
}

}  // namespace

DesignShape design_of(const DataShape& shape) {
  return {.rows = shape.rows,
          .cols = shape.features + 1,
          .stored = shape.is_sparse ? shape.stored : shape.rows * (shape.features + 1),
          .is_sparse = shape.is_sparse};
}

MemoryNeed statistics_memory(const DataShape& shape) {
  constexpr double kPerFeature = 48;  // means, deviations, extents, shifts, factors
  constexpr double kPerLabel = 80;  // counts, positions, thresholds, intercepts, diagonal relation
  const auto rows = static_cast<double>(shape.rows);
  return MemoryNeed("statistics of each feature",
                    kPerFeature * static_cast<double>(shape.features)) +
         MemoryNeed("statistics of each label", kPerLabel * static_cast<double>(shape.labels)) +
         MemoryNeed("the labels of each example",
                    rows * sizeof(Index) + static_cast<double>(shape.positives) * sizeof(LabelId));
}

template <class Real>
MemoryNeed features_memory(const DesignShape& design, Index tasks) {
  return {"the features as stored for training",
          Design<Real>::bytes(design) + FusedPass<Real>::stored_bytes(design, tasks)};
}

template <class Real>
MemoryNeed solving_memory(const LinearRun& run, double model_bytes) {
  const auto& design = run.design;
  const double weights = matrix_bytes<Real>(design.cols, run.tasks);
  const MemoryNeed of_weights("the weights", weights);
  if (run.tasks == 0) return of_weights + MemoryNeed("the model", model_bytes);
  const double found = run.is_plain ? 0 : bytes_of_curvature<Real>(design);
  const Index block = run.is_plain ? run.tasks
                                   : tasks_at_once<Real>(design.cols, run.tasks,
                                                         run.coupling != CouplingKind::none);
  const double pass = FusedPass<Real>::scratch_bytes(
      design, run.tasks, block, !run.is_plain && run.coupling == CouplingKind::other);
  const double solver = run.is_plain ? bytes_to_run_mgd<Real>(design.cols, run.tasks, run.coupling)
                                     : bytes_to_find_equilibrium<Real>(design.cols, run.tasks,
                                                                       run.coupling, run.threads);
  const double finding = run.is_plain ? 0 : bytes_to_find_curvature<Real>(design);
  const double solving = found + std::max(pass + solver, loss_bytes<Real>(run));
  return of_weights + larger(MemoryNeed("solving", std::max(finding, solving)),
                             MemoryNeed("the model", found + pass + model_bytes));
}

std::string training_on(const Dataset& data) {
  return fmt::format("training on {} ({} examples, {} features, {} labels)", data.name, data.rows(),
                     data.features(), data.labels());
}

template MemoryNeed features_memory<float>(const DesignShape&, Index);
template MemoryNeed features_memory<double>(const DesignShape&, Index);
template MemoryNeed solving_memory<float>(const LinearRun&, double);
template MemoryNeed solving_memory<double>(const LinearRun&, double);

}  // namespace mugrad
