// SPDX-License-Identifier: MIT
#include "support/random_heads.h"

#include "support/random_problem.h"

#include <mugrad/core/random.h>

#include <algorithm>
#include <utility>

namespace mugrad::testing {
namespace {

constexpr Index kLabels = 4;

std::vector<double> normals(Index count, RandomStream& random) {
  std::vector<double> numbers(static_cast<std::size_t>(count));
  for (double& number : numbers) number = random.normal();
  return numbers;
}

Matrix<double> normals(Index rows, Index cols, RandomStream& random) {
  Matrix<double> matrix(rows, cols);
  std::ranges::copy(normals(rows * cols, random), matrix.values().begin());
  return matrix;
}

template <class Choice>
Choice one_of(std::initializer_list<Choice> choices, RandomStream& random) {
  return choices.begin()[random.below(choices.size())];
}

/// Random fields of a head; returns how many columns of weights it wants. A new kind of head needs
/// one of these.
Index fill(IndependentHead& head, const Matrix<double>&, RandomStream& random) {
  head.link = one_of({Link::logistic, Link::identity}, random);
  return kLabels;
}

Index fill(ChainHead& head, const Matrix<double>&, RandomStream& random) {
  constexpr Index kMembers = 3;
  head.vote = one_of({Vote::probability, Vote::label}, random);
  for (Index member = 0; member < kMembers; ++member) {
    for (const LabelId label : {3, 1, 0, 2}) head.order.push_back(label);
  }
  head.history = normals(kMembers * kLabels, kLabels, random);
  return kMembers * kLabels;
}

Index fill(LabelsetHead& head, const Matrix<double>&, RandomStream& random) {
  head.score =
      one_of({LabelsetScore::marginal, LabelsetScore::votes, LabelsetScore::confidence}, random);
  head.sets = {.cols = kLabels, .row_start = {0, 2, 4}, .column = {0, 1, 1, 2}};
  head.classes = {.cols = kLabels, .row_start = {0, 1, 3, 4, 5}, .column = {0, 0, 1, 1, 2}};
  head.class_start = {0, 2, 4};
  return 4;
}

Index fill(PairHead& head, const Matrix<double>&, RandomStream& random) {
  head.vote = one_of({Vote::probability, Vote::label}, random);
  for (LabelId first = 0; first < kLabels; ++first) {
    for (LabelId second = first + 1; second < kLabels; ++second) {
      head.first.push_back(first);
      head.second.push_back(second);
    }
  }
  return kLabels + std::ssize(head.first);
}

std::vector<double> squared_lengths(const Matrix<double>& columns, Index count) {
  std::vector<double> lengths;
  for (Index c = 0; c < count; ++c) {
    double sum = 0;
    for (Index k = 0; k < columns.rows(); ++k) sum += columns(k, c) * columns(k, c);
    lengths.push_back(sum);
  }
  return lengths;
}

Index fill(DistanceHead& head, const Matrix<double>& weights, RandomStream& random) {
  head.centre_start = {0, 2, 3, 3, 6};
  head.squared_length = squared_lengths(weights, 6);
  head.weight = normals(6, random);
  head.offset = normals(kLabels, random);
  head.slope = normals(kLabels, random);
  head.shift = normals(kLabels, random);
  return 6;
}

Index fill(FeedbackHead& head, const Matrix<double>&, RandomStream& random) {
  head.rounds = one_of<Index>({0, 1, 3}, random);
  head.label_weights = normals(kLabels, kLabels, random);
  return 2 * kLabels;
}

Index fill(KernelHead& head, const Matrix<double>& weights, RandomStream& random) {
  head.width = 0.5 + random.uniform();
  head.squared_length = squared_lengths(weights, 5);
  head.coefficients = normals(5, kLabels, random);
  head.offset = normals(kLabels, random);
  return 5;
}

Index fill(NeighbourHead& head, const Matrix<double>&, RandomStream& random) {
  constexpr Index kExamples = 6, kNeighbours = 3;
  head.rows = normals(kExamples, kRandomHeadFeatures, random);
  if (random.below(2) == 0) head.rows = as_sparse(head.rows);
  if (random.below(2) == 0) head.shift = normals(kRandomHeadFeatures, random);
  head.labels = {
      .cols = kLabels, .row_start = {0, 1, 3, 3, 4, 6, 7}, .column = {0, 0, 1, 2, 1, 3, 3}};
  head.probability = normals(kLabels, kNeighbours + 1, random);
  for (double& entry : head.probability.values()) entry = random.uniform();
  return 0;
}

Model model_of(Head head, RandomStream& random) {
  constexpr Index kMostColumns = 16;
  const auto weights = normals(kRandomHeadFeatures, kMostColumns, random);
  const Index columns = std::visit([&](auto& own) { return fill(own, weights, random); }, head);
  Matrix<double> used(kRandomHeadFeatures, columns);
  for (Index k = 0; k < kRandomHeadFeatures; ++k) {
    std::ranges::copy(weights.row(k).first(static_cast<std::size_t>(columns)), used.row(k).begin());
  }
  const auto features = static_cast<std::size_t>(kRandomHeadFeatures);
  ModelContents contents{
      .representation = {RepresentationKind::none, std::vector<double>(features, 0),
                         std::vector<double>(features, 1)},
      .weights = used,
      .intercepts = std::vector<double>(static_cast<std::size_t>(columns), 0),
      .head = std::move(head),
      .thresholds = std::vector<double>(kLabels, 0.5),
      .relations = {.cols = kLabels}};
  for (Index label = 0; label < kLabels; ++label) contents.relations.end_row();
  return Model(std::move(contents));
}

}  // namespace

std::vector<Model> random_model_of_every_head(std::uint64_t seed) {
  RandomStream random(seed, "random heads");
  std::vector<Model> models;
  for (Head& head : empty_heads()) models.push_back(model_of(std::move(head), random));
  return models;
}

}  // namespace mugrad::testing
