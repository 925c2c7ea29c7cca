// SPDX-License-Identifier: MIT
#include "data/formats/open.h"

#include <mugrad/core/error.h>
#include <mugrad/core/mapped_file.h>
#include <mugrad/data/block_reader.h>

#include <cassert>

namespace mugrad {

struct BlockReader::State {
  State(const std::filesystem::path& from, ReadOptions how, Index most)
      : path(from),
        options(std::move(how)),
        block_rows(most),
        file(path),
        source(file.while_whole(
            [&] { return formats::SourceText(path.string(), file, options.progress); })),
        rows(file.while_whole([&] { return formats::open_rows(source, path, options); })) {}

  std::filesystem::path path;
  ReadOptions options;
  Index block_rows;
  MappedFile file;
  formats::SourceText source;
  std::unique_ptr<formats::RowSource> rows;
};

BlockReader::BlockReader(const std::filesystem::path& path, ReadOptions options, Index block_rows) {
  assert(block_rows > 0);
  if (options.missing == Missing::mean) {
    throw UsageError("the means of all rows cannot be known while they are read in blocks");
  }
  state_ = std::make_unique<State>(path, std::move(options), block_rows);
}
BlockReader::~BlockReader() = default;
BlockReader::BlockReader(BlockReader&&) noexcept = default;
BlockReader& BlockReader::operator=(BlockReader&&) noexcept = default;

bool BlockReader::next(Dataset& block) {
  Dataset read = state_->file.while_whole([&] { return state_->rows->next(state_->block_rows); });
  state_->source.release_before(state_->rows->position());
  if (read.rows() == 0) return false;
  block = std::move(read);
  state_->options.note = {};  // all there was to say of names has been said
  return true;
}

bool BlockReader::skip() {
  const bool any =
      state_->file.while_whole([&] { return state_->rows->skip(state_->block_rows) > 0; });
  state_->source.release_before(state_->rows->position());
  return any;
}

double BlockReader::share_read() const noexcept {
  const auto& source = state_->source;
  return static_cast<double>(state_->rows->position() - source.begin()) /
         static_cast<double>(source.end() - source.begin());
}

}  // namespace mugrad
