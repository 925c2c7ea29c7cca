// SPDX-License-Identifier: MIT
#include "core/names.h"

#include <mugrad/model/head.h>

namespace mugrad {
namespace {

constexpr Name<Link> kLinks[] = {{Link::logistic, "logistic"}, {Link::identity, "identity"}};
constexpr Name<Vote> kVotes[] = {{Vote::probability, "probability"}, {Vote::label, "label"}};
constexpr Name<LabelsetScore> kLabelsetScores[] = {{LabelsetScore::marginal, "marginal"},
                                                   {LabelsetScore::votes, "votes"},
                                                   {LabelsetScore::confidence, "confidence"}};
constexpr std::string_view kKinds[] = {"independent", "chains",   "labelsets", "pairs",
                                       "distances",   "feedback", "kernel"};
static_assert(std::size(kKinds) == std::variant_size_v<Head>);

}  // namespace

std::string_view kind_of(const Head& head) { return kKinds[head.index()]; }

bool has_unit_scores(const Head& head) {
  if (const auto* independent = std::get_if<IndependentHead>(&head)) {
    return independent->link == Link::logistic;
  }
  return !std::holds_alternative<FeedbackHead>(head) && !std::holds_alternative<KernelHead>(head);
}

ScoreRange score_range(const Head& head) {
  // Kernel machines are trained to tell 1 from -1, all else 1 from 0.
  return std::holds_alternative<KernelHead>(head) ? ScoreRange{-1, 1} : ScoreRange{0, 1};
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
