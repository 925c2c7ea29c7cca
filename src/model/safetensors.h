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
/// padded with spaces; the numbers of all tensors, one after the other.
namespace mugrad::safetensors {

struct Tensor {
  std::string dtype;         ///< F32, F64, I32, I64, ...
  std::vector<Index> shape;  ///< none negative
  std::string_view bytes;    ///< as long as dtype and shape say; may begin at any address
};

struct Contents {
  std::map<std::string, std::string> metadata;
  std::map<std::string, Tensor> tensors;
};

/// The most bytes a header may have, as in other implementations.
inline constexpr std::uint64_t kLongestHeader = 100'000'000;

/// The tensors view `bytes`. Throws InputError, starting with `name`, for everything that other
/// readers may refuse: a header that is no JSON object, has a key twice or an unknown type,
/// tensors that overlap, leave a gap or bytes at the end, or whose shape contradicts their size.
Contents parse(std::string_view bytes, const std::string& name);

/// Whether the file may be of this layout, judging by its beginning; the header as far as it is
/// there, or empty.
std::string_view plausible_header(std::string_view bytes);

/// Takes the bytes of a file, piece after piece.
using Sink = std::function<void(std::string_view bytes)>;

/// What dtype and shape make.
std::uint64_t bytes_of(const Tensor& tensor);

/// How contents are written: a head, then the tensors in this order.
struct Layout {
  std::string head;
  std::vector<std::pair<std::string, const Tensor*>> order;  ///< they are the contents'
};

/// The order depends on the contents only and aligns every tensor to its type; the tensors' bytes
/// are not looked at. Throws InputError, naming `name`, when the header would be too long.
Layout layout_of(const Contents& contents, const std::string& name);

/// Writes contents so laid out.
void write(const Contents& contents, const Sink& out, const std::string& name);

}  // namespace mugrad::safetensors
