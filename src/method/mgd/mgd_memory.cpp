// SPDX-License-Identifier: MIT
#include "method/mgd/mgd_memory.h"

#include "method/common/training_memory.h"
#include "transfer/transfer_memory.h"

#include <mugrad/transfer/transfer.h>

#include <algorithm>

namespace mugrad {
namespace {

double strength_of(const MgdOptions& options) {
  return options.sigma_per_label.empty() ? options.sigma
                                         : std::ranges::max(options.sigma_per_label);
}

Coupling coupling_of(const MgdOptions& options) {
  if (strength_of(options) == 0) return Coupling::none;
  // The strongest neighbours of one label need not have it among their own.
  return options.neighbours || options.transfer ? Coupling::other : Coupling::reversible;
}

/// Relations, while they are found and afterwards.
template <class Real>
TransferMemory relations_memory(const DataShape& shape, Index tasks, const MgdOptions& options) {
  if (strength_of(options) == 0) return {};
  if (options.transfer) {
    return transfer_memory<Real>(tasks, options.transfer->mbar.nonzeros(),
                                 options.transfer->mbar.nonzeros());
  }
  if (options.similarity == Similarity::identity) return {};
  const Index all = shape.y == nullptr ? tasks : related_pairs(*shape.y);
  const Index kept =
      options.neighbours ? std::min(all, tasks * (std::min(*options.neighbours, tasks) + 1)) : all;
  return transfer_memory<Real>(tasks, all, kept);
}

template <class Real>
MemoryNeed need_in(const DataShape& shape, const MgdOptions& options) {
  const Index tasks = shape.labels_that_occur();
  const LinearRun run{.design = design_of(shape),
                      .tasks = tasks,
                      .coupling = coupling_of(options),
                      .is_plain = options.solver == SolverKind::plain,
                      .threads = options.threads.resolved()};
  const double model =
      static_cast<double>(shape.features) * static_cast<double>(shape.labels) * sizeof(Real);
  const auto relations = relations_memory<Real>(shape, tasks, options);
  return statistics_memory(shape) + features_memory<Real>(run.design, tasks) +
         larger(MemoryNeed("the relations of labels", relations.finding),
                MemoryNeed("the relations of labels", relations.kept) +
                    solving_memory<Real>(run, model));
}

}  // namespace

MemoryNeed memory_need(const DataShape& shape, const MgdOptions& options) {
  return options.precision == Precision::double_precision ? need_in<double>(shape, options)
                                                          : need_in<float>(shape, options);
}

template <class Real>
void require_memory_for(const Dataset& data, const MgdOptions& options) {
  require_memory(need_in<Real>(shape_of(data), options), training_on(data),
                 strength_of(options) > 0 && !options.neighbours
                     ? "fewer features or labels, or relations to fewer neighbours,"
                     : "fewer features or labels");
}

template void require_memory_for<float>(const Dataset&, const MgdOptions&);
template void require_memory_for<double>(const Dataset&, const MgdOptions&);

}  // namespace mugrad
