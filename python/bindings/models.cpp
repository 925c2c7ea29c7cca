// SPDX-License-Identifier: MIT
#include "arrays.h"
#include "bindings.h"
#include "tables.h"
#include "unlocked.h"
#include "watch.h"

#include <mugrad/core/error.h>
#include <mugrad/model/model.h>
#include <mugrad/model/scorer.h>

#include <pybind11/stl/filesystem.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

namespace mugrad::python {
namespace {

template <class Number>
py::array array_of(std::span<const Number> numbers) {
  return py::array_t<Number>(std::ssize(numbers), numbers.data());
}
template <class Number>
py::array array_of(const std::vector<Number>& numbers) {
  return array_of(std::span(numbers));
}

/// A field of a head for Python.
struct FieldToPython {
  template <class Number>
  py::object operator()(std::span<const Number> numbers) const {
    return array_of(numbers);
  }
  py::object operator()(const Matrix<double>* matrix) const { return array_from(*matrix); }
  py::object operator()(const BinaryMatrix* matrix) const { return csr_parts(*matrix); }
  py::object operator()(const Features* features) const { return array_or_csr_parts(*features); }
  template <class Setting>
  py::object operator()(const Setting& word_or_number) const {
    return py::cast(word_or_number);
  }
};

/// How columns of tables become the model's features, or None: they have no names.
py::object table_features_of(const Model& model) {
  const ModelContents& contents = model.contents();
  if (contents.encoding.is_empty()) return py::none();
  return py::cast(TableFeatures{.names = contents.feature_names,
                                .encoding = contents.encoding,
                                .term_blocks = contents.representation.term_blocks});
}

/// The fields of a head by name, as a model file has them.
py::dict head_of(const Model& model) {
  py::dict fields;
  const Head& head = model.contents().head;
  fields["kind"] = kind_of(head);
  for (const auto& [name, value] : fields_of(head)) {
    fields[py::cast(name)] = std::visit(FieldToPython(), value);
  }
  return fields;
}

std::vector<std::string_view> head_kinds() {
  std::vector<std::string_view> kinds;
  for (const Head& head : empty_heads()) kinds.push_back(kind_of(head));
  return kinds;
}

/// What Gaussian features are made of, or None.
py::object gaussian_of(const Representation& representation) {
  if (representation.kind != RepresentationKind::gaussian) return py::none();
  const GaussianFeatures& gaussian = representation.gaussian;
  return py::dict("mean"_a = array_of(representation.mean),
                  "deviation"_a = array_of(representation.deviation),
                  "centres"_a = array_from(gaussian.centres),
                  "projection"_a = array_from(gaussian.projection), "decay"_a = gaussian.decay);
}

/// The parts of rows of p features that are scaled to a length, and their columns: (length,
/// [(begin, end), ...]) each.
py::list parts_of(const ScaledParts& parts, Index features) {
  py::list result;
  for (std::size_t part = 0; part < parts.length.size(); ++part) {
    py::list columns;
    Index begin = 0;
    for (const ScaledParts::Run& run : parts.runs) {
      const Index end = std::min(run.end, features);
      if (run.part == as_index(part) && begin < end) columns.append(py::make_tuple(begin, end));
      begin = end;
    }
    if (!columns.empty()) result.append(py::make_tuple(parts.length[part], columns));
  }
  return result;
}

/// How rows are represented: Gaussian features follow their own, then comes the linear transform.
py::dict transform_of(const Model& model) {
  const Representation& representation = model.contents().representation;
  const FeatureTransform transform = feature_transform(representation);
  const auto or_none = [](const std::vector<double>& numbers) {
    return numbers.empty() ? py::object(py::none()) : py::object(array_of(numbers));
  };
  return py::dict("shift"_a = or_none(transform.shift), "factor"_a = or_none(transform.factor),
                  "parts"_a = parts_of(transform.parts, model.features()),
                  "gaussian"_a = gaussian_of(representation));
}

/// Slopes and shifts, or None.
py::object calibration_of(const Model& model) {
  const Calibration& calibration = model.contents().calibration;
  if (calibration.is_empty()) return py::none();
  return py::make_tuple(array_of(calibration.slope), array_of(calibration.shift));
}

py::array weights_of(const Model& model) {
  return std::visit([](const auto& weights) { return array_from(weights); },
                    model.contents().weights);
}

/// Written where NumPy has them, by the scorer that make_scorer(threads) gives.
template <class MakeScorer>
py::array scored(const Model& model, const py::object& x, int threads,
                 const MakeScorer& make_scorer) {
  const Features features = features_to_score(x);
  py::array_t<double> found({features.rows(), model.labels()});
  const std::span out(found.mutable_data(), as_size(found.size()));
  Watch watch{py::none()};
  watch.run([&] {
    make_scorer(Scorer::threads_for(model, features, features.rows(), Threads{threads}))
        .scores(features, 0, features.rows(), out, &watch);
  });
  return found;
}

py::array scores(const Model& model, const py::object& x, int threads) {
  return scored(model, x, threads, [&](Threads used) { return Scorer(model, used); });
}

py::array linear_scores(const Model& model, const py::object& x, int threads) {
  return scored(model, x, threads, [&](Threads used) { return Scorer::linear(model, used); });
}

py::tuple predict(const Model& model, const py::object& x, int threads) {
  const Features features = features_to_score(x);
  Watch watch{py::none()};
  return csr_parts(watch.run([&] { return model.predict(features, Threads{threads}, &watch); }));
}

py::array top(const Model& model, const py::object& x, Index k, int threads) {
  constexpr Index kBlock = 1024;
  const Features features = features_to_score(x);
  auto choice = LabelChoice::top(k);
  const Index width = std::min(k, model.labels());
  py::array_t<LabelId> found({features.rows(), width});
  LabelId* out = found.mutable_data();
  Watch watch{py::none()};
  watch.run([&] {
    Scorer scorer(model, Scorer::threads_for(model, features, features.rows(), Threads{threads}));
    Matrix<double> block(std::min(kBlock, features.rows()), model.labels());
    for (Index begin = 0; begin < features.rows(); begin += kBlock) {
      const Index end = std::min(begin + kBlock, features.rows());
      scorer.scores(features, begin, end, block, &watch);
      for (Index row = 0; row < end - begin; ++row) {
        out = std::ranges::copy(choice.choose(block.row(row)), out).out;
      }
    }
  });
  return found;
}

void save(const Model& model, const std::filesystem::path& path) {
  try {
    const Unlocked unlocked;
    model.save(path);
  } catch (const InputError& error) {
    PyErr_SetString(PyExc_OSError, error.what());
    throw py::error_already_set();
  }
}

Model load(const std::filesystem::path& path) {
  const Unlocked unlocked;
  return Model::load(path);
}

/// Where the numbers lie that the library reads; a test asks.
std::uintptr_t address_of(const py::object& x) {
  const auto begin = [](const auto& view) -> const void* {
    if constexpr (requires { view.value; }) {
      return view.value;
    } else {
      return view.data;
    }
  };
  return reinterpret_cast<std::uintptr_t>(features_from(x).visit(begin));
}

Model unpickled(const py::bytes& bytes) {
  return Model::from_bytes(static_cast<std::string_view>(bytes), "the pickled model");
}

}  // namespace

void bind_models(py::module_& module) {
  module.def("all_finite", &all_finite, "numbers"_a);
  module.def("address_of", &address_of, "x"_a);
  module.def("is_csr", &is_proper_csr, "x"_a);
  module.def("head_kinds", &head_kinds);
  py::class_<ScoreRange>(module, "ScoreRange")
      .def_readonly("low", &ScoreRange::low)
      .def_readonly("high", &ScoreRange::high)
      .def_readonly("middle", &ScoreRange::middle)
      .def_readonly("is_limit", &ScoreRange::is_limit)
      .def_readonly("are_probabilities", &ScoreRange::are_probabilities);
  const auto contents = [](const Model& model) -> const ModelContents& { return model.contents(); };
  py::class_<Model, std::shared_ptr<Model>>(module, "Model")
      .def_static("load", &load, "path"_a)
      .def("save", &save, "path"_a)
      .def("to_bytes", [](const Model& model) { return py::bytes(model.to_bytes()); })
      .def_static("from_bytes", &unpickled, "bytes"_a)
      .def(py::pickle([](const Model& model) { return py::bytes(model.to_bytes()); }, &unpickled))
      .def_property_readonly("n_features", &Model::features)
      .def_property_readonly("n_labels", &Model::labels)
      .def_property_readonly("feature_names",
                             [=](const Model& model) { return contents(model).feature_names; })
      .def_property_readonly("label_names",
                             [=](const Model& model) { return contents(model).label_names; })
      .def_property_readonly("table_features", &table_features_of)
      .def_property_readonly(
          "feature_means",
          [=](const Model& model) { return array_of(contents(model).representation.mean); })
      .def_property_readonly("feature_transform", &transform_of)
      .def_property_readonly("weights", &weights_of)
      .def_property_readonly(
          "intercepts", [=](const Model& model) { return array_of(contents(model).intercepts); })
      .def_property_readonly(
          "thresholds", [=](const Model& model) { return array_of(contents(model).thresholds); })
      .def_property_readonly("calibration", &calibration_of)
      .def_property_readonly("head_range",
                             [=](const Model& model) { return score_range(contents(model).head); })
      .def_property_readonly("head", &head_of)
      .def_property_readonly("head_kind",
                             [=](const Model& model) { return kind_of(contents(model).head); })
      .def_property_readonly(
          "has_linear_scores",
          [=](const Model& model) { return has_linear_scores(contents(model).head); })
      .def_property_readonly("score_range",
                             [=](const Model& model) { return score_range(contents(model)); })
      .def_property_readonly(
          "relations", [=](const Model& model) { return csr_parts(contents(model).relations); })
      .def_property_readonly("options", [=](const Model& model) { return contents(model).options; })
      .def_property_readonly("report_json",
                             [=](const Model& model) { return json_text(contents(model).report); })
      .def("with_thresholds", &Model::with_thresholds, "thresholds"_a)
      .def("scores", &scores, "x"_a, "threads"_a = 0)
      .def("linear_scores", &linear_scores, "x"_a, "threads"_a = 0)
      .def("predict", &predict, "x"_a, "threads"_a = 0)
      .def("top", &top, "x"_a, "k"_a, "threads"_a = 0);
}

}  // namespace mugrad::python
