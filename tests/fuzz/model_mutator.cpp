// SPDX-License-Identifier: MIT
// Changes model files so that most of them get past the checks of the safetensors layout: bytes of
// a tensor, its shape with its bytes, a text of the metadata, or the header as text, each with the
// lengths and offsets put right again.
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

using Json = nlohmann::json;
using Random = std::minstd_rand;

constexpr const char* kMetadata = "__metadata__";

std::size_t below(Random& random, std::size_t bound) { return random() % bound; }

std::string mutated(std::string text, std::size_t most) {
  const std::size_t size = text.size();
  most = std::max(most, size);
  text.resize(most);
  text.resize(LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(text.data()), size, most));
  return text;
}

struct Tensor {
  std::string name, dtype;
  std::vector<std::uint64_t> shape;
  std::string bytes;

  std::size_t type_bytes() const { return dtype == "F32" || dtype == "I32" ? 4 : 8; }
};

/// A model file taken apart.
struct File {
  Json metadata;
  std::vector<Tensor> tensors;
};

std::string with_length(std::string header, const std::string& data) {
  header.append((8 - header.size() % 8) % 8, ' ');
  const std::uint64_t length = header.size();
  std::string file(sizeof length, '\0');
  std::memcpy(file.data(), &length, sizeof length);
  return file + header + data;
}

std::string put_together(const File& file) {
  Json header = {{kMetadata, file.metadata}};
  std::string data;
  for (const auto& tensor : file.tensors) {
    header[tensor.name] = {{"dtype", tensor.dtype},
                           {"shape", tensor.shape},
                           {"data_offsets", {data.size(), data.size() + tensor.bytes.size()}}};
    data += tensor.bytes;
  }
  return with_length(header.dump(-1, ' ', false, Json::error_handler_t::replace), data);
}

/// The header and what follows it; none for what is no model file at all.
std::optional<std::pair<std::string_view, std::string_view>> halves_of(std::string_view bytes) {
  std::uint64_t length = 0;
  if (bytes.size() < sizeof length) return std::nullopt;
  std::memcpy(&length, bytes.data(), sizeof length);
  bytes.remove_prefix(sizeof length);
  if (length > bytes.size()) return std::nullopt;
  return std::pair(bytes.substr(0, length), bytes.substr(length));
}

/// A number that was mutated may be anything; a large one cannot be converted.
std::uint64_t whole_number(const Json& value) {
  return value.is_number_unsigned() ? value.get<std::uint64_t>() : 0;
}

std::vector<std::uint64_t> whole_numbers(const Json& values) {
  std::vector<std::uint64_t> numbers;
  for (const auto& value : values) numbers.push_back(whole_number(value));
  return numbers;
}

std::optional<File> taken_apart(std::string_view bytes) {
  const auto halves = halves_of(bytes);
  if (!halves) return std::nullopt;
  try {
    const auto header = Json::parse(halves->first);
    File file{.metadata = header.at(kMetadata), .tensors = {}};
    for (const auto& [name, value] : header.items()) {
      if (name == kMetadata) continue;
      const std::uint64_t begin = whole_number(value.at("data_offsets").at(0));
      const std::uint64_t end = whole_number(value.at("data_offsets").at(1));
      if (begin > end || end > halves->second.size()) return std::nullopt;
      file.tensors.push_back({.name = name,
                              .dtype = value.at("dtype"),
                              .shape = whole_numbers(value.at("shape")),
                              .bytes = std::string(halves->second.substr(begin, end - begin))});
    }
    return file;
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

template <class Number>
Number special(Random& random);
template <>
double special<double>(Random& random) {
  constexpr std::array kNumbers = {0.0,  -1.0,  0.5,     1.0,   1e-310,
                                   1e38, 1e200, 1.7e308, 1e999, -1e999};
  return kNumbers[below(random, kNumbers.size())];
}
template <>
float special<float>(Random& random) {
  return static_cast<float>(special<double>(random));
}
template <>
std::int64_t special<std::int64_t>(Random& random) {
  constexpr std::array<std::int64_t, 8> kNumbers = {-1,        0,        1, 2, 3, INT64_C(1) << 31,
                                                    INT64_MAX, INT64_MIN};
  return kNumbers[below(random, kNumbers.size())];
}
template <>
std::int32_t special<std::int32_t>(Random& random) {
  return static_cast<std::int32_t>(special<std::int64_t>(random));
}

/// Puts a number of its type somewhere into a tensor.
template <class Number>
void poke(Tensor& tensor, Random& random) {
  const auto number = special<Number>(random);
  const auto place = below(random, tensor.bytes.size() / sizeof number) * sizeof number;
  std::memcpy(tensor.bytes.data() + place, &number, sizeof number);
}

void change_bytes(Tensor& tensor, Random& random) {
  if (tensor.bytes.size() < tensor.type_bytes()) return;
  if (random() % 2 == 0) {
    const auto size = tensor.bytes.size();
    tensor.bytes = mutated(tensor.bytes, size);
    tensor.bytes.resize(size);
  } else if (tensor.dtype == "F64") {
    poke<double>(tensor, random);
  } else if (tensor.dtype == "F32") {
    poke<float>(tensor, random);
  } else if (tensor.dtype == "I64") {
    poke<std::int64_t>(tensor, random);
  } else if (tensor.dtype == "I32") {
    poke<std::int32_t>(tensor, random);
  }
}

/// Another size of one side, with as many bytes as that needs.
void change_shape(Tensor& tensor, Random& random) {
  if (tensor.shape.empty()) return;
  constexpr std::uint64_t kMostEntries = 4096;
  auto& side = tensor.shape[below(random, tensor.shape.size())];
  side = random() % 2 == 0 ? below(random, 8) : side + 1;
  std::uint64_t entries = 1;
  for (const auto size : tensor.shape) entries *= std::min(size, kMostEntries);
  tensor.bytes.resize(std::min(entries, kMostEntries) * tensor.type_bytes());
}

/// The label names and the numbers of all that is counted by labels, features or columns must
/// agree: changes one size wherever it occurs.
void change_size_everywhere(File& file, Random& random) {
  auto& chosen = file.tensors[below(random, file.tensors.size())];
  if (chosen.shape.empty()) return;
  const auto old_size = chosen.shape[below(random, chosen.shape.size())];
  const auto new_size = random() % 2 == 0 ? below(random, 6) : old_size + 1;
  for (auto& tensor : file.tensors) {
    std::uint64_t entries = 1;
    for (auto& size : tensor.shape) {
      if (size == old_size) size = new_size;
      if (size == old_size + 1) size = new_size + 1;
      entries *= std::min<std::uint64_t>(size, 4096);
    }
    tensor.bytes.resize(std::min<std::uint64_t>(entries, 4096) * tensor.type_bytes());
  }
  for (const char* names : {"features", "labels"}) file.metadata[names] = "[]";
}

void change_metadata(File& file, Random& random, std::size_t most) {
  if (!file.metadata.is_object() || file.metadata.empty()) return;
  auto entry = file.metadata.begin();
  std::advance(entry, static_cast<std::ptrdiff_t>(below(random, file.metadata.size())));
  if (entry->is_string()) *entry = mutated(entry->get<std::string>(), most);
}

std::string changed(std::string_view bytes, Random& random, std::size_t most) {
  auto file = taken_apart(bytes);
  const auto halves = halves_of(bytes);
  const auto choice = below(random, 16);
  if (!halves || choice == 0) return mutated(std::string(bytes), most);
  if (!file || file->tensors.empty() || choice == 1) {
    return with_length(mutated(std::string(halves->first), halves->first.size() + 64),
                       std::string(halves->second));
  }
  for (std::size_t times = 1 + below(random, 3); times > 0; --times) {
    auto& tensor = file->tensors[below(random, file->tensors.size())];
    if (choice < 9) change_bytes(tensor, random);
    if (choice >= 9 && choice < 11) change_shape(tensor, random);
    if (choice >= 11 && choice < 13) change_size_everywhere(*file, random);
    if (choice >= 13) change_metadata(*file, random, 512);
  }
  return put_together(*file);
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned int seed) {
  Random random(seed);
  std::string result = changed({reinterpret_cast<const char*>(data), size}, random, most);
  if (result.size() > most) return size;
  std::memcpy(data, result.data(), result.size());
  return result.size();
}
