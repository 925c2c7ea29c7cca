// SPDX-License-Identifier: MIT
#include "data/formats/table/table_rows.h"

#include "core/printable.h"
#include "data/formats/table/column_types.h"
#include "data/formats/table/encoding.h"
#include "data/formats/table/model_types.h"

#include <mugrad/core/error.h>

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
        columns_(std::move(columns)),
        reader_(std::move(reader)),
        table_(source, columns_, options),
        is_sparse_(has_texts(columns_)) {
    if (is_sparse_) table_.make_sparse();
  }

  Dataset next(Index most) override {
    if (plan_) return encoded(read(most), false);
    // If all rows are read at once and the plan depends on all, they are read only once.
    const bool reads_once = most == kAll && depends_on_rows(table_.columns(), options_);
    const Index looked_at = reads_once ? kAll : rows_looked_at();
    const char* here = reader_->position();
    {
      TableBlock first = read(looked_at);
      make_plan(first, looked_at, most);
      if (reads_once) return encoded(std::move(first), true);
    }
    return_to(here);
    TableBlock block = read(most);
    if (most == kAll) plan_ = plan_of(block, options_);
    return encoded(std::move(block), most == kAll);
  }

  const char* position() const noexcept override { return reader_->position(); }

 private:
  static bool has_texts(const TableColumns& columns) {
    for (std::size_t i = 0; i < columns.dropped.size(); ++i) {
      if (!columns.dropped[i] && columns.header.attributes[i].type == AttributeType::text) {
        return true;
      }
    }
    return false;
  }

  /// Of rows that come, how many there are is chance.
  Index rows_looked_at() const {
    if (source_.is_live()) return 1;
    const Index width = std::max<Index>(1, std::ssize(columns_.header.attributes));
    return std::clamp<Index>(kMostCellsLookedAt / width, 1, kMostRowsLookedAt);
  }

  /// Reads on from there, as if the rows after it had not been read.
  void return_to(const char* at) {
    reader_->go_to(at);
    table_.forget_odd_cells();
  }

  /// The plan if these are all rows.
  EncodingPlan plan_of(const TableBlock& all, const ReadOptions& options) const {
    ValueSurvey survey(table_.columns());
    survey.add(all.raw);
    return plan_encoding({survey, &all}, columns_, source_.name(), options);
  }

  TableBlock read(Index most) {
    reader_->read(table_, most);
    return table_.take();
  }

  Dataset encoded(TableBlock block, bool has_all_rows) {
    if (is_sparse_) block.raw.start_sparse_row();
    table_.tell_odd_cells(has_all_rows);
    unknown_values_.tell(block.raw, table_.columns(), *plan_, options_);
    Dataset data{.name = columns_.header.name,
                 .unknown = block.unknown.ones() > 0 ? std::move(block.unknown) : BinaryMatrix{},
                 .feature_names = plan_->names,
                 .label_names = table_.label_names(),
                 .labels_from = columns_.labels.from,
                 .encoding = plan_->encoding,
                 .row_names = std::move(block.row_names)};
    for (const auto& column : plan_->columns) {
      if (column.kind != ColumnEncoding::Kind::terms || column.width == 0) continue;
      data.term_blocks.push_back({column.first, column.width});
    }
    std::ranges::sort(data.term_blocks, {}, &TermBlock::first);
    take_labels(block, has_all_rows, data);
    data.x = encode(block, *plan_, source_.name(), options_);
    return data;
  }

  /// Tags that are not known before become labels once all rows are read.
  void take_labels(TableBlock& block, bool has_all_rows, Dataset& data) {
    const auto* const tags = table_.tags();
    if (tags == nullptr || !options_.fallback_labels.empty()) {
      data.y = std::move(block.labels);
      if (tags != nullptr) tell_ignored(*tags);
      return;
    }
    if (!has_all_rows) {
      throw UsageError("tags cannot become labels while rows are read in blocks");
    }
    auto labels = labels_of_tags(tags->names(), block.labels, options_.min_count);
    data.y = with_labels(block.labels, labels);
    data.label_names = std::move(labels.names);
    if (labels.rare.empty()) return;
    options_.tell(fmt::format("left out {} tag{} in fewer than {} rows: {}", labels.rare.size(),
                              labels.rare.size() == 1 ? "" : "s", options_.min_count,
                              listing(labels.rare)));
  }

  void tell_ignored(const TagReader& tags) {
    if (std::exchange(has_told_ignored_, tags.ignored() > 0) || tags.ignored() == 0) return;
    options_.tell(fmt::format("ignored tags that are no labels of the model, such as {}",
                              shown(tags.first_ignored())));
  }

  /// The encoding and storage of features, the same for all blocks. Requires: `first` has the first
  /// `looked_at` rows, if there are so many; blocks have `most` rows.
  void make_plan(const TableBlock& first, Index looked_at, Index most) {
    ValueSurvey survey(table_.columns());
    survey.add(first.raw);
    if (survey.rows() == 0) source_.fail("the file has no examples");
    is_sparse_ = is_sparse_ || first.raw.is_sparse();
    const bool has_more = survey.rows() == looked_at && looked_at != kAll;
    if (has_more && most != kAll) look_ahead(survey, looked_at);
    if (columns_.header.has_latin1 || table_.has_latin1()) {
      options_.tell(
          fmt::format("{} has names or values that are not UTF-8; they were read as "
                      "Latin-1",
                      source_.name()));
    }
    // If rows follow, they have shares of the progress left. If all follow in one block, their plan
    // is made then, and only that one is told of.
    ReadOptions options = options_;
    if (looked_at != kAll) options.progress = nullptr;
    if (most == kAll && looked_at != kAll) {
      options.note = {};
      plan_ = plan_of(first, options);
    } else {
      plan_ =
          plan_encoding({survey, has_more ? nullptr : &first}, columns_, source_.name(), options);
    }
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
    return_to(here);
  }

  const SourceText& source_;
  const ReadOptions& options_;
  TableColumns columns_;
  std::unique_ptr<TableReader> reader_;
  TableBuilder table_;
  std::optional<EncodingPlan> plan_;
  UnknownValues unknown_values_;
  bool is_sparse_ = false;
  bool has_told_ignored_ = false;
};

/// Surveys columns with numbers among other values again, so that these numbers count as values.
void survey_numbers(const TableColumns& columns, TableReader& reader, ColumnSurvey& survey) {
  const auto found = numbers_are_values(columns, survey);
  if (std::ranges::find(found, true) == found.end()) return;
  ColumnSurvey again(found, std::vector<bool>(found.size(), false), true);
  reader.survey(again);
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i]) survey.take_facts(i, again);
  }
}

std::vector<bool> columns_of_tags(const TableColumns& columns) {
  std::vector<bool> found;
  for (std::size_t i = 0; i < columns.dropped.size(); ++i) {
    const auto type = columns.header.attributes[i].type;
    found.push_back(type == AttributeType::tags && !columns.dropped[i]);
  }
  return found;
}

/// What separates the tags of a file, by its cells alone.
std::string separator_by_cells(const std::vector<bool>& has_tags, TableReader& reader) {
  ColumnSurvey survey(std::vector<bool>(has_tags.size(), false), has_tags);
  reader.survey(survey);
  const auto tags = as_size(std::ranges::find(has_tags, true) - has_tags.begin());
  return guess_separator(survey.separators(), survey.facts(tags).present());
}

/// What separates the tags of a file for a model: the option says so, or the tags of the model show
/// it. Throws InputError if the file has tags, the model knows none of them, and others cannot be
/// labels.
std::string separator_for_model(const SourceText& source, const std::vector<bool>& has_tags,
                                const ReadOptions& options, TableReader& reader) {
  const auto* const tags = tags_of(options.encoding);
  const auto usual = options.tag_separator.value_or(tags == nullptr ? ";" : tags->separator);
  const bool may_be_new = options.fallback_labels.empty();
  const auto& labels = may_be_new ? options.known_tags : options.fallback_labels;
  const bool is_given = options.tag_separator.has_value();
  if (labels.empty() || (may_be_new && is_given)) return usual;
  std::vector<TagSyntax> candidates = {{usual, !is_given}};
  for (const char* const other : {";", "|", ",", " ", ""}) {
    if (!is_given && other != usual) candidates.push_back({other, true});
  }
  KnownTags known(labels, std::move(candidates));
  ColumnSurvey survey(std::vector<bool>(has_tags.size(), false), has_tags);
  survey.count_known_tags(known);
  if (!reader.survey(survey) || known.cells() == 0) return usual;
  if (known.has_known()) return known.best().separator;
  if (may_be_new) return separator_by_cells(has_tags, reader);
  throw InputError(
      fmt::format("the tags of {} are no labels of the model: the first cell with tags is {}, and "
                  "the model has "
                  "the labels {}",
                  source.name(), shown(known.first_cell()), listing(labels, 8)));
}

/// Guesses the types of open columns, and what separates tags, from all cells.
void survey_types(TableColumns& columns, const std::vector<bool>& has_tags,
                  const ReadOptions& options, TableReader& reader) {
  const bool is_declared = reader.declares_types();
  const bool looks_at_all = options.summary && !is_declared;
  std::vector<bool> is_open;
  for (std::size_t i = 0; i < columns.dropped.size(); ++i) {
    const auto type = columns.header.attributes[i].type;
    is_open.push_back(looks_at_all || (type == AttributeType::open && !columns.dropped[i]));
  }
  ColumnSurvey survey(std::move(is_open), has_tags);
  if (!reader.survey(survey)) return take_for_categories(columns);
  const auto tags = std::ranges::find(has_tags, true);
  if (tags != has_tags.end() && !options.tag_separator && !columns.are_predictions) {
    const auto& facts = survey.facts(as_size(tags - has_tags.begin()));
    columns.separator = guess_separator(survey.separators(), facts.present());
  }
  if (is_declared) return;
  survey_numbers(columns, reader, survey);
  guess_types(columns, survey, options);
  if (options.summary) options.summary(summary_of(columns, survey));
}

void find_types(const SourceText& source, TableColumns& columns, const ReadOptions& options,
                TableReader& reader) {
  const auto has_tags = columns_of_tags(columns);
  const bool any_tags = std::ranges::find(has_tags, true) != has_tags.end();
  if (!options.encode_like.empty()) {
    take_types_of_model(columns, source, options);
    if (any_tags && !columns.are_predictions) {
      columns.separator = separator_for_model(source, has_tags, options, reader);
    }
    return;
  }
  if (options.tag_separator) columns.separator = *options.tag_separator;
  if (reader.declares_types()) take_for_categories(columns);
  const bool has_summary = options.summary && !reader.declares_types();
  if (has_summary || needs_survey(columns, options)) {
    survey_types(columns, has_tags, options, reader);
  }
}

}  // namespace

std::unique_ptr<RowSource> table_rows(const SourceText& source, TableColumns columns,
                                      const ReadOptions& options,
                                      std::unique_ptr<TableReader> reader) {
  find_types(source, columns, options, *reader);
  return std::make_unique<TableRows>(source, std::move(columns), options, std::move(reader));
}

}  // namespace mugrad::formats
