// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <utility>

namespace mugrad {

/// Owns an open file.
class Descriptor {
 public:
  explicit Descriptor(int number) noexcept : number_(number) {}
  ~Descriptor();
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int number() const noexcept { return number_; }

 private:
  int number_;
};

/// Opens a file, which may belong to a set that a killed process had begun to name. Throws
/// InputError naming the path and the reason.
Descriptor open_to_read(const std::filesystem::path& path);

/// Another descriptor of the same open file, and never one of the standard streams. Throws
/// InputError, which calls the file `name`.
Descriptor duplicate(int descriptor, const std::string& name);

/// Throws InputError `cannot read NAME: REASON`.
[[noreturn]] void fail_to_read(const std::string& name, const std::string& reason);

}  // namespace mugrad
