// SPDX-License-Identifier: MIT
#include <mugrad/model/relations.h>

#include <algorithm>

namespace mugrad {

std::vector<Relation> strongest_relations(const Model& model, std::size_t most) {
  std::vector<Relation> relations;
  const auto& mbar = model.contents().relations;
  for (LabelId label = 0; label < mbar.rows(); ++label) {
    const auto columns = mbar.row_columns(label);
    const auto strengths = mbar.row_values(label);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      if (columns[k] == label || strengths[k] <= 0) continue;
      relations.push_back({label, columns[k], strengths[k]});
    }
  }
  std::ranges::stable_sort(relations, std::ranges::greater{}, &Relation::strength);
  relations.resize(std::min(relations.size(), most));
  return relations;
}

}  // namespace mugrad
