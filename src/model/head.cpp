// SPDX-License-Identifier: MIT
#include "core/names.h"
#include "model/head_scores.h"

#include <cmath>
#include <type_traits>
#include <utility>

namespace mugrad {
namespace {

constexpr Name<Link> kLinks[] = {{Link::logistic, "logistic"}, {Link::identity, "identity"}};
constexpr Name<Vote> kVotes[] = {{Vote::probability, "probability"}, {Vote::label, "label"}};
constexpr Name<LabelsetScore> kLabelsetScores[] = {{LabelsetScore::marginal, "marginal"},
                                                   {LabelsetScore::votes, "votes"},
                                                   {LabelsetScore::confidence, "confidence"}};

template <class Number>
decltype(HeadField::value) value_of(const std::vector<Number>& field) {
  return std::span<const Number>(field);
}
template <class Field>
decltype(HeadField::value) value_of(const Field& field) {
  if constexpr (std::is_enum_v<Field>) {
    return to_string(field);
  } else if constexpr (std::is_arithmetic_v<Field>) {
    return field;
  } else {
    return &field;
  }
}

template <std::size_t... kIndex>
std::vector<Head> empty_heads(std::index_sequence<kIndex...>) {
  return {Head(std::in_place_index<kIndex>)...};
}

}  // namespace

std::string_view kind_of(const Head& head) {
  return std::visit([](const auto& own) { return own.kind().name; }, head);
}

std::vector<Head> empty_heads() {
  return empty_heads(std::make_index_sequence<std::variant_size_v<Head>>());
}

std::vector<HeadField> fields_of(const Head& head) {
  std::vector<HeadField> fields;
  visit_fields(head, [&](std::string_view name, const auto& field) {
    fields.push_back({name, value_of(field)});
  });
  return fields;
}

bool has_linear_scores(const Head& head) {
  return std::visit([](const auto& own) { return own.kind().scores == nullptr; }, head);
}

std::unique_ptr<HeadScores> head_scores(const Head& head, const HeadShape& shape) {
  if (has_linear_scores(head)) return nullptr;
  return std::visit([&](const auto& own) { return own.kind().scores(own, shape); }, head);
}

Index rows_at_once(const Head& head, const HeadShape& shape) {
  return std::visit(
      [&](const auto& own) {
        const auto declared = own.kind().rows_at_once;
        return declared == nullptr ? 0 : declared(shape);
      },
      head);
}

int format_of(const Head& head) {
  return std::visit([](const auto& own) { return own.kind().format; }, head);
}

ScoreRange score_range(const Head& head) {
  return std::visit([](const auto& own) { return own.kind().score_range(own); }, head);
}

bool ScoreRange::contains(double score) const noexcept {
  return is_limit ? score >= low && score <= high : std::isfinite(score);
}

std::string ScoreRange::limits() const {
  return is_limit ? fmt::format("in [{}, {}]", low, high) : "finite";
}

std::string_view to_string(Link link) { return name_of<Link>(kLinks, link); }
std::string_view to_string(Vote vote) { return name_of<Vote>(kVotes, vote); }
std::string_view to_string(LabelsetScore score) {
  return name_of<LabelsetScore>(kLabelsetScores, score);
}
Link link_named(std::string_view name) { return named<Link>(kLinks, name, "link"); }
Vote vote_named(std::string_view name) { return named<Vote>(kVotes, name, "kind of vote"); }
LabelsetScore labelset_score_named(std::string_view name) {
  return named<LabelsetScore>(kLabelsetScores, name, "kind of score");
}

}  // namespace mugrad
