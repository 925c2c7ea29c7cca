// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/linalg/binary_matrix.h>
#include <mugrad/linalg/matrix.h>

#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace mugrad {

// A model computes some linear scores z of a scaled row, one per column of its weights. Its head
// says how the scores of the labels follow from these. T is the number of labels.
//
// Head, below, is the only list of the kinds of heads. src/model/heads has a file for each, where
// kind() declares its name, fields, checks, scoring and the range of its scores.
template <class Own>
struct HeadKind;

/// How a label's score follows from its linear score z.
enum class Link {
  logistic,  ///< 1 / (1 + exp(-z)): a probability
  identity,  ///< z itself, near 1 for labels that are there and near 0 for others
};

/// One linear score per label.
struct IndependentHead {
  Link link = Link::logistic;

  static const HeadKind<IndependentHead>& kind();
  bool operator==(const IndependentHead&) const = default;
};

/// What a member of an ensemble says of a label.
enum class Vote {
  probability,
  label,  ///< 1 or 0
};

/// Classifier chains: each label sees which labels before it in the chain were predicted. Column
/// m T + i is label i of member m; scores are means over the members.
struct ChainHead {
  Vote vote = Vote::probability;
  std::vector<LabelId> order = {};  ///< the chain of each member, member after member
  /// Row m T + i, column j: what label i of member m gains when j was predicted.
  Matrix<double> history = {};

  static const HeadKind<ChainHead>& kind();
  bool operator==(const ChainHead&) const = default;
};

/// How the classes of labelsets are turned into scores of labels.
enum class LabelsetScore {
  marginal,    ///< the probability of the classes that have the label
  votes,       ///< 1 when the likeliest class has it, else 0
  confidence,  ///< (1 + p) / 2 when the likeliest class, of probability p, has it, else (1 - p) / 2
};

/// Label powersets: a column per class, which is a combination of the labels of a set. Scores are
/// means over the sets that have the label; 0 where none has.
struct LabelsetHead {
  LabelsetScore score = LabelsetScore::marginal;
  BinaryMatrix sets = {};     ///< a row per set: its labels
  BinaryMatrix classes = {};  ///< a row per column of the weights: the labels of that class
  std::vector<Index> class_start = {};  ///< the first class of each set, and an end

  static const HeadKind<LabelsetHead>& kind();
  bool operator==(const LabelsetHead&) const = default;
};

/// Calibrated label ranking. Columns 0 to T - 1 are each label against the virtual one that
/// separates the relevant labels from the others, then come pairs. With v(a) the votes for a, 0 the
/// virtual label, a score is 1/2 + (v(a) - v(0)) / 2T.
struct PairHead {
  Vote vote = Vote::label;
  /// Of each pair; a score above 0 prefers the first.
  std::vector<LabelId> first = {}, second = {};

  static const HeadKind<PairHead>& kind();
  bool operator==(const PairHead&) const = default;
};

/// Columns are centres, z = x.c; a label's features are its distances |x - c|, its score is the
/// probability 1 / (1 + exp(slope f + shift)) of a linear function f of those.
struct DistanceHead {
  std::vector<Index> centre_start = {};        ///< the first centre of each label, and an end
  std::vector<double> squared_length = {};     ///< of each centre
  std::vector<double> weight = {};             ///< of the distance to each centre
  std::vector<double> offset = {};             ///< of each label's f
  std::vector<double> slope = {}, shift = {};  ///< of each label

  static const HeadKind<DistanceHead>& kind();
  bool operator==(const DistanceHead&) const = default;
};

/// Linear scores of which others are added when they are there. Columns 0 to T - 1 make the first
/// guess; then, a few times over, the scores are those of columns T to 2T - 1 plus the weights of
/// the labels that were last guessed, which are those of at least 1/2.
struct FeedbackHead {
  /// Guesses settle, or go in circles, long before.
  static constexpr Index kMostRounds = 100;

  Index rounds = 3;                   ///< from 0 to kMostRounds
  Matrix<double> label_weights = {};  ///< row j, column i: what label i gains when j is there

  static const HeadKind<FeedbackHead>& kind();
  bool operator==(const FeedbackHead&) const = default;
};

/// Columns are examples, z = x.e; scores are linear in exp(-|x - e|^2 / (2 width^2)).
struct KernelHead {
  static constexpr double kLeastWidth = 1e-150, kMostWidth = 1e150;  ///< squares are numbers, too

  double width = 1;
  std::vector<double> squared_length = {};  ///< of each example
  Matrix<double> coefficients = {};         ///< a row per example, a column per label
  std::vector<double> offset = {};          ///< of each label

  static const HeadKind<KernelHead>& kind();
  bool operator==(const KernelHead&) const = default;
};

using Head = std::variant<IndependentHead, ChainHead, LabelsetHead, PairHead, DistanceHead,
                          FeedbackHead, KernelHead>;

/// What a head is called in files: independent, chains, labelsets, pairs, distances, feedback,
/// kernel.
std::string_view kind_of(const Head& head);
/// An empty head of every kind.
std::vector<Head> empty_heads();

/// A field of a head, as a model file names it: a word, a number, or a view of numbers, which holds
/// as long as the head.
struct HeadField {
  std::string_view name;
  std::variant<std::string_view, double, Index, std::span<const double>, std::span<const Index>,
               std::span<const LabelId>, const Matrix<double>*, const BinaryMatrix*>
      value;
};
std::vector<HeadField> fields_of(const Head& head);

/// Whether every label has a linear score of its own: its score is that, or the probability whose
/// log-odds that is.
bool has_linear_scores(const Head& head);

/// What the scores of a head mean.
struct ScoreRange {
  double low = 0;                 ///< scores are near this where a label is absent
  double high = 1;                ///< and near this where it is present
  double middle = 0.5;            ///< where both are equally likely: the natural threshold
  bool is_limit = true;           ///< no score lies outside [low, high]
  bool are_probabilities = true;  ///< of the labels

  /// Whether scores, and so thresholds, can have this value.
  bool contains(double score) const noexcept;
  /// What `contains` wants, in words: "in [0, 1]", "finite".
  std::string limits() const;
  bool operator==(const ScoreRange&) const = default;
};
ScoreRange score_range(const Head& head);

std::string_view to_string(Link link);
std::string_view to_string(Vote vote);
std::string_view to_string(LabelsetScore score);
/// Throw UsageError listing the names there are.
Link link_named(std::string_view name);
Vote vote_named(std::string_view name);
LabelsetScore labelset_score_named(std::string_view name);

}  // namespace mugrad
