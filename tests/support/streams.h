// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <atomic>
#include <filesystem>
#include <string>
#include <thread>

namespace mugrad::testing {

/// Makes a named pipe and writes to it, from a thread of its own, once it is read. Ends when all is
/// written, or when the reader has closed it.
class FedPipe {
 public:
  FedPipe(std::filesystem::path path, std::string bytes);
  /// The same bytes again and again, for ever.
  static FedPipe endless(std::filesystem::path path, std::string bytes);
  ~FedPipe();
  FedPipe(const FedPipe&) = delete;
  FedPipe& operator=(const FedPipe&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  FedPipe(std::filesystem::path path, std::string bytes, bool is_endless);

  std::filesystem::path path_;
  std::atomic<bool> is_over_ = false;
  std::thread writer_;
};

/// A pipe without a name, to which a thread writes.
class OpenPipe {
 public:
  explicit OpenPipe(std::string bytes);
  ~OpenPipe();
  OpenPipe(const OpenPipe&) = delete;
  OpenPipe& operator=(const OpenPipe&) = delete;

  /// The descriptor to read from.
  int reader() const { return ends_[0]; }

 private:
  std::array<int, 2> ends_{};
  std::thread writer_;
};

/// Makes another open file standard input until the end of the scope.
class StandardInput {
 public:
  explicit StandardInput(int descriptor);
  ~StandardInput();
  StandardInput(const StandardInput&) = delete;
  StandardInput& operator=(const StandardInput&) = delete;

 private:
  int before_;
};

}  // namespace mugrad::testing
