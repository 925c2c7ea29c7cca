// SPDX-License-Identifier: MIT
#include "metric/convention.h"

namespace mugrad {
namespace {

constexpr ConventionRules kSklearn = {
    .average_precision = {.ties = Ties::pessimistic, .without_labels = 1.0},
    .coverage = {.ties = Ties::pessimistic, .without_labels = 0.0},
    .ranking_loss = {.ties = Ties::pessimistic, .without_labels = 0.0},
    .one_error = {.ties = Ties::pessimistic, .without_labels = std::nullopt},
    .average_ties_at_k = true,
    .nothing_over_nothing = 0.0,
};

constexpr ConventionRules kMulan = {
    .average_precision = {.ties = Ties::by_index, .without_labels = std::nullopt},
    .coverage = {.ties = Ties::by_index, .without_labels = 0.0},
    .ranking_loss = {.ties = Ties::by_index, .without_labels = 0.0},
    .one_error = {.ties = Ties::by_index, .without_labels = 1.0},
    .average_ties_at_k = false,
    .nothing_over_nothing = 1.0,
};

constexpr ConventionRules kLamda = {
    .average_precision = {Ties::by_index, std::nullopt, false},
    // LAMDA subtracts one from the mean of the worst ranks, where a row without labels adds 0.
    .coverage = {.ties = Ties::by_index, .without_labels = -1.0},
    .ranking_loss = {Ties::pessimistic, std::nullopt, false},
    .one_error = {Ties::optimistic, std::nullopt, false},
    .average_ties_at_k = false,
    .nothing_over_nothing = 0.0,
};

}  // namespace

const ConventionRules& rules_of(Convention convention) {
  switch (convention) {
    case Convention::mulan:
      return kMulan;
    case Convention::lamda:
      return kLamda;
    case Convention::sklearn:
      break;
  }
  return kSklearn;
}

}  // namespace mugrad
