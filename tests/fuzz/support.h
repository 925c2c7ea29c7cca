// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/error.h>

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

namespace mugrad::fuzz {

/// Something that must hold for every input does not.
class Broken : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

inline void require(bool holds, const char* what) {
  if (!holds) throw Broken(what);
}

/// Runs `attack`. A refusal with a message is what hostile input deserves; returns whether there
/// was none.
template <class Attack>
bool accepted(Attack&& attack) {
  try {
    attack();
    return true;
  } catch (const Error& refusal) {
    require(!std::string_view(refusal.what()).empty(), "a refusal has no message");
    return false;
  }
}

/// Writes the bytes to a file of this name in a folder of this process, for what reads paths.
std::filesystem::path file_of(std::string_view name, std::string_view bytes);
/// A path in the same folder, where no file is.
std::filesystem::path free_path(std::string_view name);
/// The bytes of a file.
std::string bytes_of(const std::filesystem::path& path);

/// Makes values of the bytes of an input, in order; zeros and empty texts when they run out.
class Choices {
 public:
  explicit Choices(std::string_view input) : left_(input) {}

  bool empty() const noexcept { return left_.empty(); }
  std::uint8_t byte();
  /// In [0, bound). Requires: 0 < bound <= 256.
  std::size_t below(std::size_t bound) { return byte() % bound; }
  bool flip() { return byte() % 2 != 0; }
  /// Any double: small whole numbers, special values, or any bits.
  double number();
  /// Up to 15 bytes of the input, or one of some texts that are troublesome as a rule.
  std::string text();

 private:
  std::string_view left_;
};

}  // namespace mugrad::fuzz
