// SPDX-License-Identifier: MIT
#include "data/formats/table_rows.h"

#include "data/formats/encoding.h"

#include <optional>
#include <utility>

namespace mugrad::formats {
namespace {

class TableRows final : public RowSource {
 public:
  TableRows(const SourceText& source, TableColumns columns, const ReadOptions& options,
            std::unique_ptr<TableReader> reader)
      : source_(source),
        options_(options),
        header_(std::move(columns.header)),
        reader_(std::move(reader)),
        table_(source, header_, columns.labels, columns.dropped, options) {}

  Dataset next(Index most) override {
    TableBlock block = read(most);
    if (!plan_) make_plan(block, most);
    return {.name = header_.name,
            .x = encode(std::move(block.raw), *plan_, source_.name()),
            .y = std::move(block.labels),
            .unknown = block.unknown.ones() > 0 ? std::move(block.unknown) : BinaryMatrix{},
            .feature_names = plan_->names,
            .label_names = table_.label_names()};
  }

  const char* position() const noexcept override { return reader_->position(); }

 private:
  TableBlock read(Index most) {
    reader_->read(table_, most);
    return table_.take();
  }

  /// Requires: `first` are the first rows, up to `most`. Makes them sparse when others are.
  void make_plan(TableBlock& first, Index most) {
    ValueSurvey survey(table_.columns());
    survey.add(first.raw);
    if (survey.rows() == 0) source_.fail("the file has no examples");
    if (survey.rows() == most) look_ahead(survey, most);
    if (is_sparse_) {
      first.raw.start_sparse_row();
      table_.make_sparse();
    }
    plan_ = plan_encoding(survey, source_.name(), options_);
  }

  /// Learns of the rows to come what the plan needs, and returns to them.
  void look_ahead(ValueSurvey& survey, Index most) {
    const char* here = reader_->position();
    if (depends_on_rows(survey.columns(), options_)) {
      for (Index before = -1; before != survey.rows();) {
        before = survey.rows();
        const TableBlock block = read(most);
        survey.add(block.raw);
        is_sparse_ = block.raw.is_sparse();
        source_.release_before(reader_->position());
      }
    } else {
      is_sparse_ = reader_->has_sparse_rows();
    }
    reader_->go_to(here);
  }

  const SourceText& source_;
  const ReadOptions& options_;
  TableHeader header_;
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
