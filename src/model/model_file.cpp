// SPDX-License-Identifier: MIT
#include "core/atomic_file.h"
#include "core/mapped_file.h"
#include "linalg/nearest_rows.h"
#include "model/head_checks.h"
#include "model/metadata.h"
#include "model/model_frame.h"
#include "model/safetensors.h"

#include <mugrad/core/error.h>
#include <mugrad/model/model.h>

#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <set>
#include <span>
#include <type_traits>
#include <utility>

namespace mugrad {
namespace {

using safetensors::Tensor;
using Tensors = std::map<std::string, Tensor>;

template <class Number>
constexpr const char* dtype_of() {
  if constexpr (std::is_same_v<Number, float>) return "F32";
  if constexpr (std::is_same_v<Number, double>) return "F64";
  if constexpr (std::is_same_v<Number, std::int32_t>) return "I32";
  if constexpr (std::is_same_v<Number, std::int64_t>) return "I64";
}

template <class Number>
Tensor tensor_of(std::span<const Number> numbers, const std::vector<Index>& shape) {
  return {.dtype = dtype_of<Number>(),
          .shape = shape,
          .bytes = {reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()}};
}

template <class Number>
Tensor tensor_of(std::span<const Number> numbers) {
  return tensor_of(numbers, {std::ssize(numbers)});
}

template <class Number>
Tensor tensor_of(const std::vector<Number>& numbers) {
  return tensor_of(std::span(numbers));
}

template <class Real>
Tensor tensor_of(const Matrix<Real>& matrix) {
  return tensor_of(matrix.values(), {matrix.rows(), matrix.cols()});
}

/// The tensors of a field of a head, named after it.
class FieldTensors {
 public:
  FieldTensors(std::string_view field, Tensors& tensors)
      : name_("head." + std::string(field)), tensors_(tensors) {}

  template <class Number>
  void operator()(std::span<const Number> numbers) const {
    tensors_[name_] = tensor_of(numbers);
  }
  void operator()(const Matrix<double>* matrix) const { tensors_[name_] = tensor_of(*matrix); }
  void operator()(const BinaryMatrix* matrix) const {
    tensors_[name_ + ".row_start"] = tensor_of(matrix->row_start);
    tensors_[name_ + ".label"] = tensor_of(matrix->column);
  }
  void operator()(const Features* features) const {
    features->visit([&](const auto& x) { add(x); });
  }
  // These are in the metadata.
  void operator()(std::string_view) const {}
  void operator()(double) const {}
  void operator()(Index) const {}

 private:
  template <class Real>
  void add(const DenseView<Real>& x) const {
    tensors_[name_] = tensor_of(std::span(x.data, as_size(x.rows * x.cols)), {x.rows, x.cols});
  }
  template <class Real>
  void add(const CsrView<Real>& x) const {
    const auto stored = as_size(x.pattern().stored());
    tensors_[name_ + ".row_start"] = tensor_of(std::span(x.row_start, as_size(x.rows) + 1));
    tensors_[name_ + ".feature"] = tensor_of(std::span(x.column, stored));
    tensors_[name_ + ".value"] = tensor_of(std::span(x.value, stored));
  }

  std::string name_;
  Tensors& tensors_;
};

/// The tensors of a model; they view the contents.
Tensors tensors_of(const ModelContents& contents) {
  const auto weights =
      std::visit([](const auto& matrix) { return tensor_of(matrix); }, contents.weights);
  Tensors tensors = {{"weights", weights},
                     {"intercepts", tensor_of(contents.intercepts)},
                     {"thresholds", tensor_of(contents.thresholds)},
                     {"feature_mean", tensor_of(contents.representation.mean)},
                     {"feature_deviation", tensor_of(contents.representation.deviation)},
                     {"relations.row_start", tensor_of(contents.relations.row_start)},
                     {"relations.label", tensor_of(contents.relations.column)},
                     {"relations.strength", tensor_of(contents.relations.value)}};
  if (!contents.calibration.is_empty()) {
    tensors["calibration.slope"] = tensor_of(contents.calibration.slope);
    tensors["calibration.shift"] = tensor_of(contents.calibration.shift);
  }
  if (!contents.representation.term_weight.empty()) {
    tensors["term_weight"] = tensor_of(contents.representation.term_weight);
  }
  if (const auto& texts = contents.representation.term_blocks; !texts.empty()) {
    tensors["term_blocks"] = {
        .dtype = dtype_of<Index>(),
        .shape = {std::ssize(texts), 2},
        .bytes = {reinterpret_cast<const char*>(texts.data()), std::span(texts).size_bytes()}};
  }
  if (contents.representation.kind == RepresentationKind::gaussian) {
    const GaussianFeatures& gaussian = contents.representation.gaussian;
    tensors["gaussian.centres"] = tensor_of(gaussian.centres);
    tensors["gaussian.projection"] = tensor_of(gaussian.projection);
  }
  if (const Curvature& curvature = contents.curvature; !curvature.is_empty()) {
    tensors["curvature"] = tensor_of(curvature.diagonal);
    tensors["curvature.examples"] = tensor_of(curvature.examples);
    if (curvature.factor.rows() > 0) tensors["curvature.factor"] = tensor_of(curvature.factor);
  }
  for (const auto& [name, value] : fields_of(contents.head)) {
    std::visit(FieldTensors(name, tensors), value);
  }
  return tensors;
}

/// Takes tensors out of a file one by one; the remaining ones are errors.
class TensorSource {
 public:
  explicit TensorSource(Tensors tensors) : tensors_(std::move(tensors)) {}

  Tensor take(const std::string& name, std::size_t dimensions) {
    const auto node = tensors_.extract(name);
    if (node.empty()) throw InputError(fmt::format("the tensor '{}' is missing", name));
    if (node.mapped().shape.size() != dimensions) {
      throw InputError(fmt::format("the tensor '{}' must have {} dimensions, not {}", name,
                                   dimensions, node.mapped().shape.size()));
    }
    return node.mapped();
  }

  bool has(const std::string& name) const { return tensors_.contains(name); }

  template <class Number>
  void take_vector(const std::string& name, std::vector<Number>& out) {
    const Tensor tensor = take(name, 1);
    if (tensor.dtype != dtype_of<Number>()) {
      throw InputError(fmt::format("the tensor '{}' must have the type {}, not {}", name,
                                   dtype_of<Number>(), tensor.dtype));
    }
    out.resize(as_size(tensor.shape[0]));
    copy(tensor, out.data());
  }

  template <class Number>
  static void copy(const Tensor& tensor, Number* out) {
    if (!tensor.bytes.empty()) std::memcpy(out, tensor.bytes.data(), tensor.bytes.size());
  }

  void check_nothing_left() const {
    if (!tensors_.empty()) {
      throw InputError(
          fmt::format("the tensor '{}' does not belong in a model", tensors_.begin()->first));
    }
  }

 private:
  Tensors tensors_;
};

template <class Real>
Matrix<Real> matrix_of(const Tensor& tensor) {
  Matrix<Real> matrix(tensor.shape[0], tensor.shape[1]);
  TensorSource::copy(tensor, matrix.data());
  return matrix;
}

void read_weights(const Tensor& tensor, ModelContents& contents) {
  if (tensor.dtype == dtype_of<float>()) {
    contents.weights = matrix_of<float>(tensor);
  } else if (tensor.dtype == dtype_of<double>()) {
    contents.weights = matrix_of<double>(tensor);
  } else {
    throw InputError(
        fmt::format("the tensor 'weights' must have the type F32 or F64, not {}", tensor.dtype));
  }
}

static_assert(sizeof(TermBlock) == 2 * sizeof(Index));

void read_texts(const Tensor& tensor, std::vector<TermBlock>& texts) {
  if (tensor.dtype != dtype_of<Index>() || tensor.shape[1] != 2) {
    throw InputError(
        fmt::format("the tensor 'term_blocks' must have the type I64 and 2 columns, not {} and {}",
                    tensor.dtype, tensor.shape[1]));
  }
  texts.resize(as_size(tensor.shape[0]));
  if (!tensor.bytes.empty()) std::memcpy(texts.data(), tensor.bytes.data(), tensor.bytes.size());
}

template <class Real = double>
Matrix<Real> take_matrix(const std::string& name, TensorSource& source) {
  const Tensor tensor = source.take(name, 2);
  if (tensor.dtype != dtype_of<Real>()) {
    throw InputError(fmt::format("the tensor '{}' must have the type {}, not {}", name,
                                 dtype_of<Real>(), tensor.dtype));
  }
  return matrix_of<Real>(tensor);
}

void read_curvature(TensorSource& source, Curvature& curvature) {
  if (!source.has("curvature")) return;
  curvature.diagonal = take_matrix<float>("curvature", source);
  source.take_vector("curvature.examples", curvature.examples);
  if (source.has("curvature.factor")) {
    curvature.factor = take_matrix<float>("curvature.factor", source);
  }
}

/// Fills in the fields of a head.
class HeadReader {
 public:
  HeadReader(TensorSource& source, Index labels, Index features)
      : source_(source), labels_(labels), features_(features) {}

  template <class Number>
  void operator()(std::string_view name, std::vector<Number>& numbers) const {
    source_.take_vector(tensor_name(name), numbers);
  }
  void operator()(std::string_view name, Matrix<double>& matrix) const {
    matrix = take_matrix(tensor_name(name), source_);
  }
  void operator()(std::string_view name, BinaryMatrix& matrix) const {
    matrix.cols = labels_;
    source_.take_vector(tensor_name(name) + ".row_start", matrix.row_start);
    source_.take_vector(tensor_name(name) + ".label", matrix.column);
  }
  /// Dense features are one tensor, sparse ones three.
  void operator()(std::string_view name, Features& features) const {
    if (source_.has(tensor_name(name))) {
      Matrix<double> dense;
      (*this)(name, dense);
      features = shared_features(std::move(dense));
      return;
    }
    CsrMatrix<double> sparse{.cols = features_};
    source_.take_vector(tensor_name(name) + ".row_start", sparse.row_start);
    source_.take_vector(tensor_name(name) + ".feature", sparse.column);
    source_.take_vector(tensor_name(name) + ".value", sparse.value);
    check_starts(name, sparse.row_start, sparse.nonzeros());
    check_size(fmt::format("values of {}", name), std::ssize(sparse.value), sparse.nonzeros());
    features = shared_features(std::move(sparse));
  }
  template <Setting Field>
  void operator()(std::string_view, Field&) const {}

 private:
  static std::string tensor_name(std::string_view field) { return "head." + std::string(field); }

  TensorSource& source_;
  Index labels_;
  Index features_;
};

ModelContents contents_of(safetensors::Contents file) {
  ModelContents contents;
  read_metadata(file.metadata, contents);
  TensorSource source(std::move(file.tensors));
  read_weights(source.take("weights", 2), contents);
  source.take_vector("intercepts", contents.intercepts);
  source.take_vector("thresholds", contents.thresholds);
  source.take_vector("feature_mean", contents.representation.mean);
  source.take_vector("feature_deviation", contents.representation.deviation);
  if (source.has("calibration.slope")) {
    source.take_vector("calibration.slope", contents.calibration.slope);
    source.take_vector("calibration.shift", contents.calibration.shift);
  }
  if (source.has("term_blocks")) {
    read_texts(source.take("term_blocks", 2), contents.representation.term_blocks);
  }
  if (contents.representation.kind == RepresentationKind::tfidf ||
      !contents.representation.term_blocks.empty()) {
    source.take_vector("term_weight", contents.representation.term_weight);
  }
  if (contents.representation.kind == RepresentationKind::gaussian) {
    contents.representation.gaussian.centres = take_matrix("gaussian.centres", source);
    contents.representation.gaussian.projection = take_matrix("gaussian.projection", source);
  }
  read_curvature(source, contents.curvature);
  source.take_vector("relations.row_start", contents.relations.row_start);
  source.take_vector("relations.label", contents.relations.column);
  source.take_vector("relations.strength", contents.relations.value);
  const auto labels = std::ssize(contents.thresholds);
  contents.relations.cols = labels;
  visit_fields(contents.head,
               HeadReader(source, labels, represented_features(contents.representation)));
  source.check_nothing_left();
  return contents;
}

}  // namespace

void Model::save(const std::filesystem::path& path) const {
  AtomicFile file(path);
  safetensors::write(
      {.metadata = metadata_of(contents_), .tensors = tensors_of(contents_)},
      [&](std::string_view bytes) { file.write(bytes); }, path.string());
  file.commit();
}

ModelFrame frame_of(const ModelContents& contents, bool is_double, Index features,
                    const std::string& name) {
  auto tensors = tensors_of(contents);
  tensors["weights"] = {.dtype = is_double ? dtype_of<double>() : dtype_of<float>(),
                        .shape = {features, std::ssize(contents.intercepts)},
                        .bytes = {}};
  std::set<std::string> left_out = {"weights"};
  const auto& relations = contents.relations;
  if (relations.column.empty() && relations.row_start.back() > 0) {
    for (const char* key : {"relations.label", "relations.strength"}) {
      tensors[key].shape = {relations.row_start.back()};
      left_out.insert(key);
    }
  }
  const safetensors::Contents all{.metadata = metadata_of(contents), .tensors = tensors};
  auto layout = safetensors::layout_of(all, name);
  ModelFrame frame;
  auto at = std::ssize(layout.head);
  frame.pieces.push_back({.begin = 0, .bytes = std::move(layout.head)});
  for (const auto& [key, tensor] : layout.order) {
    if (left_out.contains(key)) {
      frame.begins[key] = at;
    } else {
      frame.pieces.push_back({.begin = at, .bytes = std::string(tensor->bytes)});
    }
    at += as_index(safetensors::bytes_of(*tensor));
  }
  return frame;
}

std::string Model::to_bytes() const {
  std::string all;
  safetensors::write(
      {.metadata = metadata_of(contents_), .tensors = tensors_of(contents_)},
      [&](std::string_view bytes) { all += bytes; }, "a model");
  return all;
}

Model Model::load(const std::filesystem::path& path) {
  const MappedFile file(path);
  return file.while_whole([&] { return from_bytes(file.bytes(), path.string()); });
}

Model Model::from_bytes(std::string_view bytes, const std::string& name) {
  auto parsed = safetensors::parse(bytes, name);
  check_format(parsed.metadata, name);
  try {
    return Model(contents_of(std::move(parsed)));
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", name, error.what()));
  }
}

bool looks_like_model(const std::filesystem::path& path) {
  // Reading from a pipe would consume its data.
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return false;
  const MappedFile file(path);
  return file.while_whole([&] {
    return safetensors::plausible_header(file.bytes()).find("mugrad-model") !=
           std::string_view::npos;
  });
}

}  // namespace mugrad
