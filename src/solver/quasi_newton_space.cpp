// SPDX-License-Identifier: MIT
#include "solver/quasi_newton_space.h"

#include <algorithm>
#include <utility>

namespace mugrad {

template <class Real>
void QuasiNewtonSpace<Real>::begin(const Matrix<Real>& weights) {
  current = weights;
  field.resize(weights.rows(), weights.cols());
}

template <class Real>
double QuasiNewtonSpace<Real>::bytes(Index parameters, Index tasks) noexcept {
  constexpr double kMatrices = 5;
  return kMatrices * static_cast<double>(parameters) * static_cast<double>(tasks) * sizeof(Real) +
         CurvaturePairs<Real>::bytes(parameters, tasks);
}

template <class Real>
void QuasiNewtonSpace<Real>::make_room(Grouping grouping, std::span<const double> task_weights) {
  for (auto* matrix : {&direction, &trial, &trial_field}) {
    matrix->resize(current.rows(), current.cols());
  }
  pairs.begin(current.rows(), current.cols(), grouping, task_weights);
}

template <class Real>
void QuasiNewtonSpace<Real>::step(std::span<const Real> steps) {
  auto& move = pairs.next_move();
  parts().for_each(pool, [&](Index, Index begin, Index end) {
    for (Index k = begin; k < end; ++k) {
      const auto s = move.row(k);
      const auto d = direction.row(k);
      const auto w = current.row(k);
      const auto to = trial.row(k);
      for (std::size_t t = 0; t < steps.size(); ++t) {
        s[t] = steps[t] == 0 ? Real{0} : steps[t] * d[t];
        to[t] = w[t] + s[t];
      }
    }
  });
}

template <class Real>
void QuasiNewtonSpace<Real>::note_change() {
  auto& change = pairs.next_change();
  parts().for_each(pool, [&](Index, Index begin, Index end) {
    const Real* const after = trial_field.data();
    const Real* const before = field.data();
    for (Index k = begin * field.cols(); k < end * field.cols(); ++k) {
      change.data()[k] = after[k] - before[k];
    }
  });
}

template <class Real>
void QuasiNewtonSpace<Real>::drop_trial(Index column) noexcept {
  for (Index k = 0; k < field.rows(); ++k) {
    pairs.next_move()(k, column) = 0;
    pairs.next_change()(k, column) = 0;
  }
}

template <class Real>
void QuasiNewtonSpace<Real>::accept(std::span<const char> accepted) {
  if (std::ranges::find(accepted, 0) == accepted.end()) {
    std::swap(current, trial);
    std::swap(field, trial_field);
    return;
  }
  parts().for_each(pool, [&](Index, Index begin, Index end) {
    for (Index k = begin; k < end; ++k) {
      const auto w = current.row(k);
      const auto f = field.row(k);
      const auto w_new = trial.row(k);
      const auto f_new = trial_field.row(k);
      for (std::size_t t = 0; t < accepted.size(); ++t) {
        w[t] = accepted[t] ? w_new[t] : w[t];
        f[t] = accepted[t] ? f_new[t] : f[t];
      }
    }
  });
}

template <class Real>
void QuasiNewtonSpace<Real>::keep_columns(std::span<const Index> kept) {
  for (auto* matrix : {&current, &field, &direction, &trial, &trial_field}) {
    matrix->keep_columns(kept);
  }
  pairs.keep_columns(kept);
}

template struct QuasiNewtonSpace<float>;
template struct QuasiNewtonSpace<double>;

}  // namespace mugrad
