// SPDX-License-Identifier: MIT
#include "core/input/spool.h"

#include "core/input/temporary_file.h"
#include "core/paced_progress.h"

#include <mugrad/core/error.h>
#include <mugrad/core/memory.h>

#include <fmt/format.h>

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

namespace mugrad {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{1} << 18;
constexpr Index kBetweenUpdates = Index{1} << 20;
/// Share of the free room that is used: others write to the folder, too.
constexpr double kShareOfRoom = 0.9;

struct SpoolLimit {
  double bytes;
  std::string reason;  ///< completes "more than 8 GB, ..."
  std::string advice;
};

double largest_allowed() {
  const char* const text = std::getenv(kSpoolLimitVariable);
  if (text == nullptr || *text == '\0') return kUsualSpoolLimit;
  MemoryLimit limit;
  try {
    limit = memory_limit_named(text);
  } catch (const UsageError&) {
    limit.kind = MemoryLimit::Kind::available;  // no amount, as below
  }
  if (limit.kind == MemoryLimit::Kind::bytes) return limit.amount;
  throw UsageError(
      fmt::format("{} is '{}', expected an amount such as 8GB", kSpoolLimitVariable, text));
}

SpoolLimit limit_for(const TemporaryFile& file) {
  const double allowed = largest_allowed();
  const double room = kShareOfRoom * file.room();
  if (allowed <= room) {
    return {allowed, "the limit of temporary files", fmt::format("raise {}", kSpoolLimitVariable)};
  }
  return {room, fmt::format("nine tenths of the room in {}", file.folder().string()),
          "set TMPDIR to a folder with more room"};
}

class Spool {
 public:
  Spool(ByteStream& from, Stages& stages)
      : from_(from), limit_(limit_for(file_)), progress_(&stages, kBetweenUpdates) {}

  void copy() {
    for (auto bytes = from_.next(); !bytes.empty(); bytes = from_.next()) {
      check_size(from_.taken(), "");
      file_.write(bytes);
      progress_.add(std::ssize(bytes), from_.share_taken());
    }
  }

  void decompress(const Compression& compression) {
    const auto decompressor = compression.decompressor();
    std::vector<char> piece(kPieceBytes);
    for (auto in = from_.next(); !in.empty(); in = from_.next()) {
      check_size(from_.taken(), "");
      bool has_more = false;  // to write without further input
      while (!in.empty() || has_more) {
        const auto step = decompressor->run(in, piece);
        in.remove_prefix(step.consumed);
        const bool is_stuck = !in.empty() && step.consumed == 0 && step.produced == 0;
        if (!step.problem.empty() || is_stuck) {
          fail_corrupt(compression, from_.taken() - std::ssize(in),
                       is_stuck && step.problem.empty() ? "invalid data" : step.problem);
        }
        written_ += as_index(step.produced);
        check_size(written_, " when decompressed");
        file_.write({piece.data(), step.produced});
        progress_.add(as_index(step.consumed + step.produced), from_.share_taken());
        has_more = step.produced == piece.size();
      }
    }
    if (!decompressor->may_end()) {
      throw InputError(fmt::format("{}: the {} data is incomplete: it ends after {} bytes",
                                   from_.name(), compression.name, from_.taken()));
    }
  }

  Descriptor take() && { return std::move(file_).take(); }

 private:
  void check_size(Index bytes, std::string_view how) const {
    if (static_cast<double>(bytes) <= limit_.bytes) return;
    throw InputError(
        fmt::format("{} has more than {}{}, {}: write the text to a file and name "
                    "that, or {}",
                    from_.name(), bytes_text(limit_.bytes), how, limit_.reason, limit_.advice));
  }

  [[noreturn]] void fail_corrupt(const Compression& compression, Index at,
                                 std::string_view problem) const {
    throw InputError(fmt::format("{}: the {} data is invalid after byte {}: {}", from_.name(),
                                 compression.name, at, problem));
  }

  ByteStream& from_;
  TemporaryFile file_;
  SpoolLimit limit_;
  PacedProgress progress_;
  Index written_ = 0;
};

}  // namespace

Descriptor spooled(ByteStream& from, const Compression* compression, Stages& stages) {
  Spool spool(from, stages);
  compression == nullptr ? spool.copy() : spool.decompress(*compression);
  return std::move(spool).take();
}

}  // namespace mugrad
