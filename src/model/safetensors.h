// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/types.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// The safetensors layout: the length of the header as 8 bytes, little-endian; the header, JSON
/// padded with spaces; then the numbers of all tensors.
namespace mugrad::safetensors {

struct Tensor {
  std::string dtype;         ///< F32, F64, I32, I64, ...
  std::vector<Index> shape;  ///< non-negative
  std::string_view bytes;    ///< of the size given by dtype and shape; may be unaligned
};

struct Contents {
  std::map<std::string, std::string> metadata;
  std::map<std::string, Tensor> tensors;
};

/// Maximum size of a header, as in other implementations.
inline constexpr std::uint64_t kLongestHeader = 100'000'000;

/// The tensors view `bytes`. Throws InputError, starting with `name`, for everything that other
/// readers may reject: a header that is not a JSON object, has a duplicate key or an unknown type;
/// tensors that overlap, leave a gap or bytes at the end, or whose shape contradicts their size.
Contents parse(std::string_view bytes, const std::string& name);

/// The header, as far as present, if the file may have this layout by its beginning; otherwise
/// empty.
std::string_view plausible_header(std::string_view bytes);

/// Receives the bytes of a file in pieces.
using Sink = std::function<void(std::string_view bytes)>;

/// The size given by dtype and shape.
std::uint64_t bytes_of(const Tensor& tensor);

/// The order in which contents are written: a header, then these tensors.
struct Layout {
  std::string head;
  std::vector<std::pair<std::string, const Tensor*>> order;  ///< tensors of the contents
};

/// The order depends only on the contents and aligns every tensor to its type; the bytes of the
/// tensors are not read. Throws InputError, naming `name`, if the header would be too long.
Layout layout_of(const Contents& contents, const std::string& name);

/// Writes the contents in this layout.
void write(const Contents& contents, const Sink& out, const std::string& name);

}  // namespace mugrad::safetensors
