// SPDX-License-Identifier: MIT
#include "support/random_texts.h"

#include <unicode/unistr.h>

#include <array>

namespace mugrad::testing {
namespace {

struct Range {
  char32_t first, last;
};

/// Every value of Word_Break, in several scripts.
constexpr Range kRanges[] = {
    {'a', 'z'},         {'A', 'Z'},         {'0', '9'},         {' ', '/'},
    {':', '@'},         {'\'', '\''},       {'.', '.'},         {',', ','},
    {':', ';'},         {'_', '_'},         {'"', '"'},         {'\n', '\r'},
    {0xAD, 0xAD},       {0xB2, 0xB7},       {0xC0, 0xFF},       {0x130, 0x131},
    {0x300, 0x308},     {0x387, 0x3C9},     {0x410, 0x44F},     {0x5D0, 0x5EA},
    {0x5D0, 0x5D3},     {0x5F3, 0x5F4},     {0x61C, 0x66C},     {0x905, 0x94D},
    {0xE01, 0xE4E},     {0x10A0, 0x10FF},   {0x1E9E, 0x1E9E},   {0x2000, 0x200D},
    {0x200D, 0x200D},   {0x2018, 0x2019},   {0x203F, 0x2040},   {0x2024, 0x2027},
    {0x2160, 0x216B},   {0x24B6, 0x24D0},   {0x2600, 0x2764},   {0x3005, 0x3007},
    {0x3041, 0x3096},   {0x30A1, 0x30FE},   {0x4E00, 0x4E20},   {0xAC00, 0xAC20},
    {0xFE0F, 0xFE0F},   {0xFE50, 0xFE55},   {0xFF07, 0xFF1B},   {0xFF70, 0xFF9F},
    {0x10400, 0x1044F}, {0x1D400, 0x1D433}, {0x1F1E6, 0x1F1FF}, {0x1F3FB, 0x1F3FF},
    {0x1F466, 0x1F469}, {0x20000, 0x20010}, {0xE0020, 0xE0040},
};

}  // namespace

std::string utf8_of(std::u32string_view characters) {
  std::string result;
  for (const char32_t c : characters) {
    icu::UnicodeString(static_cast<UChar32>(c)).toUTF8String(result);
  }
  return result;
}

char32_t random_character(std::mt19937_64& random) {
  const auto choice = random() % (std::size(kRanges) + 1);
  if (choice < std::size(kRanges)) {
    const Range range = kRanges[choice];
    return range.first + static_cast<char32_t>(random() % (range.last - range.first + 1));
  }
  constexpr char32_t kSurrogates = 0xD800;
  constexpr char32_t kSurrogateCount = 0x800;
  const auto any = static_cast<char32_t>(random() % (0x110000 - kSurrogateCount));
  return any < kSurrogates ? any : any + kSurrogateCount;
}

std::u32string random_characters(std::mt19937_64& random, std::size_t most) {
  std::u32string result;
  const bool has_blanks = random() % 2 == 0;
  const std::size_t count = random() % (most + 1);
  while (result.size() < count) {
    result += has_blanks && random() % 5 == 0 ? U' ' : random_character(random);
  }
  return result;
}

std::vector<std::string> random_texts(std::size_t count, std::uint64_t seed) {
  constexpr std::array<std::string_view, 12> kWords = {
      "the", "The", "cat", "cats", "a", "don't", "3,14", "naïve", "ΟΔΟΣ", "東京", "x", "re-read"};
  std::mt19937_64 random(seed);
  std::vector<std::string> texts(count);
  for (auto& text : texts) {
    const std::size_t words = random() % 20;
    for (std::size_t i = 0; i < words; ++i) text.append(kWords[random() % 12]).append(" ");
    if (random() % 3 == 0) text += utf8_of(random_characters(random, 30));
  }
  return texts;
}

std::vector<std::string_view> views_of(const std::vector<std::string>& texts) {
  return {texts.begin(), texts.end()};
}

}  // namespace mugrad::testing
