// SPDX-License-Identifier: MIT
#include "support/data_files.h"

#include <mugrad/core/error.h>
#include <mugrad/data/files.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace mugrad {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class Files : public ::testing::Test {
 protected:
  Format recognised(std::string_view name, std::string_view content) {
    return recognise_format(files.write(name, content));
  }

  testing::DataFiles files;
};

TEST_F(Files, TextsAreXmcOnlyIfTheirFirstLineIs) {
  EXPECT_EQ(recognised("a.txt", "text,label\nnice,1\n"), Format::csv);
  EXPECT_EQ(recognised("a.txt", "text\tlabel\nnice\t1\n"), Format::csv);
  EXPECT_EQ(recognised("a.txt", "1 2 2\n0 0:1\n"), Format::xmc);
  EXPECT_EQ(recognised("a.txt", "one two\n"), Format::xmc) << "nothing else has this ending";
  EXPECT_EQ(recognised("a.xmc", "text,label\nnice,1\n"), Format::xmc);
}

TEST_F(Files, FormatIsRecognisedByContentWhateverTheEnding) {
  EXPECT_EQ(recognised("a.txt", "% c\n\n@RELATION r\n@attribute x numeric\n@data\n1\n"),
            Format::arff);
  EXPECT_EQ(recognised("a.csv", "2 3 4\n0 1:1\n1 2:1\n"), Format::xmc);
  EXPECT_EQ(recognised("a.txt", "0,3 1:0.5 7:2\n"), Format::libsvm);
  EXPECT_EQ(recognised("a.data", " 1:0.5\n"), Format::libsvm);
  EXPECT_EQ(recognised("a.data", "1,2\n3\n4,5 1:1\n"), Format::libsvm);
  EXPECT_EQ(recognised("a.data", "# made by a tool\n1 1:1\n"), Format::libsvm);
  EXPECT_EQ(recognised("a.data", "a,b,c\n1,2,0\n"), Format::csv);
  EXPECT_EQ(recognised("a.data", "a;b\n1;2\n"), Format::csv);
  EXPECT_EQ(recognised("a.data", "a\tb\n1\t2\n"), Format::csv);
  EXPECT_EQ(recognised("a.data", "a|b\n1|2\n"), Format::csv);
  EXPECT_EQ(recognised("a.csv", "\n {\"a\": 1}\n"), Format::jsonl);
  EXPECT_EQ(recognised("a.txt", "{ }\n"), Format::jsonl);
}

TEST_F(Files, JsonThatIsNotLinesIsRecognisedForWhatItIs) {
  EXPECT_EQ(recognised("a.json", "[\n  {\n    \"a\": 1\n  }\n]\n"), Format::jsonl);
  EXPECT_EQ(recognised("a.json", "{\n  \"a\": 1\n}\n"), Format::jsonl);
  EXPECT_EQ(recognised("a.csv", "[id],{x}\n1,2\n"), Format::csv);
  EXPECT_EQ(recognised("a.data", "{}x,y\n1,2\n"), Format::csv);
  EXPECT_EQ(recognised("a.arff", "@relation r\n@attribute a numeric\n@data\n{0 1}\n"),
            Format::arff);
}

TEST_F(Files, BlankLinesAndCommentsAloneAreRefused) {
  for (const std::string_view content :
       {"\n", " \n", "\r\n\r\n", "% comment\n", "%", "\n\n % c\n"}) {
    SCOPED_TRACE(content);
    for (const auto* name : {"a.csv", "a.tsv", "a.txt", "a.arff", "a.jsonl", "a.data"}) {
      SCOPED_TRACE(name);
      EXPECT_THAT(files.error(name, content, {.labels_optional = true}), StartsWith(name));
    }
    EXPECT_EQ(recognised("a.csv", content), Format::csv);
    EXPECT_THAT(files.error("a.data", content), HasSubstr("the format is not known"));
  }
}

TEST_F(Files, DelimitersHaveNames) {
  EXPECT_EQ(delimiter_named(","), ',');
  EXPECT_EQ(delimiter_named(";"), ';');
  EXPECT_EQ(delimiter_named("|"), '|');
  for (const auto* tab : {"tab", "\\t", "\t"}) EXPECT_EQ(delimiter_named(tab), '\t');
  EXPECT_EQ(files.error_of([] { delimiter_named("::"); }),
            "there is no delimiter '::'; there are , ; | and tab");
  files.write("a.svm", "0 1:1\n");
  EXPECT_EQ(
      files.error_of([&] { read_dataset(files / "a.svm", {.delimiter = ';'}); }),
      "ReadOptions::delimiter says what separates cells, and the format of libsvm files fixes "
      "it");
}

TEST_F(Files, LineWithFeaturesIsNotTakenForAnXmcHeader) {
  EXPECT_EQ(recognised("a.txt", "1 2:3 4:5\n"), Format::libsvm);
}

TEST_F(Files, EndingDecidesWhereTheContentDoesNot) {
  EXPECT_EQ(recognised("a.csv", "1,2,3\n4,5,6\n"), Format::csv);
  EXPECT_EQ(recognised("a.svm", "1,2,3\n4,5,6\n"), Format::libsvm);
  EXPECT_EQ(recognised("a.csv", "single\n1\n"), Format::csv);
}

TEST_F(Files, FormatThatCannotBeToldIsAnErrorThatSaysHowToName) {
  EXPECT_THAT(
      files.error("a.dat", "hello world\n"),
      AllOf(HasSubstr("the format is not known"), HasSubstr("set it with ReadOptions::format")));
}

TEST_F(Files, GivenFormatIsTaken) {
  EXPECT_EQ(files.read("a.txt", "1 1:2\n", {.format = Format::libsvm}).rows(), 1);
}

TEST_F(Files, EmptyAndBinaryFilesAreRefused) {
  EXPECT_EQ(files.error("a.arff", ""), "a.arff is empty");
  EXPECT_EQ(files.error("a.arff", "\xEF\xBB\xBF"), "a.arff is empty");
  EXPECT_THAT(files.error("a.csv", std::string_view("\x89PNG\r\n\x1a\n\0\0", 10)),
              AllOf(StartsWith("a.csv:2:1: byte 0x1a"), HasSubstr("text")));
  EXPECT_THAT(files.error("b.csv", std::string(5000, 'a') + std::string(1, '\0')),
              StartsWith("b.csv:1:5001: byte 0x00"));
  EXPECT_THAT(files.error_of([&] { read_dataset(files / "none.arff"); }), HasSubstr("none.arff"));
}

TEST_F(Files, WritingArffReplacesNoFileBesideItThatNamesNoLabels) {
  const auto data = files.read("a.csv", "x,y\n1,0\n2,1\n", {.label_count = -1});
  files.write("b.xml", "<settings/>");
  EXPECT_THAT(files.error_of([&] { write_dataset(data, files / "b.arff"); }),
              AllOf(HasSubstr("b.xml would be replaced"), HasSubstr("expected <labels>")));
  EXPECT_EQ(testing::read_file(files / "b.xml"), "<settings/>");
  EXPECT_FALSE(std::filesystem::exists(files / "b.arff"));
}

TEST_F(Files, ArffBehindLinksIsReplacedWithItsLabels) {
  const auto data = files.read("a.csv", "x,y\n1,0\n2,1\n", {.label_count = -1});
  files.write("real.arff", "@relation r\n@attribute z numeric\n@data\n1\n");
  files.write("real.xml", R"(<labels><label name="z"/></labels>)");
  std::filesystem::create_symlink("real.arff", files / "b.arff");
  std::filesystem::create_symlink("real.xml", files / "b.xml");
  write_dataset(data, files / "b.arff");
  EXPECT_TRUE(std::filesystem::is_symlink(files / "b.arff"));
  EXPECT_TRUE(std::filesystem::is_symlink(files / "b.xml"));
  EXPECT_THAT(read_dataset(files / "real.arff").label_names, ElementsAre("y"));
}

TEST_F(Files, FilesOfADataSetAreThoseThatWritingItMakes) {
  const auto data = files.read("a.csv", "x,y\n1,0\n2,1\n", {.label_count = -1});
  for (const FormatInfo& info : file_formats()) {
    const auto path = files / ("b" + std::string(info.endings.front()));
    EXPECT_EQ(files_of_dataset(path), write_dataset(data, path));
  }
}

TEST_F(Files, FormatsHaveNames) {
  for (std::size_t k = 0; k < file_formats().size(); ++k) {
    const FormatInfo& info = file_formats()[k];
    EXPECT_EQ(static_cast<std::size_t>(info.format), k);
    EXPECT_EQ(&info_of(info.format), &info_of(format_named(info.name)));
    EXPECT_EQ(to_string(info.format), info.name);
    EXPECT_THAT(info.endings, ::testing::Contains("." + std::string(info.name)));
  }
  EXPECT_THAT(files.error_of([] { format_named("xls"); }),
              AllOf(HasSubstr("'xls'"), HasSubstr("arff, libsvm, xmc, csv, jsonl")));
}

TEST_F(Files, EndingNamesTheFormatToWrite) {
  const auto data = files.read("a.svm", "0 1:2\n1 2:3\n");
  EXPECT_THAT(write_dataset(data, files / "b.arff"),
              ElementsAre(files / "b.arff", files / "b.xml"));
  EXPECT_THAT(write_dataset(data, files / "b.libsvm"), ElementsAre(files / "b.libsvm"));
  EXPECT_THAT(write_dataset(data, files / "b.data", Format::csv), ElementsAre(files / "b.data"));
  EXPECT_EQ(testing::read_file(files / "b.libsvm"), "0 1:2\n1 2:3\n");
  EXPECT_EQ(testing::read_file(files / "b.data"), "f0,f1,l0,l1\n2,0,1,0\n0,3,0,1\n");
  EXPECT_THROW(write_dataset(data, files / "b.data"), UsageError);
  EXPECT_THROW(write_dataset(data, files / "b.xml", Format::arff), UsageError);
  write_dataset(data, files / "b.xmc");
  EXPECT_EQ(testing::read_file(files / "b.xmc"), "2 2 2\n0 0:2\n1 1:3\n");
  EXPECT_EQ(testing::read_file(files / "b.arff"),
            "@relation a\n\n@attribute f0 numeric\n@attribute f1 numeric\n@attribute l0 {0,1}\n"
            "@attribute l1 {0,1}\n\n@data\n{0 2,2 1}\n{1 3,3 1}\n");
}

TEST_F(Files, LastFeatureWithoutValuesSurvivesInLibsvm) {
  const auto data = files.read("a.xmc", "2 4 1\n0 1:1\n\n");
  write_dataset(data, files / "b.svm");
  EXPECT_EQ(testing::read_file(files / "b.svm"), "0 2:1 4:0\n \n");
  EXPECT_EQ(read_dataset(files / "b.svm").x, data.x);
}

TEST_F(Files, NamesThatCannotBeWrittenAreRefused) {
  Dataset data;
  data.x = Matrix<double>(1, 2);
  data.feature_names = {"a", "a"};
  data.y.end_row();
  const auto error = [&] { return files.error_of([&] { write_dataset(data, files / "a.csv"); }); };
  EXPECT_THAT(error(), HasSubstr("two columns are called 'a'"));
  data.feature_names[1] = "bell\a";
  EXPECT_THAT(error(), HasSubstr("'bell\\x07'"));
  data.feature_names[1] = "";
  EXPECT_THAT(error(), HasSubstr("without a name"));
  data.feature_names[1] = "b";
  data.x.dense()(0, 1) = std::numeric_limits<double>::infinity();
  EXPECT_THAT(error(), HasSubstr("feature 'b' of example 0 is infinite"));
  EXPECT_FALSE(std::filesystem::exists(files / "a.csv"));
}

TEST_F(Files, MissingValuesAreFilledPerColumn) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Matrix<double> dense(2, 2);
  dense(0, 0) = nan;
  dense(1, 1) = nan;
  Features features = dense;
  fill_missing(features, std::vector<double>{5, 7});
  EXPECT_THAT(features.dense().values(), ElementsAre(5, 0, 0, 7));

  CsrMatrix<double> sparse;
  sparse.cols = 2;
  sparse.row_start = {0, 2, 3};
  sparse.column = {0, 1, 0};
  sparse.value = {nan, nan, 4};
  features = sparse;
  fill_missing(features, std::vector<double>{0, 7});
  EXPECT_THAT(features.sparse().column, ElementsAre(1, 0)) << "a mean of 0 is no entry";
  EXPECT_THAT(features.sparse().value, ElementsAre(7, 4));
  EXPECT_THAT(features.sparse().row_start, ElementsAre(0, 1, 2));
}

TEST_F(Files, MissingValuesOfBorrowedFeaturesAreFilledInACopy) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> values = {nan, 0, 0, 3};
  Features features(DenseView<float>{2, 2, values.data()}, nullptr);
  fill_missing(features, std::vector<double>{5, 7});
  EXPECT_THAT(features.dense().values(), ElementsAre(5, 0, 0, 3));
  EXPECT_TRUE(std::isnan(values[0]));

  const std::vector<float> complete = {1, 0, 0, 3};
  features = Features(DenseView<float>{2, 2, complete.data()}, nullptr);
  fill_missing(features, std::vector<double>{5, 7});
  EXPECT_TRUE(features.is_borrowed());
}

TEST_F(Files, NamesThatAreNotUtf8AreReadAsLatin1AndToldOf) {
  std::string told;
  const auto data = read_dataset(files.write("latin.csv", "m\xFAsica,a\n1,0\n2,1\n"),
                                 {.label_count = -1, .note = [&](const auto& n) { told = n; }});
  EXPECT_EQ(data.feature_names[0], "m\xC3\xBAsica");
  EXPECT_THAT(told, ::testing::HasSubstr("Latin-1"));
}

TEST_F(Files, ColumnsOfANominalAreNotTakenForValuesOfAnIdentifierWithAShorterName) {
  // `id` is left out of the training; `id=kind` has values of its own.
  const auto file = files.write("t.csv", "id,id=kind,l\na,red,0\nb,blue,1\nc,red,1\n");
  const auto trained = read_dataset(file, {.label_columns = {"l"}});
  EXPECT_THAT(trained.feature_names,
              ::testing::UnorderedElementsAre("id=kind=red", "id=kind=blue"));
  const auto predicted =
      read_dataset(file, {.label_columns = {"l"}, .encode_like = trained.feature_names});
  EXPECT_EQ(predicted.feature_names, trained.feature_names);
  EXPECT_THAT(predicted.x.dense().values(),
              ::testing::ElementsAreArray(trained.x.dense().values()));
}

TEST_F(Files, ALatin1TableIsReadForTheColumnsOfAModelAsItWasReadForTraining) {
  for (const auto& [name, text] :
       {std::pair{"t.csv",
                  "gr\xF6\xDF"
                  "e,l\nsch\xF6n,0\nfein,1\nsch\xF6n,1\n"},
        std::pair{"t.arff",
                  "@relation t\n@attribute gr\xF6\xDF"
                  "e {sch\xF6n,fein}\n"
                  "@attribute l {0,1}\n@data\nsch\xF6n,0\nfein,1\nsch\xF6n,1\n"}}) {
    SCOPED_TRACE(name);
    const auto file = files.write(name, text);
    const auto trained = read_dataset(file, {.label_columns = {"l"}});
    EXPECT_THAT(trained.feature_names, ::testing::UnorderedElementsAre("gr\xC3\xB6\xC3\x9F"
                                                                       "e=sch\xC3\xB6n",
                                                                       "gr\xC3\xB6\xC3\x9F"
                                                                       "e=fein"));
    const auto predicted =
        read_dataset(file, {.label_columns = {"l"}, .encode_like = trained.feature_names});
    EXPECT_EQ(predicted.feature_names, trained.feature_names);
    EXPECT_THAT(predicted.x.dense().values(),
                ::testing::ElementsAreArray(trained.x.dense().values()));
  }
}

}  // namespace
}  // namespace mugrad
