// SPDX-License-Identifier: MIT
// What each method is estimated to need against what it holds at its fullest.
#include "allocations/counting.h"
#include "method/mgd/mgd_options.h"

#include <mugrad/core/error.h>
#include <mugrad/core/memory.h>
#include <mugrad/core/random.h>
#include <mugrad/data/dataset.h>
#include <mugrad/data/generator.h>
#include <mugrad/method/method.h>

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace mugrad {
namespace {

using testing::held;
using testing::most_held;

struct Case {
  std::string name;
  GeneratorOptions data;
  std::vector<std::string> methods;
  OptionValues values = {};
  int threads = 1;
};

void PrintTo(const Case& one, std::ostream* out) { *out << one.name; }

/// Runs the work, which must take what it is estimated to.
template <class Work>
void expect_estimate(const std::string& name, double estimate, const Work& work) {
  const std::size_t before = held;
  most_held = before;
  work();
  const auto peak = static_cast<double>(most_held - before);
  EXPECT_GT(peak, 4e6) << name << ": too little to tell";
  EXPECT_GE(estimate / peak, 0.7) << name << ": " << estimate / 1e6 << " MB for " << peak / 1e6;
  EXPECT_LE(estimate / peak, kMostOverestimate)
      << name << ": " << estimate / 1e6 << " MB for " << peak / 1e6;
  ::testing::Test::RecordProperty(name, std::to_string(estimate / peak));
}

class Estimates : public ::testing::TestWithParam<Case> {};

TEST_P(Estimates, AreBetweenSevenTenthsAndOneAndAHalfOfThePeak) {
  const Case& one = GetParam();
  const auto data = generate(one.data).data;
  for (const auto& name : one.methods) {
    const Method& method = method_named(name);
    const double estimate = method.memory(shape_of(data), one.values, {one.threads}).bytes();
    expect_estimate(name, estimate, [&] { method.fit(data, one.values, {one.threads}, nullptr); });
  }
}

TEST(EstimatesOfRegression, AreBetweenSevenTenthsAndOneAndAHalfOfThePeak) {
  struct Shape {
    std::string name;
    Index rows, features, targets;
    bool has_unknown = false;
    double sigma = 0.5;
    std::optional<Index> neighbours = {};
  };
  for (const Shape& shape :
       {Shape{"many_rows", 20000, 50, 6}, Shape{"many_features", 300, 3000, 8},
        Shape{"many_targets", 1500, 40, 700}, Shape{"some_unknown", 1500, 40, 700, true},
        Shape{"alone", 1500, 40, 700, false, 0},
        Shape{"neighbours", 1500, 40, 700, false, 0.5, 10}}) {
    RandomStream random(1, shape.name);
    Matrix<double> x(shape.rows, shape.features);
    RegressionData data{.y = Matrix<double>(shape.rows, shape.targets)};
    for (double& entry : x.values()) entry = random.normal();
    for (double& entry : data.y.values()) entry = random.normal();
    if (shape.has_unknown) data.y(0, 0) = std::nan("");
    data.x = std::move(x);
    RegressionOptions options;
    options.sigma = shape.sigma;
    options.neighbours = shape.neighbours;
    options.max_iterations = 3;
    options.threads = {1};
    expect_estimate(shape.name, memory_need(data, options).bytes(),
                    [&] { fit_regression(data, options); });
  }
}

TEST(EstimatesOfScoring, RefuseWhatTheLimitHasNoRoomFor) {
  const auto data = generate({.rows = 2000, .features = 20, .labels = 50}).data;
  const Model model = method_named("br").fit(data, {{"iterations", "3"}}, {1}, nullptr);
  set_memory_limit(memory_limit_named("1kB"));
  EXPECT_THROW(model.predict(data.x), MemoryError) << "the layout of the weights";
  set_memory_limit({});
  EXPECT_NO_THROW(model.predict(data.x));
  set_memory_limit(memory_limit_named("1kB"));
  EXPECT_NO_THROW(model.predict(data.x)) << "it is there now, and labels take next to nothing";
  EXPECT_THROW(model.scores(data.x), MemoryError);
  EXPECT_THROW(model.linear_scores(data.x), MemoryError);
  set_memory_limit({});
}

TEST(EstimatesOfNothing, AreFiniteForNextToNothing) {
  for (const Method* const method : methods()) {
    for (const bool is_sparse : {true, false}) {
      for (const DataShape& shape : {DataShape{.is_sparse = is_sparse}, DataShape{.rows = 1,
                                                                        .features = 1,
                                                                        .labels = 1,
                                                                        .stored = 1,
                                                                        .positives = 1,
                                                                        .is_sparse = is_sparse}}) {
        const double estimate = method->memory(shape, {}, {1}).bytes();
        EXPECT_GE(estimate, 0) << method->name();
        EXPECT_LT(estimate, 1e6) << method->name();
      }
    }
  }
}

const OptionValues kFew = {{"iterations", "3"}};

const std::vector<Case> kLinear = {
    Case{"sparse_many_features",
         {.rows = 2000, .features = 20000, .labels = 20, .density = 0.005},
         {"mgd", "br", "cc"},
         kFew},
    Case{"sparse_many_rows",
         {.rows = 40000, .features = 300, .labels = 4, .group_size = 2, .density = 0.1},
         {"mgd", "br", "cc"},
         kFew},
    Case{"sparse_many_labels",
         {.rows = 3000, .features = 300, .labels = 1000, .cardinality = 5, .density = 0.05},
         {"mgd", "br"},
         kFew},
    Case{"dense_many_rows",
         {.rows = 30000, .features = 100, .labels = 4},
         {"mgd", "br", "cc"},
         kFew},
    Case{"dense_many_features",
         {.rows = 500, .features = 3000, .labels = 10},
         {"mgd", "br", "cc"},
         kFew},
    Case{"dense_many_labels",
         {.rows = 1000, .features = 50, .labels = 2000, .cardinality = 5},
         {"mgd", "br"},
         kFew},
    Case{"two_threads",
         {.rows = 3000, .features = 300, .labels = 1000, .cardinality = 5, .density = 0.05},
         {"mgd", "br"},
         kFew,
         2},
    Case{"neighbours",
         {.rows = 3000, .features = 300, .labels = 1000, .cardinality = 5, .density = 0.05},
         {"mgd"},
         {{"iterations", "30"}, {"neighbours", "10"}}},
    Case{"double_precision",
         {.rows = 2000, .features = 2000, .labels = 50, .density = 0.02},
         {"mgd", "br", "cc"},
         {{"iterations", "3"}, {"precision", "double"}}},
    Case{"plain_steps",
         {.rows = 2000, .features = 2000, .labels = 50, .density = 0.02},
         {"mgd"},
         {{"iterations", "3"}, {"solver", "plain"}}},
    Case{"chains",
         {.rows = 1000, .features = 1500, .labels = 120, .density = 0.02},
         {"cc", "ecc"},
         kFew},
    Case{"dense_chains", {.rows = 3000, .features = 150, .labels = 60}, {"cc", "ecc"}, kFew}};

const std::vector<Case> kOthers = {
    Case{"sparse_labelsets",
         {.rows = 800, .features = 4000, .labels = 20, .density = 0.02},
         {"lp", "rakel"},
         kFew},
    Case{"dense_labelsets", {.rows = 1500, .features = 400, .labels = 30}, {"lp", "rakel"}, kFew},
    Case{"labelsets_side_by_side",
         {.rows = 800, .features = 4000, .labels = 20, .density = 0.02},
         {"rakel"},
         kFew,
         2},
    Case{"sparse_pairs",
         {.rows = 1000, .features = 4000, .labels = 30, .density = 0.01},
         {"clr"},
         kFew},
    Case{"dense_pairs", {.rows = 3000, .features = 300, .labels = 12}, {"clr"}, kFew},
    Case{"sparse_centres",
         {.rows = 1000, .features = 3000, .labels = 8, .density = 0.02},
         {"lift"},
         kFew},
    Case{"dense_centres", {.rows = 2000, .features = 100, .labels = 8}, {"lift"}, kFew},
    Case{"centres_side_by_side", {.rows = 2000, .features = 100, .labels = 8}, {"lift"}, kFew, 2},
    Case{"sparse_squares",
         {.rows = 3000, .features = 800, .labels = 20, .density = 0.02},
         {"llsf", "llsf-dl", "jfsc"},
         kFew},
    Case{"dense_squares",
         {.rows = 2000, .features = 300, .labels = 100},
         {"llsf", "llsf-dl", "jfsc"},
         kFew},
    Case{"kernel_of_many_rows", {.rows = 1500, .features = 50, .labels = 10}, {"camel"}},
    Case{"kernel_of_many_features",
         {.rows = 400, .features = 6000, .labels = 40, .density = 0.02},
         {"camel"}},
    Case{"dense_examples", {.rows = 4000, .features = 300, .labels = 10}, {"mlknn"}},
    Case{"sparse_examples",
         {.rows = 4000, .features = 5000, .labels = 20, .density = 0.02},
         {"mlknn"}},
    Case{"examples_of_many_labels",
         {.rows = 3000, .features = 100, .labels = 8000, .cardinality = 5},
         {"mlknn"}},
    Case{"examples_of_many_features",
         {.rows = 300, .features = 100000, .labels = 5, .density = 0.001},
         {"mlknn"},
         {},
         2}};

OptionValues gaussian(const char* centres, OptionValues others = {}) {
  others.insert({{"representation", "gaussian"}, {"centres", centres}});
  return others;
}

const std::vector<Case> kGaussian = {
    Case{"gaussian_rows",
         {.rows = 3000, .features = 40, .labels = 10},
         {"mgd", "br", "cc", "lp", "clr", "lift", "llsf", "jfsc"},
         gaussian("200", kFew)},
    Case{"gaussian_double",
         {.rows = 3000, .features = 40, .labels = 10},
         {"mgd", "br", "ecc"},
         gaussian("200", {{"iterations", "3"}, {"precision", "double"}})},
    Case{"gaussian_centres",
         {.rows = 1000, .features = 40, .labels = 10},
         {"mgd", "br", "rakel", "llsf-dl"},
         gaussian("700", kFew)},
    Case{"gaussian_sparse",
         {.rows = 2000, .features = 1000, .labels = 10, .density = 0.02},
         {"mgd", "br"},
         gaussian("300", {{"iterations", "50"}})},
    Case{"gaussian_examples",
         {.rows = 1500, .features = 40, .labels = 10},
         {"camel", "mlknn"},
         gaussian("300")}};

std::string name_of(const ::testing::TestParamInfo<Case>& of) { return of.param.name; }
INSTANTIATE_TEST_SUITE_P(Linear, Estimates, ::testing::ValuesIn(kLinear), name_of);
INSTANTIATE_TEST_SUITE_P(Others, Estimates, ::testing::ValuesIn(kOthers), name_of);
INSTANTIATE_TEST_SUITE_P(Gaussian, Estimates, ::testing::ValuesIn(kGaussian), name_of);

TEST(EstimatesOfMethods, AreCheckedForEveryMethodThereIs) {
  std::set<std::string_view> checked;
  for (const auto* const cases : {&kLinear, &kOthers}) {
    for (const Case& one : *cases) checked.insert(one.methods.begin(), one.methods.end());
  }
  for (const Method* const method : methods()) {
    EXPECT_TRUE(checked.contains(method->name())) << method->name() << " wants a case above";
  }
}

}  // namespace
}  // namespace mugrad
