// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/linalg/features.h>
#include <mugrad/linalg/matrix.h>
#include <mugrad/linalg/sparse_matrix.h>

#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace mugrad {

// A head says how the scores of the labels follow from a scaled row x: most often from its linear
// scores z, one per column of the model's weights, or from x itself, and then weights have no
// columns. T is the number of labels.
//
// Head, below, is the only list of the kinds of heads. src/model/heads has a file for each, where
// kind() declares its name, fields, checks, scoring and the range of its scores.
template <class Own>
struct HeadKind;

/// How the score of a label depends on its linear score z.
enum class Link {
  logistic,  ///< 1 / (1 + exp(-z)): a probability
  identity,  ///< z itself, near 1 for present labels and near 0 for absent ones
};

/// One linear score per label.
struct IndependentHead {
  Link link = Link::logistic;

  static const HeadKind<IndependentHead>& kind();
  bool operator==(const IndependentHead&) const = default;
};

/// The vote of an ensemble member for a label.
enum class Vote {
  probability,
  label,  ///< 1 or 0
};

/// Classifier chains: each label depends on the predictions of the earlier labels of the chain.
/// Column m T + i is label i of member m; scores are means over the members.
struct ChainHead {
  Vote vote = Vote::probability;
  std::vector<LabelId> order = {};  ///< the chains of all members, one after another
  /// Row m T + i, column j: added to label i of member m if j is predicted.
  Matrix<double> history = {};

  static const HeadKind<ChainHead>& kind();
  bool operator==(const ChainHead&) const = default;
};

/// How scores of labels are computed from classes of labelsets.
enum class LabelsetScore {
  marginal,  ///< the probability of the classes with the label
  votes,     ///< 1 if the most likely class has the label, else 0
  /// With p of the most likely class: (1 + p) / 2 if it has the label, else (1 - p) / 2.
  confidence,
};

/// Label powersets: one column per class, which is a combination of the labels of a set. Scores are
/// means over the sets with the label; 0 if there are none.
struct LabelsetHead {
  LabelsetScore score = LabelsetScore::marginal;
  BinaryMatrix sets = {};     ///< a row per set: its labels
  BinaryMatrix classes = {};  ///< a row per column of the weights: the labels of that class
  std::vector<Index> class_start = {};  ///< the first class of each set, then the number of classes

  static const HeadKind<LabelsetHead>& kind();
  bool operator==(const LabelsetHead&) const = default;
};

/// Calibrated label ranking. Columns 0 to T - 1 compare each label with the virtual label, which
/// separates relevant from irrelevant labels; the other columns are pairs. With v(a) the votes for
/// label a and v(0) those for the virtual label, the score is 1/2 + (v(a) - v(0)) / 2T.
struct PairHead {
  Vote vote = Vote::label;
  /// The labels of each pair; a score above 0 prefers the first.
  std::vector<LabelId> first = {}, second = {};

  static const HeadKind<PairHead>& kind();
  bool operator==(const PairHead&) const = default;
};

/// Columns are centres, z = x.c. The features of a label are its distances |x - c|; its score is
/// the probability 1 / (1 + exp(slope f + shift)) of a linear function f of these.
struct DistanceHead {
  /// The first centre of each label, then the number of centres.
  std::vector<Index> centre_start = {};
  std::vector<double> squared_length = {};     ///< of each centre
  std::vector<double> weight = {};             ///< of the distance to each centre
  std::vector<double> offset = {};             ///< of each label's f
  std::vector<double> slope = {}, shift = {};  ///< of each label

  static const HeadKind<DistanceHead>& kind();
  bool operator==(const DistanceHead&) const = default;
};

/// Linear scores that depend on the other predicted labels. Columns 0 to T - 1 give the first
/// prediction. In each round the scores are those of columns T to 2T - 1 plus the weights of the
/// labels last predicted, those with a score of at least 1/2.
struct FeedbackHead {
  /// Predictions become constant or periodic long before.
  static constexpr Index kMostRounds = 100;

  Index rounds = 3;                   ///< from 0 to kMostRounds
  Matrix<double> label_weights = {};  ///< row j, column i: added to label i if j is predicted

  static const HeadKind<FeedbackHead>& kind();
  bool operator==(const FeedbackHead&) const = default;
};

/// Columns are examples, z = x.e; scores are linear in exp(-|x - e|^2 / (2 width^2)).
struct KernelHead {
  /// Their squares do not overflow.
  static constexpr double kLeastWidth = 1e-150, kMostWidth = 1e150;

  double width = 1;
  std::vector<double> squared_length = {};  ///< of each example
  Matrix<double> coefficients = {};         ///< a row per example, a column per label
  std::vector<double> offset = {};          ///< of each label

  static const HeadKind<KernelHead>& kind();
  bool operator==(const KernelHead&) const = default;
};

/// Scores by the k training examples nearest to a row: the score of a label is its probability
/// given how many of them have it. The weights have no columns.
struct NeighbourHead {
  static constexpr double kMostSquaredLength = 1e280;  ///< keeps products of rows finite

  /// The examples: row e is near the scaled row x where |x + shift - e| is small; of rows at the
  /// same distance the first is nearer. In double, dense or sparse.
  Features rows = {};
  /// One per feature, or empty: 0. It undoes the shift of z-scores, so that sparse examples can be
  /// stored sparse, or moves raw dense values near zero, where distances are accurate.
  std::vector<double> shift = {};
  BinaryMatrix labels = {};  ///< of each example
  /// Row t, column j: of label t when j of the k nearest examples have it; k + 1 columns.
  Matrix<double> probability = {};

  static const HeadKind<NeighbourHead>& kind();
  bool operator==(const NeighbourHead&) const = default;
};

using Head = std::variant<IndependentHead, ChainHead, LabelsetHead, PairHead, DistanceHead,
                          FeedbackHead, KernelHead, NeighbourHead>;

/// The name of a head in model files; docs/model-file.md lists them.
std::string_view kind_of(const Head& head);
/// An empty head of every kind.
std::vector<Head> empty_heads();

/// A field of a head, as model files name it: a word, a number, or a view of numbers, valid as long
/// as the head.
struct HeadField {
  std::string_view name;
  std::variant<std::string_view, double, Index, std::span<const double>, std::span<const Index>,
               std::span<const LabelId>, const Matrix<double>*, const BinaryMatrix*,
               const Features*>
      value;
};
std::vector<HeadField> fields_of(const Head& head);

/// Whether every label has its own linear score, which is its score or the log-odds of its score.
bool has_linear_scores(const Head& head);

/// The meaning of the scores of a head.
struct ScoreRange {
  double low = 0;                 ///< typical score of an absent label
  double high = 1;                ///< typical score of a present label
  double middle = 0.5;            ///< both equally likely: the natural threshold
  bool is_limit = true;           ///< no score is outside [low, high]
  bool are_probabilities = true;  ///< scores are the probabilities of the labels

  /// Whether scores, and therefore thresholds, can have this value.
  bool contains(double score) const noexcept;
  /// The condition of `contains` in words: "in [0, 1]", "finite".
  std::string limits() const;
  bool operator==(const ScoreRange&) const = default;
};
ScoreRange score_range(const Head& head);

std::string_view to_string(Link link);
std::string_view to_string(Vote vote);
std::string_view to_string(LabelsetScore score);
/// Throw UsageError listing the valid names.
Link link_named(std::string_view name);
Vote vote_named(std::string_view name);
LabelsetScore labelset_score_named(std::string_view name);

}  // namespace mugrad
