// SPDX-License-Identifier: MIT
#include "data/formats/arff/arff_header.h"

#include "data/formats/arff/arff_text.h"
#include "data/formats/name_search.h"
#include "data/formats/number.h"

#include <fmt/format.h>

#include <algorithm>

namespace mugrad::formats {
namespace {

struct DatePart {
  std::string_view pattern;
  std::string_view example;
};
constexpr DatePart kDateParts[] = {
    {"yyyy", "2026"}, {"MM", "11"}, {"M", "1"},    {"dd", "18"},   {"d", "8"},
    {"HH", "22"},     {"mm", "45"}, {"ss", "33"},  {"SSS", "123"}, {"XXX", "+01:00"},
    {"XX", "+0100"},  {"X", "+01"}, {"Z", "+0100"}};

/// A date that the pattern describes; no date if the pattern has unknown parts.
std::string example_of(std::string_view pattern) {
  std::string example;
  bool is_quoted = false;
  while (!pattern.empty()) {
    const auto size = std::min(pattern.find_first_not_of(pattern.front()), pattern.size());
    const auto run = pattern.substr(0, size);
    pattern.remove_prefix(size);
    const auto* const part = std::ranges::find(kDateParts, run, &DatePart::pattern);
    if (run == "'") {
      is_quoted = !is_quoted;
    } else {
      example += is_quoted || part == std::end(kDateParts) ? run : part->example;
    }
  }
  return example;
}

class HeaderReader {
 public:
  explicit HeaderReader(const SourceText& source)
      : source_(source), lines_(source.begin(), source.end()) {}

  ArffHeader read() {
    std::string_view line;
    while (lines_.next(line)) {
      source_.reached(line.data());
      begin_line(line);
      if (at_ == end_ || *at_ == '%') continue;
      const auto keyword = word();
      if (same_word(keyword, "@relation")) {
        read_relation();
      } else if (same_word(keyword, "@attribute")) {
        read_attribute();
      } else if (same_word(keyword, "@data")) {
        if (header_.table.attributes.empty()) source_.fail(line.data(), "@data, but no @attribute");
        header_.data = lines_.position();
        return std::move(header_);
      } else {
        source_.fail(keyword.data(), fmt::format("{} in the header, expected @relation, @attribute "
                                                 "or @data",
                                                 shown(keyword)));
      }
    }
    source_.fail("the header has no @data line");
  }

 private:
  void begin_line(std::string_view line) {
    line = trimmed(line);
    at_ = line.data();
    end_ = line.data() + line.size();
  }

  ArffToken token(std::string_view stops = "") {
    at_ = skip_blanks(at_, end_);
    return read_token(source_, at_, end_, stops, scratch_);
  }
  std::string_view word() {
    at_ = skip_blanks(at_, end_);
    const char* start = at_;
    while (at_ != end_ && !is_blank(*at_)) ++at_;
    return {start, as_size(at_ - start)};
  }

  void read_relation() {
    at_ = skip_blanks(at_, end_);
    const bool is_quoted = at_ != end_ && (*at_ == '\'' || *at_ == '"');
    const auto text = is_quoted ? std::string(token().text) : std::string(at_, end_);
    auto relation = parse_relation(text);
    header_.table.name = header_.table.as_utf8(relation.name);
    header_.table.label_count = relation.label_count;
    header_.table.was_filtered = relation.was_filtered;
  }

  void read_attribute() {
    const auto name = token("{");
    if (name.text.empty()) source_.fail(name.at, "an attribute without a name");
    check_name_length(source_, name.at, name.text);
    Attribute attribute{.name = header_.table.as_utf8(name.text), .at = name.at};
    const auto [first, added] = declared_at_.emplace(attribute.name, name.at);
    if (!added) {
      source_.fail(name.at, fmt::format("attribute {} is declared twice, first on line {}",
                                        shown(attribute.name), source_.line_of(first->second)));
    }
    at_ = skip_blanks(at_, end_);
    if (at_ != end_ && *at_ == '{') {
      read_values(attribute);
    } else {
      read_type(attribute);
    }
    at_ = skip_blanks(at_, end_);
    // Some tools append the range of a number in brackets; a comment may follow, too.
    if (at_ != end_ && *at_ != '%' && *at_ != '[') {
      source_.fail(at_, fmt::format("{} after the type of attribute {}",
                                    shown({at_, as_size(end_ - at_)}), shown(attribute.name)));
    }
    header_.table.attributes.push_back(std::move(attribute));
  }

  void read_type(Attribute& attribute) {
    const auto type = word();
    if (same_word(type, "numeric") || same_word(type, "real") || same_word(type, "integer")) return;
    if (same_word(type, "string")) {
      attribute.type = AttributeType::open;
    } else if (same_word(type, "date")) {
      read_date(attribute);
    } else if (same_word(type, "relational")) {
      attribute.type = AttributeType::unsupported;
      attribute.type_name = "relational";
      skip_relational();
    } else {
      source_.fail(type.data(), fmt::format("{} is not a type for attribute {}, expected numeric, "
                                            "real, integer, string or {{values}}",
                                            shown(type), shown(attribute.name)));
    }
  }

  /// A pattern of Java may follow. Without one, Weka's is that of ISO 8601.
  void read_date(Attribute& attribute) {
    at_ = skip_blanks(at_, end_);
    const bool has_pattern = at_ != end_ && *at_ != '%' && *at_ != '[';
    const bool is_read = !has_pattern || date_in(example_of(token().text)).has_value();
    attribute.type = is_read ? AttributeType::date : AttributeType::unsupported;
    attribute.type_name = "date";
  }

  /// The attributes of a relational attribute are between it and its @end.
  void skip_relational() {
    std::string_view line;
    do {
      if (!lines_.next(line)) source_.fail("a relational attribute without its @end");
      begin_line(line);
    } while (!same_word(word(), "@end"));
    at_ = end_;
  }

  void read_values(Attribute& attribute) {
    attribute.type = AttributeType::nominal;
    const char* open = at_++;
    for (;;) {
      const auto value = token(",}");
      if (at_ != end_ && value.text.empty() && !value.was_quoted && *at_ == '}' &&
          attribute.values.empty()) {
        source_.fail(open, fmt::format("attribute {} has no values", shown(attribute.name)));
      }
      if (!value.text.empty() || value.was_quoted) {
        attribute.values.push_back(header_.table.as_utf8(value.text));
      }
      at_ = skip_blanks(at_, end_);
      if (at_ == end_) {
        source_.fail(open, fmt::format("the values of attribute {} are not closed by '}}'",
                                       shown(attribute.name)));
      }
      if (*at_ == ',') {
        ++at_;
      } else if (*at_ == '}') {
        ++at_;
        return;
      }
    }
  }

  const SourceText& source_;
  LineReader lines_;
  const char* at_ = nullptr;
  const char* end_ = nullptr;
  std::string scratch_;
  ArffHeader header_;
  TextMap<const char*> declared_at_;
};

constexpr std::string_view kWekaFilter = "-weka.filters.";

/// Removes the next word from `text` and returns it.
std::string_view take_word(std::string_view& text) {
  text = trimmed(text);
  const auto size = std::min(text.find_first_of(" \t"), text.size());
  const auto word = text.substr(0, size);
  text.remove_prefix(size);
  return word;
}

}  // namespace

ArffHeader read_arff_header(const SourceText& source) { return HeaderReader(source).read(); }

RelationName parse_relation(std::string_view text) {
  const auto filter = text.find(kWekaFilter);
  const bool was_filtered = filter != std::string_view::npos;
  auto rest = text;
  while (!rest.empty()) {
    const auto word = take_word(rest);
    if (word != "-C" && word != "-c") continue;
    auto number = take_word(rest);
    // The name of a filter is appended without a blank: "-C 45-weka.filters.".
    number = number.substr(0, number.find(kWekaFilter));
    const auto count = integer_in(number);
    if (!count) continue;
    const std::string_view before(text.data(), as_size(word.data() - text.data()));
    return {std::string(trimmed(before.substr(0, before.find(':')))), count, was_filtered};
  }
  return {std::string(trimmed(text)), std::nullopt, was_filtered};
}

}  // namespace mugrad::formats
