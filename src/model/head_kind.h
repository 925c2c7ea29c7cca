// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/model/head.h>

#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <variant>

namespace mugrad {

class HeadScores;

/// What a head must fit.
struct HeadShape {
  Index columns;  ///< of the weights
  Index labels;
};

/// A field of a kind of head, and what model files call it.
template <class Own>
struct FieldOf {
  std::string_view name;
  std::variant<Link Own::*, Vote Own::*, LabelsetScore Own::*, double Own::*, Index Own::*,
               std::vector<double> Own::*, std::vector<Index> Own::*, std::vector<LabelId> Own::*,
               Matrix<double> Own::*, BinaryMatrix Own::*>
      member;
};

/// All that is known of a kind of head, declared in its file in src/model/heads.
template <class Own>
struct HeadKind {
  std::string_view name;  ///< in model files
  std::span<const FieldOf<Own>> fields;
  /// Throws InputError where the head does not fit the shape. Its numbers are finite and its labels
  /// exist: head_checks.h has seen to that.
  void (*check)(const Own&, const HeadShape&);
  ScoreRange (*score_range)(const Own&);
  /// Null where labels have linear scores and need no more than a link. The head must outlive what
  /// it returns. Requires: the head has been checked.
  std::unique_ptr<HeadScores> (*scores)(const Own&, const HeadShape&) = nullptr;
};

/// Fields that a model file has as words or numbers in its metadata; all others are tensors.
template <class Field>
concept Setting = std::is_enum_v<Field> || std::is_arithmetic_v<Field>;

/// visit(name, field) for every field of a head.
template <class AnyHead, class Visit>
void visit_fields(AnyHead& head, const Visit& visit) {
  std::visit(
      [&](auto& own) {
        for (const auto& field : own.kind().fields) {
          std::visit([&](auto member) { visit(field.name, own.*member); }, field.member);
        }
      },
      head);
}

}  // namespace mugrad
