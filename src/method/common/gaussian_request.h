// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/memory.h>
#include <mugrad/data/dataset.h>
#include <mugrad/data/representation.h>
#include <mugrad/method/method.h>
#include <mugrad/method/mgd.h>
#include <mugrad/parallel/thread_pool.h>

#include <cstdint>
#include <optional>

namespace mugrad {

/// The options that Gaussian features depend on.
struct GaussianRequest {
  GaussianOptions features;
  std::uint64_t seed = 1;
  bool in_double = true;  ///< how represented rows are stored
  Threads threads;
};
/// Whether both give the same represented rows.
bool same_features(const GaussianRequest& a, const GaussianRequest& b) noexcept;

/// A method whose settings may ask for Gaussian features.
class TakesGaussian {
 public:
  virtual ~TakesGaussian() = default;
  /// Empty if the values ask for another representation. Throws what `Method::check` throws for
  /// unknown options.
  virtual std::optional<GaussianRequest> gaussian_request(const OptionValues& values,
                                                          Threads threads) const = 0;
};
/// Empty if the method has no Gaussian features, or the values do not ask for them.
std::optional<GaussianRequest> gaussian_request(const Method& method, const OptionValues& values,
                                                Threads threads);

template <class Options>
bool is_gaussian(const Options& options) {
  return options.representation == RepresentationKind::gaussian;
}

template <class Options>
GaussianRequest gaussian_request(const Options& options) {
  GaussianRequest request{
      .features = options.gaussian, .seed = options.seed, .threads = options.threads};
  if constexpr (requires { options.precision; }) {
    request.in_double = options.precision == Precision::double_precision;
  }
  return request;
}

/// The same options for rows that are already represented.
template <class Options>
Options as_represented(Options options) {
  options.representation = RepresentationKind::none;
  return options;
}

/// The shape of the represented rows.
DataShape represented_shape(const DataShape& shape, const GaussianRequest& request);
/// The peak memory of training that takes `inner` for represented rows.
MemoryNeed gaussian_memory(const DataShape& shape, const GaussianRequest& request,
                           const MemoryNeed& inner);

/// memory_need, with Gaussian features if the options ask for them.
template <class Options>
MemoryNeed whole_memory_need(const DataShape& shape, const Options& options) {
  if (!is_gaussian(options)) return memory_need(shape, options);
  const GaussianRequest request = gaussian_request(options);
  return gaussian_memory(shape, request,
                         memory_need(represented_shape(shape, request), as_represented(options)));
}

}  // namespace mugrad
