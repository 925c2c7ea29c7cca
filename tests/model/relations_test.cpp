// SPDX-License-Identifier: MIT
#include "support/small_model.h"

#include <mugrad/model/model.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mugrad {
namespace {

using ::testing::ElementsAre;
using ::testing::FieldsAre;
using ::testing::IsEmpty;

TEST(StrongestRelations, AreSortedByStrengthThenLabelAndLeaveOutWhatIsNone) {
  auto contents = testing::small_model();
  contents.relations = {.cols = 3,
                        .row_start = {0, 3, 5, 6},
                        .column = {0, 1, 2, 0, 2, 0},
                        .value = {0.9, 0.25, 0, 0.5, 0.25, 0.75}};
  const Model model(contents);
  EXPECT_THAT(strongest_relations(model),
              ElementsAre(FieldsAre(2, 0, 0.75), FieldsAre(1, 0, 0.5), FieldsAre(0, 1, 0.25),
                          FieldsAre(1, 2, 0.25)));
  EXPECT_THAT(strongest_relations(model, 1), ElementsAre(FieldsAre(2, 0, 0.75)));
  contents.relations = {.cols = 3, .row_start = {0, 1, 2, 2}, .column = {0, 1}, .value = {1, 1}};
  EXPECT_THAT(strongest_relations(Model(contents)), IsEmpty());
}

}  // namespace
}  // namespace mugrad
