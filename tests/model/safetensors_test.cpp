// SPDX-License-Identifier: MIT
#include "model/safetensors.h"

#include "support/small_model.h"

#include <mugrad/core/error.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace mugrad::safetensors {
namespace {

using mugrad::testing::file_of;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using ::testing::ThrowsMessage;

void expect_refused(const std::string& bytes, const std::string& words) {
  EXPECT_THAT([&] { parse(bytes, "x.mugrad"); },
              ThrowsMessage<InputError>(AllOf(StartsWith("x.mugrad is "), HasSubstr(words))))
      << bytes.substr(0, 200);
}

/// A file of 16 bytes of data with one tensor 'a' of this description.
std::string with_tensor(const std::string& description) {
  return file_of(R"({"a":)" + description + "}", std::string(16, 'x'));
}

TEST(Safetensors, TensorsAreReadBackAsWritten) {
  const Contents contents{.metadata = {{"key", "value"}},
                          .tensors = {{"odd", {"I32", {3}, "abcdefghijkl"}},
                                      {"wide", {"F64", {1, 1}, "12345678"}},
                                      {"none", {"F64", {0}, ""}}}};
  std::string bytes;
  write(
      contents, [&](std::string_view piece) { bytes += piece; }, "a");
  const Contents found = parse(bytes, "a");
  EXPECT_EQ(found.metadata, contents.metadata);
  ASSERT_EQ(found.tensors.size(), 3U);
  EXPECT_EQ(found.tensors.at("odd").bytes, "abcdefghijkl");
  EXPECT_EQ(found.tensors.at("odd").shape, std::vector<Index>{3});
  EXPECT_EQ(found.tensors.at("wide").dtype, "F64");
  const auto start = [&](const char* name) {
    return found.tensors.at(name).bytes.data() - bytes.data();
  };
  EXPECT_EQ(start("wide") % 8, 0);
  EXPECT_EQ(start("odd") % 4, 0);
}

TEST(Safetensors, WhatIsNoSuchFileIsRefused) {
  expect_refused(
      "", "is not a Mugrad model: it has 0 bytes, but the length of its header alone takes 8");
  expect_refused("@relation emotions\n", "it does not start with the length of a header");
  const std::string quintillion("\x00\x00\x64\xa7\xb3\xb6\xe0\x0d", 8);  // 10^18
  expect_refused(quintillion + "{}", "it does not start with the length of a header");
  expect_refused(std::string(8, '\xff') + "{}", "the length of a header");
  expect_refused(file_of("", ""), "its header is not a JSON object");
  expect_refused(file_of("[]", ""), "its header is not a JSON object");
  expect_refused(file_of(" {}", ""), "its header is not a JSON object");
  expect_refused(file_of("{\"a\":}", ""), "its header is not JSON at byte 6");
  expect_refused(file_of("{} x", ""), "its header is not JSON at byte 4");
  expect_refused(file_of("{\"\xff\":1}", ""), "its header is not JSON");
  expect_refused(file_of("{\"a\":1e999}", ""), "a number that is out of range");
}

TEST(Safetensors, HeaderBeyondTheEndIsCutShort) {
  expect_refused(file_of("{}        ", "").substr(0, 12), "is truncated: 18 bytes expected, 12");
}

TEST(Safetensors, DuplicateKeysAreRefused) {
  const std::string tensor = R"({"dtype":"F64","shape":[2],"data_offsets":[0,16]})";
  expect_refused(file_of("{\"a\":" + tensor + ",\"a\":" + tensor + "}", std::string(16, 'x')),
                 "its header has the key 'a' twice");
  expect_refused(with_tensor(R"({"dtype":"F64","dtype":"F64","shape":[2],"data_offsets":[0,16]})"),
                 "the key 'dtype' twice");
}

TEST(Safetensors, DeepNestingIsRefused) {
  for (const std::size_t depth : {17UL, 1'000'000UL}) {
    expect_refused(file_of("{\"a\":" + std::string(depth, '['), ""), "nested more than 16 levels");
  }
  std::string objects;
  for (int level = 0; level < 100'000; ++level) objects += "{\"a\":";
  expect_refused(file_of(objects, ""), "nested more than 16 levels");
}

TEST(Safetensors, MetadataMustBeStrings) {
  expect_refused(file_of(R"({"__metadata__":[]})", ""), "its metadata is not a JSON object");
  expect_refused(file_of(R"({"__metadata__":{"a":1}})", ""), "its metadata 'a' is not a string");
}

TEST(Safetensors, TensorDescriptionsAreChecked) {
  const std::string good = R"({"dtype":"F64","shape":[2],"data_offsets":[0,16]})";
  EXPECT_NO_THROW(parse(with_tensor(good), "x"));
  for (const char* description :
       {"1", "null", "[]", "{}", R"({"dtype":"F64","shape":[2]})",
        R"({"dtype":"F64","shape":[2],"data_offsets":[0,16],"more":1})"}) {
    expect_refused(with_tensor(description), "tensor 'a' must have dtype, shape and data_offsets");
  }
  for (const char* dtype : {R"("F63")", R"("f64")", "64", "null", R"("")"}) {
    expect_refused(
        with_tensor(std::string(R"({"shape":[2],"data_offsets":[0,16],"dtype":)") + dtype + "}"),
        std::string("tensor 'a' has the unknown type ") + dtype);
  }
  for (const char* shape :
       {"[-2]", "[2.0]", "2", "[\"2\"]", "[[2]]", "[1e1]", "[99999999999999999999]", "null"}) {
    expect_refused(
        with_tensor(std::string(R"({"dtype":"F64","data_offsets":[0,16],"shape":)") + shape + "}"),
        "the shape of tensor 'a' must list whole numbers >= 0");
  }
  for (const char* offsets : {"[0]", "[0,16,16]", "[-1,15]", "[0,16.5]", "16", "{}"}) {
    expect_refused(
        with_tensor(std::string(R"({"dtype":"F64","shape":[2],"data_offsets":)") + offsets + "}"),
        "the data_offsets of tensor 'a' must be two whole numbers >= 0");
  }
}

TEST(Safetensors, SizesThatOverflowAreRefused) {
  const auto tensor = [](const std::string& shape, const std::string& offsets) {
    return with_tensor(R"({"dtype":"F64","shape":)" + shape + R"(,"data_offsets":)" + offsets +
                       "}");
  };
  const std::string too_large = "the shape of tensor 'a' is larger than any file";
  expect_refused(tensor("[2305843009213693952]", "[0,0]"), too_large);     // * 8 = 2^64
  expect_refused(tensor("[4294967296,4294967296]", "[0,0]"), too_large);   // 2^64
  expect_refused(tensor("[18446744073709551615,0]", "[0,0]"), too_large);  // no Index
  expect_refused(tensor("[2]", "[16,0]"), "are out of range");
  expect_refused(tensor("[2]", "[18446744073709551600,18446744073709551615]"), "are out of range");
  expect_refused(tensor("[2]", "[0,8]"), "has 8 bytes, but its shape and type require 16");
  expect_refused(tensor("[]", "[0,16]"), "has 16 bytes, but its shape and type require 8");
  expect_refused(tensor("[1000000000000]", "[0,8000000000000]"), "is truncated: 8000000000");
}

TEST(Safetensors, TensorsMustFillTheFileOneAfterTheOther) {
  const auto two = [](const std::string& first, const std::string& second) {
    return file_of(R"({"a":{"dtype":"U8","shape":[8],"data_offsets":)" + first +
                       R"(},"b":{"dtype":"U8","shape":[8],"data_offsets":)" + second + "}}",
                   std::string(16, 'x'));
  };
  EXPECT_NO_THROW(parse(two("[0,8]", "[8,16]"), "x"));
  EXPECT_NO_THROW(parse(two("[8,16]", "[0,8]"), "x"));
  expect_refused(two("[0,8]", "[4,12]"), "tensor 'b' overlaps another");
  expect_refused(two("[0,8]", "[0,8]"), "overlaps another");
  expect_refused(two("[0,8]", "[9,17]"), "there is a gap before tensor 'b'");
  expect_refused(two("[1,9]", "[9,17]"), "there is a gap before tensor 'a'");
  expect_refused(file_of(R"({"a":{"dtype":"U8","shape":[8],"data_offsets":[0,8]}})", "123456789"),
                 "1 bytes follow its last tensor");
  expect_refused(file_of("{}", "123"), "3 bytes follow its last tensor");
}

}  // namespace
}  // namespace mugrad::safetensors
