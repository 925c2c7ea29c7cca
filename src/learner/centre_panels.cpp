// SPDX-License-Identifier: MIT
#include "learner/centre_panels.h"

namespace mugrad {
namespace {

/// Lines per panel: with about 2,000 features it stays in the second-level cache.
constexpr Index kMostLines = 4;

}  // namespace

CentrePanels::CentrePanels(Index centres, Index features)
    : features_(features),
      panels_(Panels::cut(centres, kLine<double>, kMostLines)),
      entries_(features * panels_.padded()),
      offset_(panels_.padded()),
      products_(kMostLines * kLine<double>) {
  for (Index panel = 0; panel < panels_.count; ++panel) {
    const Index first = panels_.first(panel);
    for (Index column = 0; column < panels_.filled(panel); ++column) {
      place_.push_back({features * first + column, panels_.width(panel)});
    }
  }
}

void CentrePanels::measure() noexcept {
  for (Index centre = 0; centre < centres(); ++centre) {
    double sum = 0;
    for (Index k = 0; k < features_; ++k) sum += at(centre, k) * at(centre, k);
    offset_.data()[centre] = -sum / 2;
  }
}

Matrix<double> CentrePanels::matrix() const {
  Matrix<double> result(centres(), features_);
  for (Index centre = 0; centre < centres(); ++centre) {
    for (Index k = 0; k < features_; ++k) result(centre, k) = at(centre, k);
  }
  return result;
}

}  // namespace mugrad
