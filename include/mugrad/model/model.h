// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/progress.h>
#include <mugrad/data/representation.h>
#include <mugrad/data/table_encoding.h>
#include <mugrad/linalg/features.h>
#include <mugrad/linalg/matrix.h>
#include <mugrad/linalg/sparse_matrix.h>
#include <mugrad/model/head.h>
#include <mugrad/parallel/thread_pool.h>

#include <cstddef>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace mugrad {

/// The step of a solver with constant step length.
struct FixedStep {
  double step = 0;       ///< alpha
  double curvature = 0;  ///< L, an upper bound

  bool operator==(const FixedStep&) const = default;
};

/// How the training problem was solved. The method's ReportWords define the meaning of `effort` and
/// `minimised`.
struct SolveFacts {
  std::string solver = {};    ///< plain, accelerated, proximal, ...; never empty
  std::string stop = {};      ///< converged, iteration-limit, stalled, diverged
  Index effort = 0;           ///< passes over the data, or iterations
  double first_residual = 0;  ///< max_i |F_i| at the start, equation (11)
  double residual = 0;        ///< max_i |F_i| of the stored weights
  double minimised = 0;       ///< sum of f_i, or the objective, at the stored weights
  std::optional<FixedStep> fixed_step = {};

  bool operator==(const SolveFacts&) const = default;
};

/// What happened in training. It does not depend on the machine or the clock: the same run gives
/// the same bytes.
struct TrainingReport {
  std::string method = {};  ///< mgd, br, ...
  Index rows = 0;           ///< training examples
  /// Only one class in training. Most methods give them a constant score, their base rate.
  std::vector<LabelId> constant_labels = {};
  std::vector<std::string> warnings = {};
  /// Empty if there was nothing to solve: no label had both classes, or the method solves no
  /// problem.
  std::optional<SolveFacts> solve = {};

  bool operator==(const TrainingReport&) const = default;
};

/// The report as a JSON object with the keys of the model file; those of `solve` are null if it is
/// empty.
std::string json_text(const TrainingReport& report);

/// Turns the scores of a head into probabilities: 1 / (1 + exp(-(slope u + shift))) of each label,
/// where u is the log-odds of a score that is a probability, and the score itself otherwise.
struct Calibration {
  static constexpr double kMost = 1e6;  ///< of slopes and shifts, in magnitude

  std::vector<double> slope = {};  ///< of each label, >= 0; empty: scores are those of the head
  std::vector<double> shift = {};  ///< of each label

  bool is_empty() const noexcept { return slope.empty(); }
  bool operator==(const Calibration&) const = default;
};

/// A sample of the examples that a model was trained on, by hashes of their features. It shows
/// whether other rows are among them. Rows whose features are all zero do not count.
struct RowSample {
  static constexpr std::size_t kMost = 256;
  static constexpr Index kMostCount = Index{1} << 40;

  /// The smallest hashes of the examples, ascending; if they are fewer than kMost, all.
  std::vector<Index> hash = {};
  std::vector<Index> count = {};  ///< how many examples have each

  bool is_empty() const noexcept { return hash.empty(); }
  /// The share of the examples that occur more than once; 0 if it is empty.
  double repeated_share() const noexcept;
  bool operator==(const RowSample&) const = default;
};

/// The sample of these rows; those with weight 0 do not count. It does not depend on their order,
/// nor on how they are stored.
RowSample sample_of(const Features& x, std::span<const double> row_weights = {});
/// The sample of the rows of both.
RowSample merged(const RowSample& a, const RowSample& b);

/// How many rows of some data a model was trained on, counted where its sample can tell.
struct SeenRows {
  Index compared = 0;  ///< rows with a hash within the range of the sample
  Index seen = 0;      ///< those of them that were trained on

  double share() const noexcept {
    return compared == 0 ? 0 : static_cast<double>(seen) / static_cast<double>(compared);
  }
  bool operator==(const SeenRows&) const = default;
};
/// Of rows [begin, end), whose features are those of the model.
SeenRows seen_rows(const RowSample& sample, const Features& x, Index begin, Index end);

/// The contents of a model file.
struct ModelContents {
  std::vector<std::string> feature_names = {};  ///< empty, or one per feature
  TableEncoding encoding = {};                  ///< how columns of tables become features
  std::vector<std::string> label_names = {};    ///< empty, or one per label, all different
  Representation representation = {};
  /// One row per scaled feature, and one column per linear score: one per label, unless the head
  /// defines otherwise. In the precision of the training.
  std::variant<Matrix<float>, Matrix<double>> weights = {};
  std::vector<double> intercepts = {};  ///< of each column of the weights
  Head head = {};                       ///< computes scores of labels from linear scores
  Calibration calibration = {};         ///< of these scores
  std::vector<double> thresholds = {};  ///< of each label; in [0, 1] if scores are
  CsrMatrix<double> relations = {};     ///< T x T: the transfer Mbar; row i belongs to label i
  /// The requested options of the method, as text.
  std::map<std::string, std::string> options = {};
  TrainingReport report = {};
  RowSample trained_on = {};  ///< empty: not known

  bool operator==(const ModelContents&) const = default;
};

/// The meaning of the scores of a model: those of its head, or probabilities if it is calibrated.
ScoreRange score_range(const ModelContents& contents);

/// A trained model; predicts a score for every label.
class Model {
 public:
  /// Throws InputError if the parts are inconsistent (shapes, finite values, ranges).
  explicit Model(ModelContents contents);

  const ModelContents& contents() const noexcept { return contents_; }
  Index features() const noexcept { return std::ssize(contents_.representation.mean); }
  Index labels() const noexcept { return std::ssize(contents_.thresholds); }
  std::string label_name(LabelId label) const;

  /// Scores, n x T.
  /// Requires: x has as many columns as the model has features (see data/align); throws UsageError
  /// otherwise. The first call creates a layout of the weights for scoring, which takes as much
  /// memory as the weights; later calls and copies of the model share it. A Scorer also keeps
  /// threads and scratch memory; its comment describes non-finite scores and which thread calls the
  /// progress.
  Matrix<double> scores(const Features& x, Threads threads = {},
                        Progress* progress = nullptr) const;
  /// The same for rows [begin, end) only.
  Matrix<double> scores(const Features& x, Index begin, Index end, Threads threads = {},
                        Progress* progress = nullptr) const;
  /// Linear scores before link and calibration: log-odds if the link is logistic. Throws UsageError
  /// unless the head has one linear score per label.
  Matrix<double> linear_scores(const Features& x, Threads threads = {},
                               Progress* progress = nullptr) const;

  /// The labels whose scores reach the model's thresholds, n x T. Memory grows with the predicted
  /// labels, not with all scores.
  BinaryMatrix predict(const Features& x, Threads threads = {}, Progress* progress = nullptr) const;

  /// The same model with other thresholds, one for all labels or one per label. Throws UsageError
  /// for a wrong number of thresholds, and InputError for invalid ones.
  Model with_thresholds(std::vector<double> thresholds) const;
  /// The same model with calibrated scores; each threshold becomes the probability of a score that
  /// reaches it. Throws UsageError if the model is calibrated already or the calibration is
  /// empty, and InputError for an invalid one.
  Model with_calibration(Calibration calibration) const;

  /// Writes one safetensors file, completely or not at all; docs/model-file.md has the layout.
  void save(const std::filesystem::path& path) const;
  /// Checks every offset, shape, type and value first; throws InputError.
  static Model load(const std::filesystem::path& path);
  /// The contents of the file, for storing models elsewhere. Messages use `name` for it.
  std::string to_bytes() const;
  static Model from_bytes(std::string_view bytes, const std::string& name);

 private:
  friend class Scorer;
  struct Layout;

  ModelContents contents_;
  std::shared_ptr<Layout> layout_;  ///< of the weights, for scoring; shared by copies
};

/// Whether the file starts like a model; it may still be invalid.
bool looks_like_model(const std::filesystem::path& path);

/// One label that borrows from another.
struct Relation {
  LabelId label;
  LabelId from;
  double strength;  ///< positive
};

/// What each label borrows from others, strongest first, ties by label; at most `most` relations.
/// Empty if the model was trained without transfer.
std::vector<Relation> strongest_relations(
    const Model& model, std::size_t most = std::numeric_limits<std::size_t>::max());

}  // namespace mugrad
