// SPDX-License-Identifier: MIT
#include "model/model_frame.h"
#include "support/random_heads.h"
#include "support/small_model.h"
#include "support/temporary_folder.h"

#include <mugrad/core/error.h>
#include <mugrad/core/random.h>
#include <mugrad/model/model.h>
#include <mugrad/version.h>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <string>

namespace mugrad {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using testing::doctored;
using ::testing::HasSubstr;
using testing::read_file;
using testing::small_model;
using ::testing::StartsWith;
using testing::TemporaryFolder;
using ::testing::ThrowsMessage;

class ModelFile : public ::testing::Test {
 protected:
  /// The bytes of a saved model.
  std::string saved(const ModelContents& contents) const {
    Model(contents).save(path_);
    return read_file(path_);
  }

  void expect_refused(const std::string& bytes, const std::string& words) const {
    folder_.write("a.mugrad", bytes);
    EXPECT_THAT([&] { Model::load(path_); },
                ThrowsMessage<InputError>(AllOf(StartsWith(path_.string()), HasSubstr(words))));
  }

  /// What load makes of any bytes: a valid model or an InputError, nothing else.
  void expect_model_or_refusal(const std::string& bytes) const {
    folder_.write("a.mugrad", bytes);
    try {
      const Model model = Model::load(path_);
      EXPECT_NO_THROW(Model(model.contents()));
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), StartsWith(path_.string()));
    }
  }

  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_ / "a.mugrad";
};

/// Overwrites number `index` of a tensor.
template <class Number>
std::function<void(json&, std::string&)> with_number(const char* tensor, std::size_t index,
                                                     Number number) {
  return [=](json& header, std::string& data) {
    const std::size_t begin = header[tensor]["data_offsets"][0];
    std::memcpy(data.data() + begin + index * sizeof number, &number, sizeof number);
  };
}

/// Replaces an entry of the metadata.
std::function<void(json&, std::string&)> with_metadata(const char* key, const std::string& value) {
  return [=](json& header, std::string&) { header["__metadata__"][key] = value; };
}

TEST_F(ModelFile, GivesBackWhatWasSaved) {
  const auto contents = small_model();
  Model(contents).save(path_);
  EXPECT_EQ(Model::load(path_).contents(), contents);
}

TEST_F(ModelFile, GivesBackDoublePrecisionAndNoNames) {
  auto contents = small_model();
  Matrix<double> weights(2, 3, 1.0 / 3);
  weights(0, 0) = -0.0;
  weights(1, 2) = std::numeric_limits<double>::denorm_min();
  contents.weights = weights;
  contents.feature_names.clear();
  contents.label_names.clear();
  contents.relations = {.cols = 3, .row_start = {0, 0, 0, 0}, .column = {}, .value = {}};
  contents.options.clear();
  contents.report = {};
  for (const auto kind : representation_kinds()) {
    contents.representation.kind = kind;
    contents.representation.row_length = kind == RepresentationKind::unit_row ? 1
                                         : has_row_length(kind)               ? 1.0 / 3
                                                                              : 0;
    contents.representation.term_weight.clear();
    if (kind == RepresentationKind::tfidf) contents.representation.term_weight = {1, 1.0 / 3 + 1};
    if (kind == RepresentationKind::gaussian) testing::add_gaussian(contents);
    Model(contents).save(path_);
    EXPECT_EQ(Model::load(path_).contents(), contents);
  }
}

TEST_F(ModelFile, HasTheLowestFormatThatItsRepresentationIsIn) {
  std::map<std::string, std::vector<std::string_view>> kinds;  // of each format
  auto contents = small_model();
  for (const auto kind : representation_kinds()) {
    contents.representation.kind = kind;
    contents.representation.row_length = has_row_length(kind) ? 1 : 0;
    contents.representation.term_weight.assign(kind == RepresentationKind::tfidf ? 2 : 0, 1);
    if (kind == RepresentationKind::gaussian) testing::add_gaussian(contents);
    doctored(saved(contents), [&](const json& header, const std::string&) {
      kinds[header["__metadata__"]["format_version"]].push_back(to_string(kind));
    });
  }
  EXPECT_THAT(kinds.at("2"), ::testing::ElementsAre("zscore", "none", "unit-row"));
  EXPECT_THAT(kinds.at("3"), ::testing::ElementsAre("unit", "tfidf", "gaussian"));
}

TEST_F(ModelFile, RepresentationsThatDoNotFitTheirKindAreRefused) {
  const auto refused = [](const Representation& representation, const char* message) {
    auto contents = small_model();
    contents.representation = representation;
    EXPECT_THAT([&] { Model{contents}; }, ThrowsMessage<InputError>(HasSubstr(message)));
  };
  Representation unit{.kind = RepresentationKind::unit, .mean = {0, 0}, .deviation = {1, 1}};
  refused(unit, "rows of the representation 'unit' cannot have the length 0");
  unit.row_length = -2;
  refused(unit, "rows of the representation 'unit' cannot have the length -2");
  Representation zscore{.mean = {0, 0}, .deviation = {1, 1}, .row_length = 1};
  refused(zscore, "rows of the representation 'zscore' cannot have the length 1");
  zscore.row_length = 0;
  zscore.term_weight = {1, 1};
  refused(zscore, "the model has 2 weights of terms, 0 expected");
  Representation tfidf{
      .kind = RepresentationKind::tfidf, .mean = {0, 0}, .deviation = {1, 1}, .row_length = 3};
  refused(tfidf, "the model has 0 weights of terms, 2 expected");
  tfidf.term_weight = {1, 0.5};
  refused(tfidf, "is 0.5, which is not in [1, 1000)");
}

/// Readers of version 0.1 want every key of the report, with a text or a number.
TEST_F(ModelFile, WithoutASolveHasTheKeysThatReadersOfItsFormatWant) {
  auto contents = small_model();
  contents.report.solve.reset();
  const auto bytes = saved(contents);
  EXPECT_EQ(Model::load(path_).contents(), contents);
  EXPECT_THAT(bytes, HasSubstr(R"(\"passes\":0)"));
  EXPECT_THAT(bytes, HasSubstr(R"(\"solver\":\"\")"));
  const auto report = json::parse(json_text(contents.report));
  EXPECT_TRUE(report.at("passes").is_null());
  EXPECT_TRUE(report.at("solver").is_null());
}

/// Version 0.1 named a solver and an end where no label had both classes.
TEST_F(ModelFile, OfVersion01ThatSolvedNothingHasNoSolve) {
  auto contents = small_model();
  contents.report.solve = SolveFacts{.solver = "accelerated", .stop = "converged"};
  saved(contents);
  EXPECT_EQ(Model::load(path_).contents().report.solve, std::nullopt);
}

TEST_F(ModelFile, GivesBackASolveWithoutAFixedStep) {
  auto contents = small_model();
  contents.report.solve->fixed_step.reset();
  saved(contents);
  EXPECT_EQ(Model::load(path_).contents(), contents);
}

TEST_F(ModelFile, GivesBackTheIdentityLink) {
  auto contents = small_model();
  contents.head = IndependentHead{Link::identity};
  contents.thresholds = {-1, 0.5, 30};
  Model(contents).save(path_);
  EXPECT_EQ(Model::load(path_).contents(), contents);
}

TEST_F(ModelFile, IsTheSameBytesForTheSameContents) {
  const std::string first = saved(small_model());
  EXPECT_EQ(saved(small_model()), first);
  EXPECT_EQ(saved(Model::load(path_).contents()), first);
}

TEST_F(ModelFile, IsWhatAModelGivesAndTakesAsBytes) {
  const std::string bytes = saved(small_model());
  EXPECT_EQ(Model(small_model()).to_bytes(), bytes);
  EXPECT_EQ(Model::from_bytes(bytes, "kept elsewhere").contents(), small_model());
  EXPECT_THAT([&] { Model::from_bytes(bytes.substr(0, 100), "kept elsewhere"); },
              ThrowsMessage<InputError>(StartsWith("kept elsewhere")));
}

template <class Number>
std::string bytes_of(std::span<const Number> numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()};
}

TEST_F(ModelFile, IsItsFrameAroundItsWeightsAndRelations) {
  auto contents = small_model();
  ASSERT_GT(contents.relations.nonzeros(), 0);
  for (const bool is_double : {false, true}) {
    if (is_double) contents.weights = Matrix<double>(2, 3, 0.5);
    const auto file = saved(contents);
    auto without = contents;
    without.weights = Matrix<float>();
    for (const bool has_relations : {true, false}) {
      if (!has_relations) without.relations.column = {};
      if (!has_relations) without.relations.value = {};
      const auto frame = frame_of(without, is_double, 2, "a model");
      std::string written(file.size(), '?');
      const auto put = [&](Index begin, const std::string& bytes) {
        written.replace(static_cast<std::size_t>(begin), bytes.size(), bytes);
      };
      for (const auto& piece : frame.pieces) put(piece.begin, piece.bytes);
      put(frame.begins.at("weights"),
          std::visit([](const auto& matrix) { return bytes_of(matrix.values()); },
                     std::as_const(contents.weights)));
      EXPECT_EQ(frame.begins.size(), has_relations ? 1U : 3U);
      if (!has_relations) {
        put(frame.begins.at("relations.label"),
            bytes_of(std::span<const LabelId>(contents.relations.column)));
        put(frame.begins.at("relations.strength"),
            bytes_of(std::span<const double>(contents.relations.value)));
      }
      EXPECT_EQ(written, file);
    }
  }
}

TEST_F(ModelFile, SaysInPlainMetadataWhatItIs) {
  doctored(saved(small_model()), [](const json& header, const std::string&) {
    const auto& metadata = header["__metadata__"];
    EXPECT_EQ(metadata["format"], "mugrad-model");
    EXPECT_EQ(metadata["format_version"], "2");
    EXPECT_EQ(metadata["mugrad_version"], kVersion);
    EXPECT_EQ(json::parse(metadata["labels"].get<std::string>())[2], "quiet-still");
    EXPECT_EQ(json::parse(metadata["head"].get<std::string>()),
              json({{"kind", "independent"}, {"link", "logistic"}}));
    EXPECT_EQ(json::parse(metadata["scaling"].get<std::string>())["kind"], "zscore");
    EXPECT_EQ(header["weights"]["dtype"], "F32");
    EXPECT_EQ(header["weights"]["shape"], json({2, 3}));
  });
}

TEST_F(ModelFile, EveryTruncationIsRefused) {
  const std::string whole = saved(small_model());
  for (std::size_t length = 0; length < whole.size(); ++length) {
    expect_refused(whole.substr(0, length), length < 8
                                                ? fmt::format("it has {} bytes", length)
                                                : fmt::format(" bytes expected, {} found", length));
  }
  expect_refused(whole.substr(0, whole.size() - 1),
                 fmt::format("is truncated: {} bytes expected", whole.size()));
}

TEST_F(ModelFile, OtherFilesAreRefused) {
  expect_refused("label,score\n", "is not a Mugrad model");
  const std::string whole = saved(small_model());
  const auto without = [&](const char* key) {
    return doctored(whole, [=](json& header, auto&) { header["__metadata__"].erase(key); });
  };
  expect_refused(without("format"), "is not a Mugrad model: its metadata lacks the format");
  expect_refused(doctored(whole, with_metadata("format", "pt")), "is not a Mugrad model");
  expect_refused(without("format_version"), "is not a Mugrad model: its format_version is ''");
  for (const char* version : {"0", "-1", "1.0", "one", "1 ", "99999999999999999999"}) {
    expect_refused(doctored(whole, with_metadata("format_version", version)),
                   fmt::format("its format_version is '{}'", version));
  }
}

TEST_F(ModelFile, NewerFormatIsRefusedWithBothVersions) {
  const std::string newer = doctored(saved(small_model()), with_metadata("format_version", "4"));
  expect_refused(newer, "was written by a newer Mugrad (format 4, this one reads 3)");
}

TEST_F(ModelFile, HasTheLowestFormatThatItsHeadIsIn) {
  std::map<std::string, std::set<std::string>> kinds;  // of each format
  for (const Model& model : testing::random_model_of_every_head(1)) {
    doctored(saved(model.contents()), [&](const json& header, const std::string&) {
      kinds[header["__metadata__"]["format_version"]].emplace(kind_of(model.contents().head));
    });
  }
  EXPECT_EQ(kinds.at("2").size(), 7U);
  EXPECT_THAT(kinds.at("3"), ::testing::ElementsAre("neighbours"));
  EXPECT_EQ(kinds.size(), 2U);
}

TEST_F(ModelFile, SparseFeaturesOfAHeadThatDoNotFitEachOtherAreRefused) {
  NeighbourHead head{
      .rows =
          CsrMatrix<double>{
              .cols = 2, .row_start = {0, 1, 3}, .column = {1, 0, 1}, .value = {1, 2, 3}},
      .labels = {.cols = 3, .row_start = {0, 1, 1}, .column = {0}},
      .probability = Matrix<double>(3, 2)};
  auto contents = small_model();
  contents.weights = Matrix<double>(2, 0);
  contents.intercepts.clear();
  contents.head = head;
  const std::string whole = saved(contents);
  EXPECT_EQ(Model::from_bytes(whole, "it").contents(), contents);
  const auto with_first = [&](const char* tensor, const auto& number) {
    return doctored(whole, [&](const json& header, std::string& data) {
      const std::size_t begin = header[tensor]["data_offsets"][0];
      std::memcpy(data.data() + begin, &number, sizeof number);
    });
  };
  expect_refused(with_first("head.rows.row_start", Index{1}), "rows are not ascending from 0 to 3");
  expect_refused(with_first("head.rows.row_start", Index{-1}),
                 "rows are not ascending from 0 to 3");
  expect_refused(with_first("head.rows.feature", FeatureId{2}), "rows do not ascend, or are not");
  expect_refused(with_first("head.rows.feature", FeatureId{-1}), "rows do not ascend, or are not");
  expect_refused(with_first("head.rows.value", double{NAN}), "rows of the model is nan");
  expect_refused(doctored(whole,
                          [](json& header, const std::string&) {
                            header["head.value"] = header["head.rows.value"];
                            header.erase("head.rows.value");
                          }),
                 "the tensor 'head.rows.value' is missing");
}

TEST_F(ModelFile, FormatThatWasNeverReleasedIsRefused) {
  const std::string older = doctored(saved(small_model()), with_metadata("format_version", "1"));
  expect_refused(older, "is of format 1, which was used before version 0.1 and never released");
}

TEST_F(ModelFile, UnknownMetadataIsPassedOver) {
  const auto contents = small_model();
  folder_.write("a.mugrad", doctored(saved(contents), with_metadata("note", "from a friend")));
  EXPECT_EQ(Model::load(path_).contents(), contents);
}

TEST_F(ModelFile, MissingUnknownOrMistypedTensorsAreRefused) {
  const std::string whole = saved(small_model());
  expect_refused(doctored(whole,
                          [](json& header, auto&) {
                            header["extra"] = header["thresholds"];
                            header.erase("thresholds");
                          }),
                 "the tensor 'thresholds' is missing");
  expect_refused(
      doctored(
          whole,
          [](json& header, std::string& data) {
            const auto end = data.size();
            header["extra"] = {{"dtype", "U8"}, {"shape", {1}}, {"data_offsets", {end, end + 1}}};
            data += 'x';
          }),
      "the tensor 'extra' does not belong in a model");
  expect_refused(doctored(whole, [](json& header, auto&) { header["weights"]["dtype"] = "I32"; }),
                 "the tensor 'weights' must have the type F32 or F64, not I32");
  expect_refused(
      doctored(whole, [](json& header, auto&) { header["intercepts"]["dtype"] = "I64"; }),
      "the tensor 'intercepts' must have the type F64, not I64");
  expect_refused(doctored(whole, [](json& header, auto&) { header["weights"]["shape"] = {6}; }),
                 "the tensor 'weights' must have 2 dimensions, not 1");
  expect_refused(doctored(whole,
                          [](json& header, auto&) {
                            header["weights"]["shape"] = {3, 2};
                          }),
                 "3 rows of weights, 2 expected");
}

TEST_F(ModelFile, ValuesOutOfRangeAreRefused) {
  const std::string whole = saved(small_model());
  const float not_a_number = std::numeric_limits<float>::quiet_NaN();
  expect_refused(doctored(whole, with_number("weights", 0, not_a_number)),
                 ": the weight of feature 'tempo' for label 'happy' is nan");
  expect_refused(doctored(whole, with_number("thresholds", 1, 2.0)),
                 ": the threshold of label 'sad' is 2, which is not in [0, 1]");
  expect_refused(doctored(whole, with_number("feature_deviation", 1, -1.0)), "is -1");
  expect_refused(doctored(whole, with_number("relations.label", 0, std::int32_t{3})),
                 "the relations of label 'happy' are not ascending labels below 3");
  expect_refused(doctored(whole, with_number("relations.row_start", 3, std::int64_t{1} << 60U)),
                 "the row starts of the relations are not ascending");
  expect_refused(doctored(whole, with_number("relations.row_start", 1, std::int64_t{-1})),
                 "the row starts of the relations are not ascending");
}

TEST_F(ModelFile, DamagedMetadataIsRefused) {
  const std::string whole = saved(small_model());
  const auto expect_entry_refused = [&](const char* key, const std::string& value,
                                        const std::string& words) {
    expect_refused(doctored(whole, with_metadata(key, value)), words);
  };
  for (const std::string key : {"labels", "head"}) {
    expect_refused(doctored(whole, [&](json& header, auto&) { header["__metadata__"].erase(key); }),
                   fmt::format(": its metadata lacks '{}'", key));
  }
  expect_entry_refused("head", R"({"kind": "independent", "link": "probit"})",
                       "its head is unknown: there is no link 'probit'");
  expect_entry_refused("head", R"({"kind": "tree"})",
                       "its head is unknown: there is no kind 'tree'");
  expect_entry_refused("features", "[", "its metadata entry features is not JSON at byte 2");
  expect_entry_refused("features", "{}", "its metadata entry features must be a list");
  expect_entry_refused("features", "[\"a\"]", "1 feature names, 2 expected");
  expect_entry_refused("labels", "[\"a\",1,\"c\"]", "entry labels[1] must be a string, got 1");
  expect_entry_refused("labels", R"(["a","b","a"])", ": two labels of the model are called 'a'");
  expect_entry_refused("labels", std::string(100, '['), "is nested more than 16 levels deep");
  expect_entry_refused("scaling", "\"zscore\"",
                       "its metadata entry scaling must be an object with 'kind'");
  expect_entry_refused("scaling", "{\"kind\":\"magic\"}", "its representation is unknown");
  expect_entry_refused("options", "[]", "its metadata entry options must be an object");
  expect_entry_refused("options", "{\"rho\":1}", "entry options.rho must be a string, got 1");
  expect_entry_refused("options", R"({"a":"1","a":"2"})", "options has the key 'a' twice");
  expect_entry_refused("report", "{}", "its metadata entry report lacks '");

  auto report = json::parse(R"({"method":"","solver":"","stop":"","rows":0,"passes":0,"step":0,
    "curvature":0,"first_residual":0,"residual":0,"total_loss":0,"constant_labels":[],
    "warnings":[]})");
  const auto expect_report_refused = [&](const char* key, const json& value,
                                         const std::string& words) {
    json changed = report;
    changed[key] = value;
    expect_entry_refused("report", changed.dump(), words);
  };
  expect_report_refused("rows", 1.5, "report.rows must be a whole number of at least 0, got 1.5");
  expect_report_refused("rows", -1, "report.rows must be a whole number of at least 0, got -1");
  expect_report_refused("rows", std::uint64_t{1} << 63U, "must be a whole number of at least 0");
  expect_report_refused("step", nullptr, "entry report.step must be a number");
  expect_report_refused("constant_labels", {std::int64_t{1} << 40U},
                        "entry report.constant_labels[0] must be a whole number from 0 to");
  expect_report_refused("constant_labels", {7}, "names label 7 as constant");
}

TEST_F(ModelFile, ADamagedSampleOfTrainingRowsIsRefused) {
  const std::string whole = saved(small_model());
  const auto expect_sample_refused = [&](const json& sample, const std::string& words) {
    expect_refused(doctored(whole, with_metadata("trained_on", sample.dump())), words);
  };
  expect_sample_refused({{"hash", {1}}}, "its metadata entry trained_on lacks 'count'");
  expect_sample_refused({{"hash", {-1}}, {"count", {1}}},
                        "entry trained_on.hash[0] must be a whole number of at least 0, got -1");
  expect_sample_refused({{"hash", {1}}, {"count", {0}}},
                        "entry trained_on.count[0] must be a whole number of at least 1, got 0");
  expect_sample_refused({{"hash", {1, 2}}, {"count", {1}}},
                        ": the model has 1 counts of its training rows, 2 expected");
  expect_sample_refused({{"hash", {2, 2}}, {"count", {1, 1}}},
                        ": the hashes of the training rows do not ascend at number 1");
  expect_sample_refused({{"hash", {1}}, {"count", {(std::int64_t{1} << 40U) + 1}}},
                        ": training row 0 of the sample occurs 1099511627777 times");
  const std::vector<Index> many(RowSample::kMost + 1, 1);
  expect_sample_refused({{"hash", many}, {"count", many}},
                        ": the model has a sample of 257 of its training rows, at most 256");
}

TEST_F(ModelFile, NumbersThatDriveWorkAreBounded) {
  auto contents = small_model();
  contents.weights = Matrix<float>(2, 6, 1);
  contents.intercepts.resize(6);
  contents.head = FeedbackHead{.label_weights = Matrix<double>(3, 3)};
  const std::string whole = saved(contents);
  for (const char* rounds : {"101", "4611686018427387904"}) {
    const auto head = fmt::format(R"({{"kind":"feedback","rounds":{}}})", rounds);
    expect_refused(
        doctored(whole, with_metadata("head", head)),
        fmt::format(": the model has {} feedback rounds, from 0 to 100 expected", rounds));
  }
  for (const char* rounds : {"-1", "1e30", "3.5", "9223372036854775808", "\"3\"", "null"}) {
    const auto head = fmt::format(R"({{"kind":"feedback","rounds":{}}})", rounds);
    expect_refused(doctored(whole, with_metadata("head", head)),
                   "its metadata entry head.rounds must be a whole number of at least 0, got ");
  }
}

TEST(Model, WithTwoLabelsOfOneNameIsRefused) {
  auto contents = small_model();
  contents.label_names[2] = contents.label_names[0];
  EXPECT_THAT([&] { const Model model(contents); },
              ThrowsMessage<InputError>("two labels of the model are called 'happy'"));
}

TEST_F(ModelFile, EveryFlippedByteGivesAModelOrARefusal) {
  const std::string whole = saved(small_model());
  RandomStream random(1, "flip");
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string flipped = whole;
    const auto bits = static_cast<unsigned char>(1 + random.below(255));
    flipped[at] = static_cast<char>(static_cast<unsigned char>(flipped[at]) ^ bits);
    expect_model_or_refusal(flipped);
  }
}

TEST_F(ModelFile, RandomDamageGivesAModelOrARefusal) {
  const std::string whole = saved(small_model());
  for (std::uint64_t round = 0; round < 2000; ++round) {
    RandomStream random(2, "damage", round);
    std::string damaged = whole;
    for (auto changes = 1 + random.below(8); changes > 0; --changes) {
      const auto at = random.below(damaged.size() + 1);
      const auto removed = random.below(9);
      // Bytes that mean something to JSON or to numbers find more than arbitrary ones.
      constexpr std::string_view kTelling("{}[]\",:0129-.e\\\0\x7f\xff", 18);
      std::string inserted;
      for (auto count = random.below(3); count > 0; --count) {
        inserted += kTelling[random.below(kTelling.size())];
      }
      const std::string tail = damaged.size() > at + removed ? damaged.substr(at + removed) : "";
      damaged = damaged.substr(0, at) + inserted + tail;
    }
    expect_model_or_refusal(damaged);
  }
}

TEST_F(ModelFile, FailedSaveKeepsTheOldModel) {
  const std::string whole = saved(small_model());
  EXPECT_THAT([&] { Model(small_model()).save("/dev/full"); },
              ThrowsMessage<InputError>("cannot write /dev/full: No space left on device"));
  EXPECT_THROW(Model(small_model()).save(path_ / "below"), InputError);
  EXPECT_EQ(read_file(path_), whole);
}

TEST_F(ModelFile, MissingFileIsNamed) {
  EXPECT_THAT(
      [&] { Model::load(path_); },
      ThrowsMessage<InputError>("cannot read " + path_.string() + ": No such file or directory"));
}

TEST_F(ModelFile, IsRecognisedByItsBeginning) {
  const std::string whole = saved(small_model());
  EXPECT_TRUE(looks_like_model(path_));
  EXPECT_TRUE(looks_like_model(folder_.write("cut", whole.substr(0, whole.size() / 2))));
  EXPECT_FALSE(looks_like_model(folder_.write("empty", "")));
  EXPECT_FALSE(looks_like_model(folder_.write("text", "@relation mugrad-model\n@data\n")));
  EXPECT_FALSE(looks_like_model(folder_.write("other", testing::file_of("{}", ""))));
  EXPECT_FALSE(looks_like_model(folder_ / "missing"));
  EXPECT_FALSE(looks_like_model(folder_.path()));
  const auto pipe = folder_ / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_FALSE(looks_like_model(pipe));
}

}  // namespace
}  // namespace mugrad
