// SPDX-License-Identifier: MIT
#include "core/input/input_file.h"

#include "core/input/byte_stream.h"
#include "core/input/decompressor.h"
#include "core/input/input_name.h"
#include "core/input/spool.h"
#include "core/system_call.h"

#include <sys/stat.h>

#include <map>
#include <mutex>
#include <optional>
#include <tuple>
#include <utility>

namespace mugrad {
namespace {

/// Share of the work that decompressing is, if the size of the compressed file is known.
constexpr double kSpoolingShare = 0.5;

/// An open file, and where reading it begins.
using Place = std::tuple<dev_t, ino_t, off_t>;

struct Kept {
  std::mutex mutex;
  int users = 0;
  std::map<Place, Descriptor> copies;
};
Kept kept;

Place place_in(const struct stat& status, off_t at) {
  return {status.st_dev, status.st_ino, S_ISREG(status.st_mode) ? at : 0};
}

/// Looks for the input before it is opened: opening a named pipe again waits for another writer.
std::optional<Descriptor> kept_copy(const std::filesystem::path& path, const std::string& name) {
  const std::lock_guard lock(kept.mutex);
  if (kept.copies.empty()) return std::nullopt;
  struct stat status {};
  const bool is_given = is_standard_input(path);
  const int failed = is_given ? fstat(STDIN_FILENO, &status) : stat(path.c_str(), &status);
  if (failed != 0) return std::nullopt;
  const auto found =
      kept.copies.find(place_in(status, is_given ? lseek(STDIN_FILENO, 0, SEEK_CUR) : 0));
  if (found == kept.copies.end()) return std::nullopt;
  return duplicate(found->second.number(), name);
}

void keep_copy(const Place& place, const Descriptor& copy, const std::string& name) {
  const std::lock_guard lock(kept.mutex);
  if (kept.users > 0) kept.copies.insert_or_assign(place, duplicate(copy.number(), name));
}

Descriptor opened(const std::filesystem::path& path, const std::string& name) {
  if (!is_standard_input(path)) return open_to_read(path);
  const int flags = fcntl(STDIN_FILENO, F_GETFL);
  // The program opens a closed one with O_PATH, so that no file gets its number.
  if (flags == -1 || (flags & O_PATH) != 0) fail_to_read(name, "it is closed");
  return duplicate(STDIN_FILENO, name);
}

InputBytes mapped(Descriptor file, const std::string& name) {
  return {.file = std::make_unique<MappedFile>(std::move(file), name)};
}

InputBytes bytes_of(const std::filesystem::path& path, const std::string& name, Stages& stages,
                    const InputFile::LiveTest& may_be_live) {
  if (auto copy = kept_copy(path, name)) return mapped(std::move(*copy), name);
  Descriptor file = opened(path, name);
  struct stat status {};
  if (fstat(file.number(), &status) != 0) fail_to_read(name, reason_of(errno));
  if (S_ISDIR(status.st_mode)) fail_to_read(name, "it is a folder");
  const Place place = place_in(status, lseek(file.number(), 0, SEEK_CUR));
  const bool is_whole_file = S_ISREG(status.st_mode) && std::get<2>(place) == 0;

  ByteStream stream(duplicate(file.number(), name), name, stages);
  const Compression* const compression = compression_of(stream.first(kHeadBytes));
  if (compression == nullptr && is_whole_file) return mapped(std::move(file), name);
  if (compression == nullptr && may_be_live && !S_ISREG(status.st_mode) &&
      may_be_live(stream.first_line())) {
    if (auto live = LiveText::of(std::move(stream))) return {.live = std::move(live)};
  }
  stages.enter(0, kSpoolingShare);
  Descriptor copy = spooled(stream, compression, stages);
  stages.enter(stream.has_known_size() ? kSpoolingShare : 0, 1);
  keep_copy(place, copy, name);
  return mapped(std::move(copy), name);
}

}  // namespace

InputFile::InputFile(const std::filesystem::path& path, Progress* progress,
                     const LiveTest& may_be_live)
    : name_(input_name(path)),
      stages_(progress),
      bytes_(bytes_of(path, name_, stages_, may_be_live)) {}

KeptInputs::KeptInputs() {
  const std::lock_guard lock(kept.mutex);
  ++kept.users;
}

KeptInputs::~KeptInputs() {
  const std::lock_guard lock(kept.mutex);
  if (--kept.users == 0) kept.copies.clear();
}

}  // namespace mugrad
