// SPDX-License-Identifier: MIT
#include "core/atomic_file.h"
#include "core/file_names.h"
#include "core/mapped_file.h"
#include "core/system_call.h"
#include "experiment/results_lines.h"

#include <mugrad/core/error.h>
#include <mugrad/core/option_text.h>
#include <mugrad/experiment/results.h>

#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace mugrad {
namespace {

std::string text_of(const std::filesystem::path& path) {
  const MappedFile file(path);
  return file.while_whole([&] { return std::string(file.bytes()); });
}

/// How two comparisons differ; empty: they are the same.
std::string difference(const ResultsHead& there, const ResultsHead& here) {
  if (there.protocol != here.protocol) {
    return fmt::format("its protocol is '{}', not '{}'", there.protocol, here.protocol);
  }
  if (there.sets != here.sets) {
    for (const auto& set : here.sets) {
      for (const auto& other : there.sets) {
        if (set.name == other.name && !(set == other)) {
          return fmt::format("the data of {} are not the same", set.name);
        }
      }
    }
    return "it has other data sets";
  }
  if (there.contenders != here.contenders) {
    for (std::size_t k = 0; k < here.contenders.size() && k < there.contenders.size(); ++k) {
      if (here.contenders[k] == there.contenders[k]) continue;
      return fmt::format("it has '{}: {}' instead of '{}: {}'", there.contenders[k].name,
                         there.contenders[k].text, here.contenders[k].name,
                         here.contenders[k].text);
    }
    return fmt::format("it has {} methods, not {}", there.contenders.size(),
                       here.contenders.size());
  }
  return there.splits != here.splits ? "it has another number of splits" : "";
}

[[noreturn]] void fail_to(std::string_view what, const std::filesystem::path& path) {
  throw InputError(fmt::format("cannot {} {}: {}", what, path.string(), reason_of(errno)));
}

[[noreturn]] void refuse_to_replace(const std::filesystem::path& path) {
  throw InputError(fmt::format("{} exists: resume it ({}) or name another file", path.string(),
                               option_text(Option::resume)));
}

/// Held until the descriptor is closed, even if the process is killed.
void lock(int descriptor, const std::filesystem::path& path) {
  if (retried([&] { return ::flock(descriptor, LOCK_EX | LOCK_NB); }) == 0) return;
  if (errno == EWOULDBLOCK) {
    throw InputError(fmt::format("another run is writing to {}", path.string()));
  }
  fail_to("lock", path);
}

}  // namespace

const Record* Results::find(std::string_view set, std::string_view contender, Index split) const {
  for (const auto& record : records) {
    if (record.set == set && record.contender == contender && record.split == split) return &record;
  }
  return nullptr;
}

Index Results::failures() const {
  return std::ranges::count_if(records, [](const Record& r) { return !r.failure.empty(); });
}

ResultsFile::ResultsFile(std::filesystem::path path, int descriptor)
    : path_(std::move(path)), descriptor_(descriptor) {}

ResultsFile::ResultsFile(ResultsFile&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      results_(std::move(other.results_)) {}

ResultsFile::~ResultsFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

ResultsFile ResultsFile::create(const std::filesystem::path& path, const ResultsHead& head) {
  const std::string line = line_of(head);
  Results results{.head = as_written(head), .records = {}};
  const int descriptor = open_file(path, O_WRONLY | O_APPEND | O_CREAT | O_EXCL);
  if (descriptor < 0) {
    errno == EEXIST ? refuse_to_replace(path) : fail_to("make", path);
  }
  ResultsFile file(path, descriptor);
  lock(descriptor, path);
  // A resuming run may have used it in between.
  struct stat made {};
  if (::fstat(descriptor, &made) != 0 || made.st_size != 0) refuse_to_replace(path);
  file.results_ = std::move(results);
  file.append(line);
  sync_folder(folder_of(path));
  return file;
}

ResultsFile ResultsFile::open_locked(const std::filesystem::path& path) {
  while (true) {
    const int descriptor = open_file(path, O_WRONLY | O_APPEND);
    if (descriptor < 0) fail_to("write to", path);
    ResultsFile file(path, descriptor);
    lock(descriptor, path);
    if (leads_to(path, descriptor)) return file;
  }
}

ResultsFile ResultsFile::resume(const std::filesystem::path& path, const ResultsHead& head,
                                Resume what) {
  if (!std::filesystem::exists(path)) return create(path, head);
  const std::string first_line = line_of(head);
  const ResultsHead expected = as_written(head);
  ResultsFile file = open_locked(path);
  const std::string text = text_of(path);
  if (text.find('\n') == std::string::npos) {
    if (!first_line.starts_with(text)) {
      throw InputError(fmt::format("{} is not a results file", path.string()));
    }
    // Killed before its first line was complete: it contains nothing yet.
    file.cut(0);
    file.results_.head = expected;
    file.append(first_line);
    return file;
  }
  auto [results, whole_bytes] = read_whole_lines(path, text);
  if (const auto differs = difference(results.head, expected); !differs.empty()) {
    throw InputError(fmt::format("{} cannot be resumed: {}", path.string(), differs));
  }
  file.results_ = std::move(results);
  if (what == Resume::retry_failed && file.results_.failures() > 0) {
    return without_failures(std::move(file));
  }
  if (whole_bytes < text.size()) file.cut(whole_bytes);
  return file;
}

ResultsFile ResultsFile::without_failures(ResultsFile old) {
  std::erase_if(old.results_.records, [](const Record& record) { return !record.failure.empty(); });
  AtomicFile rewritten(old.path_);
  rewritten.write(line_of(old.results_.head));
  for (const auto& record : old.results_.records) rewritten.write(line_of(record));
  rewritten.commit();
  ResultsFile file = open_locked(old.path_);
  // Another run may have changed it between the two locks.
  const std::string text = text_of(file.path_);
  auto [results, whole_bytes] = read_whole_lines(file.path_, text);
  file.results_ = std::move(results);
  if (whole_bytes < text.size()) file.cut(whole_bytes);
  return file;
}

void ResultsFile::cut(std::size_t bytes) {
  if (retried([&] { return ::ftruncate(descriptor_, static_cast<off_t>(bytes)); }) != 0) {
    fail_to("write to", path_);
  }
}

void ResultsFile::append(std::string_view line) {
  while (!line.empty()) {
    const auto written = retried([&] { return ::write(descriptor_, line.data(), line.size()); });
    if (written < 0) fail_to("write to", path_);
    line.remove_prefix(as_size(written));
  }
  if (retried([&] { return ::fsync(descriptor_); }) != 0 && errno != EINVAL) {
    fail_to("write to", path_);
  }
}

void ResultsFile::add(Record record) {
  append(line_of(record));
  results_.records.push_back(std::move(record));
}

Results read_results(const std::filesystem::path& path) {
  return read_whole_lines(path, text_of(path)).results;
}

std::uint64_t fingerprint(const Dataset& data) {
  // FNV-1a over 64-bit words.
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto mix = [&](std::uint64_t word) { hash = (hash ^ word) * 0x100000001b3; };
  mix(static_cast<std::uint64_t>(data.rows()));
  mix(static_cast<std::uint64_t>(data.features()));
  mix(static_cast<std::uint64_t>(data.labels()));
  for (Index row = 0; row < data.rows(); ++row) {
    data.x.for_each_in_row(row, [&](FeatureId column, double value) {
      if (value == 0) return;
      mix(static_cast<std::uint64_t>(column));
      mix(std::bit_cast<std::uint64_t>(value));
    });
    mix(~std::uint64_t{0});
    if (!data.row_weights.empty()) mix(std::bit_cast<std::uint64_t>(data.weight_of(row)));
    for (const LabelId label : data.y.row(row)) mix(static_cast<std::uint64_t>(label));
    for (const LabelId label : data.unknown_of(row)) mix(~static_cast<std::uint64_t>(label));
  }
  return hash;
}

}  // namespace mugrad
