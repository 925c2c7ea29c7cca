// SPDX-License-Identifier: MIT
#include "method/common/training_memory.h"
#include "method/mgd/learned_similarity.h"
#include "method/mgd/mgd_options.h"
#include "method/mgd/mgd_problem.h"
#include "transfer/column_cosines.h"
#include "transfer/transfer_memory.h"

#include <mugrad/transfer/transfer.h>

#include <algorithm>

namespace mugrad {
namespace {

double strength_of(const MgdOptions& options) {
  return options.sigma_per_label.empty() ? transfer_strength(options)
                                         : std::ranges::max(options.sigma_per_label);
}

CouplingKind coupling_of(const MgdOptions& options) {
  if (strength_of(options) == 0) return CouplingKind::none;
  // The strongest neighbours of a label need not have it among their own.
  const bool is_symmetric =
      learns_relations(options) || !(options.neighbours || options.transfer || options.prior);
  return is_symmetric ? CouplingKind::reversible : CouplingKind::other;
}

/// Learned relations: both labels of a pair keep it.
template <class Real>
TransferMemory learned_memory(const DataShape& shape, Index tasks, const MgdOptions& options) {
  const Index top = std::min(learned_neighbours(options), tasks);
  TransferMemory memory = transfer_memory<Real>(tasks, tasks * 2 * top, tasks * 2 * top);
  const double weights =
      static_cast<double>(shape.features + 1) * static_cast<double>(tasks) * sizeof(Real);
  double scores = 0;
  if (options.similarity == Similarity::predicted) {
    scores = static_cast<double>(shape.rows) * static_cast<double>(tasks) * sizeof(float);
  }
  memory.finding += weights + scores +
                    cosines_memory<Real>(scores > 0 ? shape.rows : shape.features, tasks, top,
                                         options.threads.resolved());
  memory.kept += weights;
  return memory;
}

/// The relations, while they are computed and afterwards.
template <class Real>
TransferMemory relations_memory(const DataShape& shape, Index tasks, const MgdOptions& options) {
  if (strength_of(options) == 0) return {};
  if (options.transfer) {
    return transfer_memory<Real>(tasks, options.transfer->mbar.nonzeros(),
                                 options.transfer->mbar.nonzeros());
  }
  if (options.similarity == Similarity::identity) return {};
  if (is_learned(options.similarity)) return learned_memory<Real>(shape, tasks, options);
  const Index all = shape.y == nullptr ? tasks : related_pairs(*shape.y);
  const Index kept =
      options.neighbours ? std::min(all, tasks * (std::min(*options.neighbours, tasks) + 1)) : all;
  return transfer_memory<Real>(tasks, all, kept);
}

template <class Real>
MemoryNeed need_in(const DataShape& shape, const MgdOptions& options) {
  const Index tasks = shape.labels_that_occur();
  const bool in_row_space = uses_row_space(shape, options);
  const LinearRun run{.design = in_row_space ? DesignShape{.rows = shape.rows,
                                                           .cols = shape.rows + 1,
                                                           .stored = shape.rows * shape.rows}
                                             : design_of(shape),
                      .tasks = tasks,
                      .coupling = coupling_of(options),
                      .is_plain = options.solver == SolverKind::plain,
                      .threads = options.threads.resolved()};
  const double model =
      static_cast<double>(shape.features) * static_cast<double>(shape.labels) * sizeof(Real);
  const auto relations = relations_memory<Real>(shape, tasks, options);
  const MemoryNeed space("the products of the examples",
                         in_row_space ? RowSpace::bytes(shape.rows, shape.features) : 0);
  // Centre, slope and roots, and as many matrices of scratch.
  const MemoryNeed prior("the prior of the model to continue",
                         options.prior ? 8 * model + 2 * model / sizeof(Real) * sizeof(double) : 0);
  return statistics_memory(shape) + features_memory<Real>(run.design, tasks) + space + prior +
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
