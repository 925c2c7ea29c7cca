// SPDX-License-Identifier: MIT
#include "data/formats/table/table_rows.h"

#include "data/formats/table/encoding.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace mugrad::formats {
namespace {

/// Features are stored sparse if fewer than this share of them are non-zero; bench/run --only
/// storage measures the break-even point.
constexpr double kSparseBelow = 0.25;
/// The first rows, which decide this; fewer if they are wide.
constexpr Index kMostRowsLookedAt = 2048;
constexpr Index kMostCellsLookedAt = Index{1} << 24;

class TableRows final : public RowSource {
 public:
  TableRows(const SourceText& source, TableColumns columns, const ReadOptions& options,
            std::unique_ptr<TableReader> reader)
      : source_(source),
        options_(options),
        header_(std::move(columns.header)),
        labels_from_(std::move(columns.labels.from)),
        reader_(std::move(reader)),
        table_(source, header_, columns.labels.is_label, columns.dropped, options) {}

  Dataset next(Index most) override {
    if (plan_) return encoded(read(most));
    // If all rows are read at once and the plan depends on all, they are read only once.
    const bool reads_once = most == kAll && depends_on_rows(table_.columns(), options_);
    const Index looked_at = reads_once ? kAll : rows_looked_at();
    const char* here = reader_->position();
    {
      TableBlock first = read(looked_at);
      make_plan(first, looked_at, most);
      if (reads_once) return encoded(std::move(first));
    }
    reader_->go_to(here);
    return encoded(read(most));
  }

  const char* position() const noexcept override { return reader_->position(); }

 private:
  Index rows_looked_at() const {
    const Index width = std::max<Index>(1, std::ssize(header_.attributes));
    return std::clamp<Index>(kMostCellsLookedAt / width, 1, kMostRowsLookedAt);
  }

  TableBlock read(Index most) {
    reader_->read(table_, most);
    return table_.take();
  }

  Dataset encoded(TableBlock block) {
    if (is_sparse_) block.raw.start_sparse_row();
    return {.name = header_.name,
            .x = encode(std::move(block.raw), *plan_, source_.name()),
            .y = std::move(block.labels),
            .unknown = block.unknown.ones() > 0 ? std::move(block.unknown) : BinaryMatrix{},
            .feature_names = plan_->names,
            .label_names = table_.label_names(),
            .labels_from = labels_from_};
  }

  /// The encoding and storage of features, the same for all blocks. Requires: `first` has the first
  /// `looked_at` rows, if there are so many; blocks have `most` rows.
  void make_plan(const TableBlock& first, Index looked_at, Index most) {
    ValueSurvey survey(table_.columns());
    survey.add(first.raw);
    if (survey.rows() == 0) source_.fail("the file has no examples");
    is_sparse_ = first.raw.is_sparse();
    if (survey.rows() == looked_at && most != kAll) look_ahead(survey, looked_at);
    if (header_.has_latin1 || table_.has_latin1()) {
      options_.tell(
          fmt::format("{} has names or values that are not UTF-8; they were read as "
                      "Latin-1",
                      source_.name()));
    }
    plan_ = plan_encoding(survey, source_.name(), options_);
    is_sparse_ = is_sparse_ || has_few_entries(first.raw);
    if (is_sparse_) table_.make_sparse();
  }

  /// Decided by the same rows for any block size, so that blocks are parts of the whole.
  bool has_few_entries(const RawFeatures& first) const {
    return encoded_density(first, *plan_, std::min(first.rows(), rows_looked_at())) < kSparseBelow;
  }

  /// Surveys the remaining rows for the plan, and returns to them.
  void look_ahead(ValueSurvey& survey, Index most) {
    const char* here = reader_->position();
    if (depends_on_rows(survey.columns(), options_)) {
      for (Index before = -1; before != survey.rows();) {
        before = survey.rows();
        const TableBlock block = read(most);
        survey.add(block.raw);
        is_sparse_ = is_sparse_ || block.raw.is_sparse();
        source_.release_before(reader_->position());
      }
    } else {
      is_sparse_ = is_sparse_ || reader_->has_sparse_rows();
    }
    reader_->go_to(here);
  }

  const SourceText& source_;
  const ReadOptions& options_;
  TableHeader header_;
  std::string labels_from_;
  std::unique_ptr<TableReader> reader_;
  TableBuilder table_;
  std::optional<EncodingPlan> plan_;
  bool is_sparse_ = false;
};

}  // namespace

std::unique_ptr<RowSource> table_rows(const SourceText& source, TableColumns columns,
                                      const ReadOptions& options,
                                      std::unique_ptr<TableReader> reader) {
  return std::make_unique<TableRows>(source, std::move(columns), options, std::move(reader));
}

}  // namespace mugrad::formats
