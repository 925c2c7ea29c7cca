// SPDX-License-Identifier: MIT
#pragma once

#include "model/head_scores.h"
#include "model/panel_scores.h"

#include <mugrad/model/model.h>

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace mugrad {

/// Created by the first scorer; a model does not change.
struct Model::Layout {
  std::mutex mutex;  ///< held while the layout is created
  std::optional<PanelScores> panels;
  // A scorer may outlive the model.
  std::vector<std::string> label_names;
  Head head;
  std::unique_ptr<const HeadScores> head_scores;  ///< of the head; null where it needs none
};

}  // namespace mugrad
