// SPDX-License-Identifier: MIT
#include "fuzz/support.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

namespace mugrad::fuzz {
namespace {

namespace fs = std::filesystem;

/// A folder of this process, removed when it ends in order.
class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / ("mugrad-fuzz-" + std::to_string(getpid()))) {
    fs::create_directories(path_);
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const fs::path& path() const noexcept { return path_; }

 private:
  fs::path path_;
};

/// An open file; less work for a few bytes than a stream is.
class Descriptor {
 public:
  Descriptor(const fs::path& path, int flags)
      : number_(open(path.c_str(), flags | O_CLOEXEC, 0600)) {
    if (number_ < 0) throw std::runtime_error("cannot open " + path.string());
  }
  ~Descriptor() { close(number_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int number() const noexcept { return number_; }

 private:
  int number_;
};

const fs::path& folder() {
  static const Folder folder;
  return folder.path();
}

constexpr std::array<double, 16> kNumbers = {0.0,
                                             -0.0,
                                             1.0,
                                             -1.0,
                                             0.1,
                                             1e-310,
                                             5e-324,
                                             1e200,
                                             1e300,
                                             std::numeric_limits<double>::max(),
                                             std::numeric_limits<double>::lowest(),
                                             std::numeric_limits<double>::min(),
                                             std::numeric_limits<double>::infinity(),
                                             -std::numeric_limits<double>::infinity(),
                                             std::numeric_limits<double>::quiet_NaN(),
                                             9007199254740993.0};

constexpr std::array<std::string_view, 16> kTexts = {
    "",       "a",  " ", "\"", "a,b", "\xEF\xBB\xBF", "\xEF\xBB\xBFx", "a\nb",
    "a\r\nb", "\\", "'", "%",  "?",   "{0,1}",        "\xff\xfe",      "=1+1"};

}  // namespace

fs::path file_of(std::string_view name, std::string_view bytes) {
  fs::path path = folder() / name;
  const Descriptor file(path, O_WRONLY | O_CREAT | O_TRUNC);
  while (!bytes.empty()) {
    const auto count = write(file.number(), bytes.data(), bytes.size());
    if (count <= 0) throw std::runtime_error("cannot write " + path.string());
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return path;
}

fs::path free_path(std::string_view name) {
  fs::path path = folder() / name;
  fs::remove(path);
  return path;
}

std::string bytes_of(const fs::path& path) {
  const Descriptor file(path, O_RDONLY);
  std::string bytes(fs::file_size(path), '\0');
  for (std::size_t done = 0; done < bytes.size();) {
    const auto count = read(file.number(), bytes.data() + done, bytes.size() - done);
    if (count <= 0) throw std::runtime_error("cannot read " + path.string());
    done += static_cast<std::size_t>(count);
  }
  return bytes;
}

std::uint8_t Choices::byte() {
  if (left_.empty()) return 0;
  const auto first = static_cast<std::uint8_t>(left_.front());
  left_.remove_prefix(1);
  return first;
}

double Choices::number() {
  const std::uint8_t kind = byte();
  if (kind < 128) return static_cast<double>(kind % 16) - 4;
  if (kind < 192) return kNumbers[kind % kNumbers.size()];
  std::array<char, sizeof(double)> bytes{};
  const auto count = std::min(bytes.size(), left_.size());
  std::copy_n(left_.begin(), count, bytes.begin());
  left_.remove_prefix(count);
  double value = 0;
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

std::string Choices::text() {
  const std::uint8_t kind = byte();
  if (kind >= 192) return std::string(kTexts[kind % kTexts.size()]);
  const auto count = std::min<std::size_t>(kind % 16, left_.size());
  std::string text(left_.substr(0, count));
  left_.remove_prefix(count);
  return text;
}

}  // namespace mugrad::fuzz
