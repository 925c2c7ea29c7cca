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

/// The shape that a head must fit.
struct HeadShape {
  Index columns;  ///< of the weights
  Index labels;
  Index features;
};

/// A field of a kind of head, and its name in model files.
template <class Own>
struct FieldOf {
  std::string_view name;
  std::variant<Link Own::*, Vote Own::*, LabelsetScore Own::*, double Own::*, Index Own::*,
               std::vector<double> Own::*, std::vector<Index> Own::*, std::vector<LabelId> Own::*,
               Matrix<double> Own::*, BinaryMatrix Own::*, Features Own::*>
      member;
};

/// The declaration of a kind of head, in its file in src/model/heads.
template <class Own>
struct HeadKind {
  std::string_view name;  ///< in model files
  std::span<const FieldOf<Own>> fields;
  /// Throws InputError if the head does not fit the shape. head_checks.h has already checked that
  /// its numbers are finite and its labels exist.
  void (*check)(const Own&, const HeadShape&);
  ScoreRange (*score_range)(const Own&);
  /// Null if labels have linear scores and need only a link. The head must outlive the result.
  /// Requires: the head has been checked.
  std::unique_ptr<HeadScores> (*scores)(const Own&, const HeadShape&) = nullptr;
  /// How many rows it is best given at once; null: that does not matter.
  Index (*rows_at_once)(const HeadShape&) = nullptr;
  int format = 2;  ///< the first format of model files that has it
};

/// As HeadKind::format.
int format_of(const Head& head);

/// Fields that a model file stores as words or numbers in its metadata; all others are tensors.
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
