// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/model/head.h>

#include <concepts>
#include <type_traits>

namespace mugrad {

template <class T, class Plain>
concept Maybe = std::same_as<std::remove_const_t<T>, Plain>;

// Calls visit(name, field) for every field of a head, as a model file names it: what is there is
// written, read and checked by one list.

template <class Visit>
void visit_fields(Maybe<IndependentHead> auto& head, Visit&& visit) {
  visit("link", head.link);
}

template <class Visit>
void visit_fields(Maybe<ChainHead> auto& head, Visit&& visit) {
  visit("vote", head.vote);
  visit("order", head.order);
  visit("history", head.history);
}

template <class Visit>
void visit_fields(Maybe<LabelsetHead> auto& head, Visit&& visit) {
  visit("score", head.score);
  visit("sets", head.sets);
  visit("classes", head.classes);
  visit("class_start", head.class_start);
}

template <class Visit>
void visit_fields(Maybe<PairHead> auto& head, Visit&& visit) {
  visit("vote", head.vote);
  visit("first", head.first);
  visit("second", head.second);
}

template <class Visit>
void visit_fields(Maybe<DistanceHead> auto& head, Visit&& visit) {
  visit("centre_start", head.centre_start);
  visit("squared_length", head.squared_length);
  visit("weight", head.weight);
  visit("offset", head.offset);
  visit("slope", head.slope);
  visit("shift", head.shift);
}

template <class Visit>
void visit_fields(Maybe<FeedbackHead> auto& head, Visit&& visit) {
  visit("rounds", head.rounds);
  visit("label_weights", head.label_weights);
}

template <class Visit>
void visit_fields(Maybe<KernelHead> auto& head, Visit&& visit) {
  visit("width", head.width);
  visit("squared_length", head.squared_length);
  visit("coefficients", head.coefficients);
  visit("offset", head.offset);
}

/// Fields that a model file has in words rather than as tensors.
template <class Field>
concept Setting = std::is_enum_v<Field> || std::is_arithmetic_v<Field>;

}  // namespace mugrad
