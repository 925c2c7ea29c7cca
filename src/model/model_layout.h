// SPDX-License-Identifier: MIT
#pragma once

#include "model/panel_scores.h"

#include <mugrad/model/model.h>

#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace mugrad {

/// Made by whoever scores first; a model does not change.
struct Model::Layout {
  std::mutex mutex;  ///< held while the layout is made
  std::optional<PanelScores> panels;
  std::vector<std::string> label_names;  ///< a scorer names labels when the model is gone
};

}  // namespace mugrad
