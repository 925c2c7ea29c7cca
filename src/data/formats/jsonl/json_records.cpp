// SPDX-License-Identifier: MIT
#include "data/formats/jsonl/json_records.h"

#include "core/json.h"
#include "core/utf8.h"
#include "data/formats/jsonl/json_fault.h"
#include "data/formats/jsonl/json_text.h"
#include "data/formats/jsonl/json_texts.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <deque>
#include <new>

namespace mugrad::formats {
namespace {

namespace ondemand = simdjson::ondemand;

/// The token as it is written, without the blanks after it.
std::string_view token_of(ondemand::value& value) {
  std::string_view token = value.raw_json_token();
  while (token.size() > 1 && is_json_blank(token.back())) token.remove_suffix(1);
  return token;
}

bool starts_number(std::string_view token) noexcept {
  return (token.front() >= '0' && token.front() <= '9') || token.front() == '-';
}

}  // namespace

/// Parses a record at a time. simdjson finds the structure and checks that it is UTF-8; whatever is
/// wrong with it is then located by fail_at_fault.
class JsonRecords::Parser {
 public:
  Parser(const SourceText& source, const char* begin, JsonKeys& keys)
      : source_(source), keys_(keys), texts_(source, begin) {}

  bool next() {
    values_.clear();
    lists_used_ = 0;
    if (!texts_.next(record_text_)) return false;
    ++record_;
    parse();
    return true;
  }

  std::span<const JsonValue> values() const noexcept { return values_; }
  bool is_next_there() const { return texts_.is_next_there(); }
  const char* record() const noexcept { return record_text_.data(); }
  const char* position() const noexcept { return texts_.position(); }
  void go_to(const char* at) noexcept { texts_.go_to(at); }

 private:
  /// The result, unless it is an error.
  template <class Value>
  Value checked(simdjson::simdjson_result<Value>&& result) const {
    Value value;
    check(std::move(result).get(value));
    return value;
  }
  void check(simdjson::error_code error) const {
    if (error == simdjson::SUCCESS) return;
    if (error == simdjson::MEMALLOC) throw std::bad_alloc();
    if (error == simdjson::CAPACITY)
      source_.fail(record_text_.data(), "this record is longer than 4 GiB");
    fail();
  }

  [[noreturn]] void fail() const {
    fail_at_fault(source_, record_text_, texts_.are_items() ? JsonPlace::item : JsonPlace::line);
  }

  /// The parser reads some bytes beyond the end: those of the last records are copied.
  simdjson::padded_string_view padded() {
    const auto left = as_size(source_.end() - record_text_.data());
    text_ = record_text_.data();
    if (left >= record_text_.size() + simdjson::SIMDJSON_PADDING) {
      return simdjson::padded_string_view(text_, record_text_.size(), left);
    }
    copy_.assign(record_text_);
    copy_.append(simdjson::SIMDJSON_PADDING, ' ');
    text_ = copy_.data();
    return simdjson::padded_string_view(text_, record_text_.size(), copy_.size());
  }

  void parse() {
    // Records of growing length do not allocate every time.
    const auto size = record_text_.size();
    if (size > parser_.capacity()) check(parser_.allocate(size + size / 2));
    ondemand::document document;
    check(parser_.iterate(padded()).get(document));
    if (record_text_.front() != '{') fail();
    read_object(checked(document.get_object()), JsonKeys::kRoot, 1);
    const char* rest = nullptr;
    if (document.current_location().get(rest) == simdjson::SUCCESS) fail();
  }

  /// The position in the file of a position in what is parsed.
  const char* in_file(const char* at) const noexcept { return record_text_.data() + (at - text_); }

  void check_depth(int depth, const char* at) const {
    if (depth <= kDeepestJson) return;
    source_.fail(in_file(at), fmt::format("nested more than {} levels deep", kDeepestJson));
  }

  void read_object(ondemand::object object, KeyId parent, int depth) {
    KeyId previous = JsonKeys::kNone;
    for (auto result : object) {
      check(result.error());
      auto&& field = std::move(result).value_unsafe();  // a copy would cost as much as the rest
      previous = key_of(field, parent, previous);
      read_value(field.value(), previous, depth);
    }
  }

  KeyId key_of(ondemand::field& field, KeyId parent, KeyId previous) {
    const char* raw = field.key().raw();
    KeyId key = keys_.guess(parent, previous, raw, text_ + record_text_.size());
    if (key == JsonKeys::kNone) key = new_key_of(field, raw, parent, previous);
    if (!keys_.is_new_in(record_, key)) {
      source_.fail(in_file(raw - 1), fmt::format("the key {} comes twice in this record",
                                                 shown(keys_.full_name(key))));
    }
    return key;
  }

  KeyId new_key_of(ondemand::field& field, const char* raw, KeyId parent, KeyId previous) {
    const char* at = in_file(raw - 1);
    const char* quote = raw;
    while (*quote != '"') quote += *quote == '\\' ? 2 : 1;
    const std::string_view name = unescaped(field.unescaped_key(), as_size(quote - raw));
    if (name.empty()) source_.fail(at, "this key has no name");
    check_full_name(parent, name, at);
    if (keys_.size() > kMostKeys) source_.fail(at, "more keys than there can be columns");
    return keys_.find_or_add(parent, previous, name, {raw, as_size(quote - raw) + 1}, at);
  }

  /// Names of nested keys repeat those of the keys around them.
  void check_full_name(KeyId parent, std::string_view name, const char* at) const {
    if (parent == JsonKeys::kRoot) return check_name_length(source_, at, name);
    check_name_length(source_, at, fmt::format("{}.{}", keys_.full_name(parent), name));
  }

  /// The text of a string of `raw_size` bytes in the file. simdjson accepts some escapes that do
  /// not stand for text.
  std::string_view unescaped(simdjson::simdjson_result<std::string_view>&& result,
                             std::size_t raw_size) const {
    const auto text = checked(std::move(result));
    const bool has_escapes = text.size() != raw_size;
    if (has_escapes && (!is_utf8(text) || text.find('\0') != text.npos)) {
      fail();
    }
    return text;
  }

  void read_value(ondemand::value& value, KeyId key, int depth) {
    const std::string_view token = token_of(value);
    const char* at = in_file(token.data());
    const auto note = [at](const char*& first) {
      if (first == nullptr) first = at;
    };
    if (token.front() == '{') {
      check_depth(depth + 1, token.data());
      note(keys_.values(key).object);
      read_object(checked(value.get_object()), key, depth + 1);
    } else if (token.front() == '[') {
      const auto [text, is_flat] = list_of(value, depth + 1);
      note(is_flat ? keys_.values(key).scalar : keys_.values(key).records);
      add_value({key, false, {text, at, false}});
    } else if (starts_number(token)) {
      note(keys_.values(key).scalar);
      add_value({key, true, {scalar_of(token), at, false}});
    } else if (token != "null") {
      note(keys_.values(key).scalar);
      const auto text = token.front() == '"' ? string_of(value, token) : scalar_of(token);
      add_value({key, false, {text, at, false}});
    }
  }

  void add_value(const JsonValue& value) {
    ++keys_.values(value.key).count;
    values_.push_back(value);
  }

  std::string_view string_of(ondemand::value& value, std::string_view token) const {
    if (token.size() < 2 || token.back() != '"') fail();
    const auto inside = token.substr(1, token.size() - 2);
    if (inside.find('\\') != inside.npos) return unescaped(value.get_string(), inside.size());
    // The parser takes a text that it skips for a key if a colon follows.
    checked(value.get_raw_json_string());
    return inside;
  }

  /// A number or a word.
  std::string_view scalar_of(std::string_view token) const {
    const bool is_value = starts_number(token) ? is_json_number(token) : is_json_word(token);
    if (!is_value) fail();
    return token;
  }

  struct List {
    std::string_view text;
    bool is_flat;  ///< no item is an object or a list
  };
  List list_of(ondemand::value& value, int depth) {
    if (lists_used_ == lists_.size()) lists_.emplace_back();
    std::string& json = lists_[lists_used_++];
    json.clear();
    const bool is_flat = append_list(json, value, depth);
    return {json, is_flat};
  }

  bool append_list(std::string& json, ondemand::value& value, int depth) {
    check_depth(depth, value.raw_json_token().data());
    bool is_flat = true;
    json += '[';
    auto list = checked(value.get_array());
    for (auto result : list) {
      if (json.back() != '[') json += ',';
      ondemand::value item = checked(std::move(result));
      is_flat = append_value(json, item, depth) && is_flat;
    }
    json += ']';
    return is_flat;
  }

  /// Returns whether it is a number, a text, a truth value or null.
  bool append_value(std::string& json, ondemand::value& value, int depth) {
    const std::string_view token = token_of(value);
    if (token.front() == '[') {
      append_list(json, value, depth + 1);
      return false;
    }
    if (token.front() == '{') {
      append_object(json, value, depth + 1);
      return false;
    }
    token.front() == '"' ? append_json_string(json, string_of(value, token))
                         : static_cast<void>(json += scalar_of(token));
    return true;
  }

  void append_object(std::string& json, ondemand::value& value, int depth) {
    check_depth(depth, value.raw_json_token().data());
    json += '{';
    auto object = checked(value.get_object());
    for (auto result : object) {
      if (json.back() != '{') json += ',';
      ondemand::field field = checked(std::move(result));
      append_json_string(json, checked(field.unescaped_key()));
      json += ':';
      append_value(json, field.value(), depth);
    }
    json += '}';
  }

  /// Every key may become a column.
  static constexpr std::size_t kMostKeys = 0x7FFFFFFE;

  const SourceText& source_;
  JsonKeys& keys_;
  JsonTexts texts_;
  std::string_view record_text_;
  Index record_ = -1;  ///< counts the records read, also those read again
  ondemand::parser parser_;
  std::string copy_;
  const char* text_ = nullptr;  ///< what is parsed: the line, or its copy
  std::vector<JsonValue> values_;
  std::deque<std::string> lists_;  ///< the texts of the lists of the record, and unused ones
  std::size_t lists_used_ = 0;
};

JsonRecords::JsonRecords(const SourceText& source, const char* begin, JsonKeys& keys)
    : parser_(std::make_unique<Parser>(source, begin, keys)) {}
JsonRecords::~JsonRecords() = default;

bool JsonRecords::next() { return parser_->next(); }
std::span<const JsonValue> JsonRecords::values() const noexcept { return parser_->values(); }
bool JsonRecords::is_next_there() const { return parser_->is_next_there(); }
const char* JsonRecords::record() const noexcept { return parser_->record(); }
const char* JsonRecords::position() const noexcept { return parser_->position(); }
void JsonRecords::go_to(const char* at) noexcept { parser_->go_to(at); }

}  // namespace mugrad::formats
