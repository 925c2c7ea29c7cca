// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/memory.h>
#include <mugrad/data/dataset.h>
#include <mugrad/model/model.h>
#include <mugrad/parallel/thread_pool.h>
#include <mugrad/solver/solve.h>
#include <mugrad/transfer/transfer_matrix.h>

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mugrad {

/// Options by name, as text.
using OptionValues = std::map<std::string, std::string, std::less<>>;

/// How many values of a list before and after a given one.
struct Neighbourhood {
  std::size_t before = 0, after = 0;
};

/// Values of one option to try in tuning: a list, or a range.
struct Dimension {
  std::string option = {};
  std::vector<std::string> values = {};  ///< empty: a range
  double low = 0, high = 0;  ///< bounds of the range, > 0; draws are uniform in the logarithm
  /// Try only these neighbours of the best value of the stage before, if that value is listed.
  std::optional<Neighbourhood> near_best = {};
};

/// All combinations of these.
using SearchSpace = std::vector<Dimension>;

/// One stage of tuning. Its settings are all combinations of an alternative and the space.
struct SearchStage {
  OptionValues fixed = {};  ///< options of this stage's settings
  /// Options to try together. The next stage tries its own settings with those of the best trial.
  std::vector<OptionValues> alternatives = {};
  SearchSpace space = {};
};

/// A named group of options.
struct Preset {
  std::string name = {};
  std::string help = {};  ///< one line
  OptionValues values = {};
};

/// The meaning of the numbers in SolveFacts; unused by methods that solve nothing.
struct ReportWords {
  std::string_view effort = "passes";         ///< unit of SolveFacts::effort
  std::string_view minimised = "total loss";  ///< meaning of SolveFacts::minimised
};

/// Properties of a method. Code outside src/method uses these and never compares names.
struct MethodTraits {
  bool takes_row_weights = false;     ///< trains on Dataset::row_weights; otherwise an error
  bool takes_unknown_labels = false;  ///< trains on Dataset::unknown; otherwise an error
  bool solves = true;                 ///< uses a solver and reports how that ended
  bool has_iterates = false;          ///< passes the iterates of one run to its progress
  bool has_relations = false;         ///< stores in the model which label borrows from which
  bool runs_on_ranks = false;         ///< trains over MPI; only mgd, because mpi::train trains MGD
  /// Tolerance that suffices to compare settings in tuning; empty: the method's own.
  std::string trial_tolerance = {};
  std::vector<SearchStage> usual_search = {};  ///< what tuning tries by default
  /// Options that are given instead of another one: the usual search leaves out both if either is
  /// given.
  std::map<std::string, std::string> instead_of = {};
  std::vector<Preset> presets = {};
  ReportWords report = {};

  // Which fields of TrainingExtras the method accepts.
  bool takes_start = false;
  bool takes_prior = false;  ///< its models can be continued, see continue_training
  bool takes_transfer = false;
  bool takes_sigma_per_label = false;
  bool takes_positive_weights = false;
};

/// Description of an option of a method.
struct OptionInfo {
  std::string name = {};                  ///< rho, as in --rho
  std::string help = {};                  ///< one line
  std::string initial = {};               ///< the default value
  std::vector<std::string> choices = {};  ///< empty: a number
  std::string was = {};                   ///< an older name, which still works; empty: none
};

/// Receives the models of several settings, each with the number of its setting. Returns false to
/// end the training of the others.
using ModelVisitor = std::function<bool(std::size_t setting, const Model& model)>;

/// Inputs of training that are not text. Inputs that a method does not accept are an error; see its
/// traits.
struct TrainingExtras {
  std::shared_ptr<const Model> start = {};  ///< a model to start from
  /// A model with a curvature, of the same features and labels, whose examples count besides the
  /// data: equation (23) of docs/theory.md. The model keeps its representation and its relations.
  std::shared_ptr<const Model> prior = {};
  std::optional<TransferMatrix> transfer = {};  ///< over all labels, instead of a similarity
  std::vector<double> sigma_per_label = {};     ///< one transfer strength per label
  std::vector<double> positive_weights = {};    ///< one weight of positives per label
};

/// A training method by name, for programs that let users choose. In C++, each method also has a
/// header with a struct of options and a function `fit`.
class Method {
 public:
  virtual ~Method() = default;

  virtual std::string_view name() const = 0;
  /// A description in one line.
  virtual std::string_view summary() const = 0;
  virtual const MethodTraits& traits() const = 0;
  virtual std::vector<OptionInfo> options() const = 0;
  /// Finds an option by its name or its older name.
  bool has_option(std::string_view option) const;
  /// The same values with older names of options replaced by the current ones, unless both are
  /// given.
  OptionValues with_current_names(OptionValues values) const;
  /// Throws UsageError for an unknown option or a value out of range.
  virtual void check(const OptionValues& values) const = 0;
  /// Trains with the given options and extras, and defaults for the rest. `progress` may be null.
  /// Throws what `check` throws, UsageError for extras that the method does not accept, and what
  /// the method's own `fit` throws, including MemoryError.
  virtual Model fit(const Dataset& data, const OptionValues& values, const TrainingExtras& extras,
                    Threads threads, Progress* progress) const = 0;
  Model fit(const Dataset& data, const OptionValues& values, Threads threads,
            Progress* progress) const {
    return fit(data, values, {}, threads, progress);
  }

  /// The peak memory of `fit`, without the data. `fit` throws MemoryError if it exceeds the
  /// available memory. Throws what `check` throws for unknown options.
  virtual MemoryNeed memory(const DataShape& shape, const OptionValues& values,
                            Threads threads) const = 0;

  /// Groups of settings, by number, that are faster to train together than one by one.
  virtual std::vector<std::vector<std::size_t>> groups(
      std::span<const OptionValues> settings) const;
  /// Trains with each setting of a group on the same data, in the fastest order, and passes every
  /// model to `visit` with the number of its setting, until that returns false. Each model is as
  /// accurate as if trained alone.
  virtual void fit_each(const Dataset& data, std::span<const OptionValues> group, Threads threads,
                        Progress* progress, const ModelVisitor& visit) const;
};

/// How continue_training treats the new examples.
struct Continuation {
  /// Options of the method. Only those of the solver may differ from those of the model.
  OptionValues values = {};
  /// Computes means, deviations and frequencies of terms anew, from those of the model and of the
  /// new examples, and converts the weights.
  bool refit = false;
  Index min_count = 1;  ///< ignores new labels with fewer positives
  Threads threads = {};
  /// Receives one sentence about each thing done that the user may not expect.
  std::function<void(const std::string&)> note = {};
};

/// Continues training with new examples alone. The examples of the model count as many times as
/// they are, by equation (23) of docs/theory.md, which needs the model's curvature; without one, it
/// is estimated from the new examples, with a note.
///
/// Features and labels are matched by name if both sides have names, otherwise by position. Labels
/// that the model lacks are added at the end; they are unknown for its examples. Terms of texts
/// that it lacks are added in their places; they occurred in none of its examples. Labels of the
/// model that the data lack, or that are unknown in all examples, keep their weights, as do terms
/// that occur in no new example. Thresholds and calibration of old labels stay.
///
/// Throws UsageError for a model that cannot be continued and for contradicting options, InputError
/// for data that do not fit the model, and what Method::fit throws.
Model continue_training(const Model& model, const Dataset& data, const Continuation& how = {},
                        Progress* progress = nullptr);

/// The same model with the curvature of the examples that it was trained on, in one pass over them.
/// Throws UsageError for a model that cannot be continued.
Model with_curvature(const Model& model, const Dataset& data, Threads threads = {},
                     Progress* progress = nullptr);

/// All methods, in the order of presentation.
std::span<const Method* const> methods();
/// Throws UsageError listing the valid names.
const Method& method_named(std::string_view name);
/// Throws UsageError naming the methods that have the preset, or the valid presets.
const Preset& preset_named(const Method& method, std::string_view name);
/// Names of the methods for which `holds(method.traits())`, for messages: "mgd, br and cc".
std::string names_of_methods(const std::function<bool(const MethodTraits&)>& holds);

}  // namespace mugrad
