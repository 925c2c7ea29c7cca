// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/memory.h>
#include <mugrad/data/data_shape.h>
#include <mugrad/data/dataset.h>
#include <mugrad/method/method_traits.h>
#include <mugrad/model/model.h>
#include <mugrad/parallel/threads.h>
#include <mugrad/solver/solve.h>
#include <mugrad/transfer/transfer_matrix.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mugrad {

/// An option of a method, in words.
struct OptionInfo {
  std::string name = {};                  ///< rho, as in --rho
  std::string help = {};                  ///< one line
  std::string initial = {};               ///< the value it has unless another is given
  std::vector<std::string> choices = {};  ///< empty: a number
  std::string was = {};                   ///< an older name, which still works; empty: none
};

/// Gets the models of several settings, each with the setting's number.
using ModelVisitor = std::function<void(std::size_t setting, const Model& model)>;

/// What programs have in hand that is not text. A method refuses what it does not take; its traits
/// say what it does.
struct TrainingExtras {
  std::shared_ptr<const Model> start = {};      ///< a model to start from
  std::optional<TransferMatrix> transfer = {};  ///< over all labels, instead of a similarity
  std::vector<double> sigma_per_label = {};     ///< one transfer strength per label
  std::vector<double> positive_weights = {};    ///< one weight of positives per label
};

/// A way to train a model, by name: what programs that let people choose go through. In C++ each
/// has a header with a struct of options and a function `fit` as well.
class Method {
 public:
  virtual ~Method() = default;

  virtual std::string_view name() const = 0;
  /// What it does, in one line.
  virtual std::string_view summary() const = 0;
  virtual const MethodTraits& traits() const = 0;
  virtual std::vector<OptionInfo> options() const = 0;
  /// By its name or its older one.
  bool has_option(std::string_view option) const;
  /// Throws UsageError for an unknown option or a value out of range.
  virtual void check(const OptionValues& values) const = 0;
  /// Trains with the given options and extras, and defaults for the rest. `progress` may be null.
  /// Throws what `check` throws, UsageError for extras that the method does not take, and what the
  /// method's own `fit` throws, MemoryError included.
  virtual Model fit(const Dataset& data, const OptionValues& values, const TrainingExtras& extras,
                    Threads threads, Progress* progress) const = 0;
  Model fit(const Dataset& data, const OptionValues& values, Threads threads,
            Progress* progress) const {
    return fit(data, values, {}, threads, progress);
  }

  /// The memory that `fit` takes besides the data, when it takes most; more than there is of it is
  /// refused by `fit`. Throws what `check` does for options that it does not know.
  virtual MemoryNeed memory(const DataShape& shape, const OptionValues& values,
                            Threads threads) const = 0;

  /// Groups of these settings, as numbers into them, that are trained sooner together than one by
  /// one.
  virtual std::vector<std::vector<std::size_t>> groups(
      std::span<const OptionValues> settings) const;
  /// Trains with each of the settings of a group on the same data, in whatever order is quickest,
  /// and hands every model to `visit` with the number of its setting. A model is as exact as if it
  /// had been trained alone.
  virtual void fit_each(const Dataset& data, std::span<const OptionValues> group, Threads threads,
                        Progress* progress, const ModelVisitor& visit) const;
};

/// All there are, in the order in which people should meet them.
std::span<const Method* const> methods();
/// Throws UsageError listing the names there are.
const Method& method_named(std::string_view name);
/// Throws UsageError naming the methods that have the preset, or the presets there are.
const Preset& preset_named(const Method& method, std::string_view name);
/// Names of the methods for which `holds(method.traits())`, for a message: "mgd, br and cc".
std::string names_of_methods(const std::function<bool(const MethodTraits&)>& holds);

}  // namespace mugrad
