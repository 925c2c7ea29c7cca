// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/dataset.h>
#include <mugrad/parallel/thread_pool.h>

#include <string>

namespace mugrad::bench {

/// The data set named by its file: the train part that all contestants share, where `bench/run`
/// put it. Read once.
const Dataset& train_part(const std::string& path);

/// "bibtex" of ".../bibtex/train.arff".
std::string set_name(const std::string& path);

/// That kernels run on.
Threads threads();

/// Each registers the benchmarks of one kernel on a data set.
void register_gradient(const std::string& path);
void register_apply(const std::string& path);

}  // namespace mugrad::bench
