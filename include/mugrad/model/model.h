// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/progress.h>
#include <mugrad/data/scaling.h>
#include <mugrad/linalg/binary_matrix.h>
#include <mugrad/linalg/csr.h>
#include <mugrad/linalg/features.h>
#include <mugrad/linalg/matrix.h>
#include <mugrad/model/head.h>
#include <mugrad/parallel/threads.h>

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace mugrad {

/// The steps of a solver that takes all of one length.
struct FixedStep {
  double step = 0;       ///< alpha
  double curvature = 0;  ///< L, an upper bound

  bool operator==(const FixedStep&) const = default;
};

/// How the problem that training solves was solved. The method's ReportWords say what `effort`
/// counts and what was minimised.
struct SolveFacts {
  std::string solver = {};    ///< plain, accelerated, proximal, ...; never empty
  std::string stop = {};      ///< converged, iteration-limit, stalled, diverged
  Index effort = 0;           ///< passes over the data, or iterations
  double first_residual = 0;  ///< max_i |F_i| at the start, equation (11)
  double residual = 0;        ///< max_i |F_i| of what is stored
  double minimised = 0;       ///< sum of f_i, or the objective, of what is stored
  std::optional<FixedStep> fixed_step = {};

  bool operator==(const SolveFacts&) const = default;
};

/// What happened in training. Nothing in it depends on the machine or the clock: the same run
/// gives the same bytes.
struct TrainingReport {
  std::string method = {};                    ///< mgd, br, ...
  Index rows = 0;                             ///< examples trained on
  std::vector<LabelId> constant_labels = {};  ///< one class only in training: base rate predicted
  std::vector<std::string> warnings = {};
  /// Empty when there was nothing to solve: no label had both classes, or the method solves
  /// nothing.
  std::optional<SolveFacts> solve = {};

  bool operator==(const TrainingReport&) const = default;
};

/// The report as a JSON object with the keys of the model file; those of a solve are null without
/// one.
std::string json_text(const TrainingReport& report);

/// Everything a model file holds.
struct ModelContents {
  std::vector<std::string> feature_names = {};  ///< empty, or one per feature
  std::vector<std::string> label_names = {};    ///< empty, or one per label, no two alike
  Scaling scaling = {};
  /// A row per feature, for scaled features, and a column per linear score: one per label, unless
  /// the head says otherwise. Single or double precision as trained.
  std::variant<Matrix<float>, Matrix<double>> weights = {};
  std::vector<double> intercepts = {};  ///< of each column of the weights
  Head head = {};                       ///< from linear scores to those of the labels
  std::vector<double> thresholds = {};  ///< of each label; in [0, 1] where scores are
  CsrMatrix<double> relations = {};     ///< T x T: the transfer Mbar used; row i is label i's
  std::map<std::string, std::string> options = {};  ///< as text: what the method was asked for
  TrainingReport report = {};

  bool operator==(const ModelContents&) const = default;
};

/// What was learned: predicts a score of every label.
class Model {
 public:
  /// Throws InputError when the parts do not fit together (shapes, finite values, ranges).
  explicit Model(ModelContents contents);

  const ModelContents& contents() const noexcept { return contents_; }
  Index features() const noexcept { return static_cast<Index>(contents_.scaling.mean.size()); }
  Index labels() const noexcept { return static_cast<Index>(contents_.thresholds.size()); }
  std::string label_name(LabelId label) const;

  /// Scores, n x T. Requires: x has as many columns as the model has features
  /// (data/align brings another data set into that form); throws UsageError otherwise. The first
  /// call lays out the weights as scoring wants them, for all that follow and for copies of the
  /// model, which takes as much memory as the weights do; a Scorer keeps threads and scratch too,
  /// and says what becomes of scores that are not finite, and who calls the progress.
  Matrix<double> scores(const Features& x, Threads threads = {},
                        Progress* progress = nullptr) const;
  /// The same for rows [begin, end) only.
  Matrix<double> scores(const Features& x, Index begin, Index end, Threads threads = {},
                        Progress* progress = nullptr) const;
  /// Linear scores, before the link: log-odds where that is logistic. Throws UsageError when the
  /// model has another head than one linear score per label.
  Matrix<double> linear_scores(const Features& x, Threads threads = {},
                               Progress* progress = nullptr) const;

  /// The labels whose score reaches the model's thresholds, n x T. Takes memory for the labels
  /// found, not for all scores.
  BinaryMatrix predict(const Features& x, Threads threads = {}, Progress* progress = nullptr) const;

  /// The same model with other thresholds, one for all labels or one per label. Throws UsageError
  /// when there are more or fewer, InputError when they are not such as a model may have.
  Model with_thresholds(std::vector<double> thresholds) const;

  /// One safetensors file, written whole or not at all; docs/model-file.md has the layout.
  void save(const std::filesystem::path& path) const;
  /// Checks every offset, shape, type and value first; throws InputError.
  static Model load(const std::filesystem::path& path);
  /// What the file holds, for those who keep models elsewhere. `name` is what refusals call it.
  std::string to_bytes() const;
  static Model from_bytes(std::string_view bytes, const std::string& name);

 private:
  friend class Scorer;
  struct Layout;

  ModelContents contents_;
  std::shared_ptr<Layout> layout_;  ///< of the weights, for scoring; shared by copies
};

/// Whether the file starts like a model (not whether it is a valid one).
bool looks_like_model(const std::filesystem::path& path);

}  // namespace mugrad
