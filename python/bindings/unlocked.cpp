// SPDX-License-Identifier: MIT
#include "unlocked.h"

#ifdef MUGRAD_SHARES_OPENBLAS

#include <cblas.h>

#include <mutex>

namespace mugrad::python {
namespace {

std::mutex mutex;
int scopes = 0;
int threads_before = 0;

}  // namespace

OneBlasThread::OneBlasThread() {
  const std::lock_guard lock(mutex);
  if (scopes++ > 0) return;
  threads_before = openblas_get_num_threads();
  openblas_set_num_threads(1);
}

OneBlasThread::~OneBlasThread() {
  const std::lock_guard lock(mutex);
  if (--scopes == 0) openblas_set_num_threads(threads_before);
}

}  // namespace mugrad::python

#else

namespace mugrad::python {

OneBlasThread::OneBlasThread() = default;
OneBlasThread::~OneBlasThread() = default;

}  // namespace mugrad::python

#endif
