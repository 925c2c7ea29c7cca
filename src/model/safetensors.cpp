// SPDX-License-Identifier: MIT
#include "model/safetensors.h"

#include "core/json.h"

#include <mugrad/core/error.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>

namespace mugrad::safetensors {
namespace {

using nlohmann::json;

static_assert(std::endian::native == std::endian::little,
              "tensors are stored little-endian and copied without swapping bytes");

constexpr std::size_t kLengthBytes = 8;
constexpr const char* kMetadata = "__metadata__";

constexpr std::array<std::pair<std::string_view, std::uint64_t>, 15> kTypeBytes = {{
    {"BOOL", 1},
    {"U8", 1},
    {"I8", 1},
    {"F8_E5M2", 1},
    {"F8_E4M3", 1},
    {"I16", 2},
    {"U16", 2},
    {"F16", 2},
    {"BF16", 2},
    {"I32", 4},
    {"U32", 4},
    {"F32", 4},
    {"I64", 8},
    {"U64", 8},
    {"F64", 8},
}};

/// 0 for an unknown type.
std::uint64_t type_bytes(std::string_view dtype) {
  for (const auto& [name, bytes] : kTypeBytes) {
    if (name == dtype) return bytes;
  }
  return 0;
}

std::uint64_t header_length(std::string_view bytes) {
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), kLengthBytes);
  return length;
}

/// A tensor with its position in the data.
struct Placed {
  std::string name;
  Tensor tensor;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

/// Reads one file; every message starts with its name.
class Parser {
 public:
  Parser(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  Contents parse() {
    const json header = parse_header();
    Contents contents;
    std::vector<Placed> placed;
    for (const auto& [key, value] : header.items()) {
      if (key == kMetadata) {
        contents.metadata = metadata_of(value);
      } else {
        placed.push_back(placed_tensor(key, value));
      }
    }
    view_bytes(placed);
    for (auto& [key, tensor, begin, end] : placed) {
      contents.tensors.emplace(std::move(key), std::move(tensor));
    }
    return contents;
  }

 private:
  [[noreturn]] void refuse(const std::string& reason) const {
    throw InputError(fmt::format("{} is not a Mugrad model: {}", name_, reason));
  }

  [[noreturn]] void refuse_cut_short(std::uint64_t expected) const {
    throw InputError(fmt::format("{} is truncated: {} bytes expected, {} found", name_, expected,
                                 bytes_.size()));
  }

  json parse_header() {
    if (bytes_.size() < kLengthBytes) {
      refuse(fmt::format("it has {} bytes, but the length of its header alone takes {}",
                         bytes_.size(), kLengthBytes));
    }
    const std::uint64_t length = header_length(bytes_);
    if (length > kLongestHeader) refuse("it does not start with the length of a header");
    if (length > bytes_.size() - kLengthBytes) refuse_cut_short(kLengthBytes + length);
    const std::string_view text = bytes_.substr(kLengthBytes, length);
    data_ = bytes_.substr(kLengthBytes + length);
    if (!text.starts_with('{')) refuse("its header is not a JSON object");
    try {
      return parse_json(text);
    } catch (const InputError& error) {
      refuse(fmt::format("its header {}", error.what()));
    }
  }

  std::map<std::string, std::string> metadata_of(const json& value) const {
    std::map<std::string, std::string> metadata;
    if (!value.is_object()) refuse("its metadata is not a JSON object");
    for (const auto& [key, text] : value.items()) {
      if (!text.is_string()) refuse(fmt::format("its metadata '{}' is not a string", key));
      metadata.emplace(key, text.get<std::string>());
    }
    return metadata;
  }

  Placed placed_tensor(const std::string& name, const json& value) const {
    const auto is_whole = [](const json& number) { return number.is_number_unsigned(); };
    const bool complete = value.is_object() && value.size() == 3 && value.contains("dtype") &&
                          value.contains("shape") && value.contains("data_offsets");
    if (!complete) {
      refuse(fmt::format("tensor '{}' must have dtype, shape and data_offsets, and no more", name));
    }
    const json& dtype = value["dtype"];
    if (!dtype.is_string() || type_bytes(dtype.get<std::string>()) == 0) {
      refuse(fmt::format("tensor '{}' has the unknown type {}", name, dtype.dump()));
    }
    const json& shape = value["shape"];
    if (!shape.is_array() || !std::all_of(shape.begin(), shape.end(), is_whole)) {
      refuse(fmt::format("the shape of tensor '{}' must list whole numbers >= 0", name));
    }
    const json& offsets = value["data_offsets"];
    if (!offsets.is_array() || offsets.size() != 2 ||
        !std::all_of(offsets.begin(), offsets.end(), is_whole)) {
      refuse(fmt::format("the data_offsets of tensor '{}' must be two whole numbers >= 0", name));
    }
    Placed placed{.name = name,
                  .tensor = {.dtype = dtype, .shape = {}, .bytes = {}},
                  .begin = offsets[0],
                  .end = offsets[1]};
    check_size(placed, shape);
    placed.tensor.shape.assign(shape.begin(), shape.end());
    return placed;
  }

  /// Checks that the offsets are in order, match the shape, and do not overflow.
  void check_size(const Placed& placed, const json& shape) const {
    constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<Index>::max()) / 2;
    std::uint64_t expected = type_bytes(placed.tensor.dtype);
    for (const std::uint64_t size : shape) {
      if (size > kMost || (size > 0 && expected > kMost / size)) {
        refuse(fmt::format("the shape of tensor '{}' is larger than any file", placed.name));
      }
      expected *= size;
    }
    if (placed.begin > placed.end || placed.end > kMost) {
      refuse(fmt::format("the data_offsets of tensor '{}' are out of range", placed.name));
    }
    if (placed.end - placed.begin != expected) {
      refuse(fmt::format("tensor '{}' has {} bytes, but its shape and type require {}", placed.name,
                         placed.end - placed.begin, expected));
    }
  }

  /// Checks that the tensors are contiguous and fill the file, and sets their bytes.
  void view_bytes(std::vector<Placed>& tensors) const {
    std::sort(tensors.begin(), tensors.end(), [](const Placed& a, const Placed& b) {
      return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
    });
    std::uint64_t next = 0;
    for (const auto& tensor : tensors) {
      if (tensor.begin < next) refuse(fmt::format("tensor '{}' overlaps another", tensor.name));
      if (tensor.begin > next)
        refuse(fmt::format("there is a gap before tensor '{}'", tensor.name));
      next = tensor.end;
    }
    if (next > data_.size()) refuse_cut_short(bytes_.size() - data_.size() + next);
    if (next < data_.size()) {
      refuse(fmt::format("{} bytes follow its last tensor", data_.size() - next));
    }
    for (auto& tensor : tensors) {
      tensor.tensor.bytes = data_.substr(tensor.begin, tensor.end - tensor.begin);
    }
  }

  std::string_view bytes_;
  std::string_view data_;  ///< the bytes after the header
  const std::string& name_;
};

}  // namespace

Contents parse(std::string_view bytes, const std::string& name) {
  return Parser(bytes, name).parse();
}

std::string_view plausible_header(std::string_view bytes) {
  if (bytes.size() <= kLengthBytes || header_length(bytes) > kLongestHeader) return {};
  const auto header = bytes.substr(kLengthBytes, header_length(bytes));
  return header.starts_with('{') ? header : std::string_view{};
}

std::uint64_t bytes_of(const Tensor& tensor) {
  std::uint64_t bytes = type_bytes(tensor.dtype);
  for (const Index size : tensor.shape) bytes *= static_cast<std::uint64_t>(size);
  return bytes;
}

Layout layout_of(const Contents& contents, const std::string& name) {
  Layout layout;
  for (const auto& [key, tensor] : contents.tensors) layout.order.emplace_back(key, &tensor);
  // Wide types first, so that every tensor is aligned to its type.
  std::stable_sort(layout.order.begin(), layout.order.end(), [](const auto& a, const auto& b) {
    return type_bytes(a.second->dtype) > type_bytes(b.second->dtype);
  });

  json header = json::object();
  header[kMetadata] = contents.metadata;
  std::uint64_t offset = 0;
  for (const auto& [key, tensor] : layout.order) {
    const std::uint64_t end = offset + bytes_of(*tensor);
    header[key] = {
        {"dtype", tensor->dtype}, {"shape", tensor->shape}, {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string text = header.dump();
  text.append((kLengthBytes - text.size() % kLengthBytes) % kLengthBytes, ' ');
  if (text.size() > kLongestHeader) {
    throw InputError(fmt::format("cannot write {}: its names take {} bytes, {} are the most", name,
                                 text.size(), kLongestHeader));
  }
  const std::uint64_t length = text.size();
  std::array<char, kLengthBytes> length_bytes;
  std::memcpy(length_bytes.data(), &length, kLengthBytes);
  layout.head.assign(length_bytes.data(), length_bytes.size());
  layout.head += text;
  return layout;
}

void write(const Contents& contents, const Sink& out, const std::string& name) {
  const Layout layout = layout_of(contents, name);
  out(layout.head);
  for (const auto& [key, tensor] : layout.order) out(tensor->bytes);
}

}  // namespace mugrad::safetensors
