// SPDX-License-Identifier: MIT
#pragma once

#include "data/formats/jsonl/json_keys.h"
#include "data/formats/source_text.h"
#include "data/formats/table/table.h"

#include <memory>
#include <span>

namespace mugrad::formats {

/// A value of a record: of a number, text, truth value or list. A list is its JSON, as short as it
/// can be written.
struct JsonValue {
  KeyId key = JsonKeys::kNone;
  bool is_number = false;
  Cell cell = {};
};

/// The records of a JSON file: an object per line, where blank lines are skipped, or per item of
/// one array.
class JsonRecords {
 public:
  /// Requires: `begin` is the start of the source, or a position(); the source and the keys outlive
  /// this.
  JsonRecords(const SourceText& source, const char* begin, JsonKeys& keys);
  ~JsonRecords();
  JsonRecords(const JsonRecords&) = delete;
  JsonRecords& operator=(const JsonRecords&) = delete;

  /// Reads the next record; returns false if there are no more. Adds new keys to the tree. Throws
  /// InputError for a text that is not one object, for a key that comes twice in an object or has
  /// no name, and for objects nested too deep.
  bool next();

  /// Whether next() needs no waiting. Requires: the source is live.
  bool is_next_there() const;

  /// The values of the record in the order of the line, without nulls and nested objects. Texts are
  /// valid until the next call.
  std::span<const JsonValue> values() const noexcept;
  /// The start of the record.
  const char* record() const noexcept;
  /// Behind the record, and a way to return there.
  const char* position() const noexcept;
  void go_to(const char* at) noexcept;

 private:
  class Parser;
  std::unique_ptr<Parser> parser_;
};

}  // namespace mugrad::formats
