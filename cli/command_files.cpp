// SPDX-License-Identifier: MIT
#include "command_files.h"

#include "core/input/input_name.h"

#include <mugrad/core/error.h>

#include <fmt/format.h>
#include <unistd.h>

namespace mugrad::cli {
namespace {

constexpr std::string_view kStandardOutput = "standard output";

[[noreturn]] void refuse(const std::filesystem::path& path, std::string_view written,
                         std::string_view read) {
  throw UsageError(fmt::format(
      "{} would be overwritten: {} is written to it, and {} is read from it; choose another file",
      input_name(path), written, read));
}

}  // namespace

CommandFiles::CommandFiles() {
  if (const auto output = identity_of(STDOUT_FILENO)) {
    files_.emplace(*output, Use{std::string(kStandardOutput), true});
  }
}

void CommandFiles::reads(const std::filesystem::path& path, std::string_view as) {
  reads(path.empty() ? std::nullopt : identity_of(path), path, as);
}

void CommandFiles::reads_input(const std::filesystem::path& path, std::string_view as) {
  const auto stream = path.empty() ? std::nullopt : stream_identity_of(path);
  if (stream && !streams_.insert(*stream).second) {
    throw UsageError(fmt::format(
        "{} cannot be read twice, because its bytes are there only once: write them to a file",
        input_name(path)));
  }
  if (!is_standard_input(path)) return reads(path, as);
  reads(identity_of(STDIN_FILENO), path, as);
}

void CommandFiles::reads(const std::optional<FileIdentity>& identity,
                         const std::filesystem::path& path, std::string_view as) {
  if (!identity) return;
  const auto [known, is_new] = files_.emplace(*identity, Use{std::string(as), false});
  if (!is_new && known->second.is_written) refuse(path, known->second.as, as);
}

void CommandFiles::writes(const std::filesystem::path& path, std::string_view as) {
  if (is_standard_input(path)) {
    throw UsageError(fmt::format("{} cannot be -: a file of that name is ./-", as));
  }
  const auto identity = path.empty() ? std::nullopt : identity_of(path);
  if (!identity) return;
  const auto [known, is_new] = files_.emplace(*identity, Use{std::string(as), true});
  if (is_new) return;
  Use& use = known->second;
  if (!use.is_written) refuse(path, as, use.as);
  // /dev/stdout: both are appended to standard output.
  if (use.as == kStandardOutput && names_open_file(path)) {
    use.as = as;
    return;
  }
  throw UsageError(
      fmt::format("{} would be overwritten: both {} and {} are written to it; name two files",
                  path.string(), use.as, as));
}

}  // namespace mugrad::cli
