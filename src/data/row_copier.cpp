// SPDX-License-Identifier: MIT
#include "core/atomic_file.h"
#include "core/input/input_file.h"
#include "data/formats/formats.h"
#include "data/formats/source_text.h"
#include "data/formats/write_rows.h"

#include <mugrad/data/files.h>

#include <fmt/format.h>

#include <cassert>
#include <string>

namespace mugrad {

struct RowCopier::State {
  State(const std::filesystem::path& path, const ReadOptions& options)
      : input(path, options.progress),
        source(input.file().while_whole([&] {
          return formats::SourceText(input.name(), input.file().bytes(), input.progress());
        })),
        texts(input.file().while_whole([&] {
          const auto& kind = formats::format_to_read(source, path, options);
          assert(kind.row_texts != nullptr);
          return kind.row_texts(source, path, options);
        })) {}

  InputFile input;
  formats::SourceText source;
  formats::RowTexts texts;
};

RowCopier::RowCopier(const std::filesystem::path& path, const ReadOptions& options,
                     const Dataset& data)
    : state_(std::make_unique<State>(path, options)) {
  const Index found = std::ssize(state_->texts.rows);
  if (found == data.rows()) return;
  state_->source.fail(fmt::format("the file had {} rows and now has {}", data.rows(), found));
}
RowCopier::~RowCopier() = default;
RowCopier::RowCopier(RowCopier&&) noexcept = default;
RowCopier& RowCopier::operator=(RowCopier&&) noexcept = default;

void RowCopier::copy(std::span<const Index> rows, const std::filesystem::path& to) {
  const auto& texts = state_->texts;
  state_->input.file().while_whole([&] {
    AtomicFile file(to);
    if (!texts.head.empty()) file.write(std::string(texts.head) + '\n');
    formats::write_rows(file, std::ssize(rows), nullptr, [&](std::string& text, Index k) {
      if (k > 0) text += texts.between;
      text += texts.rows[as_size(rows[as_size(k)])];
    });
    file.write(texts.end);
    file.commit();
  });
}

bool copies_rows(const Dataset& data, Format format) {
  switch (info_of(format).row_copies) {
    case RowCopies::always:
      return true;
    case RowCopies::where_features_lose:
      return !data.encoding.is_empty() || has_missing(data.x);
    case RowCopies::never:
      return false;
  }
  return false;
}

}  // namespace mugrad
