// SPDX-License-Identifier: MIT
#include "support/data_files.h"

#include <mugrad/core/error.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mugrad {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Labels : public ::testing::Test {
 protected:
  Dataset read(const ReadOptions& options = {}) { return files.read("set.arff", arff, options); }
  std::string error(const ReadOptions& options = {}) {
    return files.error("set.arff", arff, options);
  }
  static std::string xml(const std::string& labels) {
    return "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
           "<labels xmlns=\"http://mulan.sourceforge.net/labels\">\n" +
           labels + "</labels>\n";
  }

  testing::DataFiles files;
  std::string arff =
      "@relation 'Set: -C 1'\n@attribute a {0,1}\n@attribute x numeric\n"
      "@attribute quiet-still {0,1}\n@attribute sad {0,1}\n@data\n1,2,0,1\n";
};

TEST_F(Labels, XmlBesideTheFileNamesThemInColumnOrder) {
  files.write("set.xml", xml("<label name=\"sad\"/>\n<label name=\"quiet-still\"></label>\n"));
  const auto data = read();
  EXPECT_THAT(data.label_names, ElementsAre("quiet-still", "sad"));
  EXPECT_THAT(data.feature_names, ElementsAre("a", "x"));
  EXPECT_THAT(testing::labels_of(data, 0), ElementsAre(1));
  EXPECT_EQ(data.name, "Set");
}

TEST_F(Labels, NestedLabelsAllCount) {
  files.write("set.xml", xml("<label name=\"sad\"><label name=\"quiet-still\"/></label>\n"));
  EXPECT_THAT(read().label_names, ElementsAre("quiet-still", "sad"));
}

TEST_F(Labels, MekaCountTakesTheFirstOrTheLastAttributes) {
  EXPECT_THAT(read().label_names, ElementsAre("a"));
  arff.replace(arff.find("-C 1"), 4, "-split-number 5 -C -2");
  const auto data = read();
  EXPECT_THAT(data.label_names, ElementsAre("quiet-still", "sad"));
  EXPECT_EQ(data.name, "Set");
}

/// X-train.arff as Weka leaves it: its filter has moved the labels, a and b, to the end.
class LabelsOfParts : public Labels {
 protected:
  Dataset read_part(const std::string& name, const ReadOptions& options = {}) {
    return files.read(name, filtered, options);
  }
  std::string filtered =
      "@relation 'Set: -C 2-weka.filters.unsupervised.attribute.Reorder-R3-last,1-2'\n"
      "@attribute word1 {0,1}\n@attribute word2 {0,1}\n@attribute word3 {0,1}\n"
      "@attribute a {0,1}\n@attribute b {0,1}\n@data\n1,0,1,0,1\n0,1,1,1,0\n";
  std::string labels = xml("<label name=\"a\"/>\n<label name=\"b\"/>\n");
};

TEST_F(LabelsOfParts, AreInTheXmlOfTheWhole) {
  files.write("Set.xml", labels);
  for (const char* name : {"Set-train.arff", "Set-test.arff", "Set_train.arff", "Set.test.arff",
                           "Set-Train.arff", "Set-TEST.arff"}) {
    const auto data = read_part(name);
    EXPECT_THAT(data.label_names, ElementsAre("a", "b")) << name;
    EXPECT_EQ(data.labels_from, "Set.xml") << name;
    EXPECT_EQ(find_label_file(files / name), files / "Set.xml");
  }
}

TEST_F(LabelsOfParts, AreInTheirOwnXmlWhereThereIsOne) {
  files.write("Set.xml", xml("<label name=\"a\"/>\n"));
  files.write("Set-train.xml", labels);
  EXPECT_EQ(read_part("Set-train.arff").labels_from, "Set-train.xml");
  EXPECT_THAT(read_part("Set-test.arff").label_names, ElementsAre("a"));
}

TEST_F(LabelsOfParts, AreNotLookedForUnderOtherNames) {
  files.write("Set.xml", labels);
  files.write(".xml", labels);
  for (const char* name : {"Set-trained.arff", "Settrain.arff", "Set-train-2.arff", "-train.arff",
                           "train.arff", "Set-validation.arff"}) {
    EXPECT_EQ(find_label_file(files / name), std::nullopt) << name;
  }
}

TEST_F(LabelsOfParts, CountThatAFilterMayHaveMadeWrongIsNotTrusted) {
  for (const char* before : {"-C 2-weka.filters.", "-C 2 -weka.filters.", "-c 2-weka.filters."}) {
    const auto at = filtered.find(": ") + 2;
    filtered.replace(at, filtered.find("unsupervised") - at, before);
    EXPECT_THAT(
        files.error("Set-train.arff", filtered),
        AllOf(HasSubstr("Set-train.arff: the label attributes are not certain"), HasSubstr("-C 2"),
              HasSubstr("weka.filters"), HasSubstr("there is no Set-train.xml or Set.xml"),
              HasSubstr("ReadOptions::labels_xml = FILE.xml"),
              HasSubstr("ReadOptions::label_count = N")));
  }
  // Where labels need not be there, none are taken; where a model knows them, those.
  EXPECT_EQ(read_part("Set-train.arff", {.labels_optional = true}).labels(), 0);
  EXPECT_THAT(read_part("Set-train.arff", {.fallback_labels = {"a", "b"}}).label_names,
              ElementsAre("a", "b"));
  EXPECT_THAT(read_part("Set-train.arff", {.label_count = -2}).label_names, ElementsAre("a", "b"));
}

TEST_F(LabelsOfParts, CountThatDisagreesWithTheXmlIsNotUsedAndANoteSaysSo) {
  files.write("Set.xml", labels);
  EXPECT_THAT(read_part("Set-train.arff").label_names, ElementsAre("a", "b"));
  EXPECT_THAT(files.notes,
              ElementsAre(AllOf(HasSubstr("-C 2 in the relation's name means other labels than"),
                                HasSubstr("Set.xml"), HasSubstr("is not used"))));
  files.notes.clear();
  filtered.replace(filtered.find("-C 2"), 4, "-C -2");
  read_part("Set-train.arff");
  EXPECT_THAT(files.notes, IsEmpty());
}

TEST_F(Labels, WhoSaysWhichTheyAreIsKept) {
  EXPECT_EQ(read().labels_from, "-C 1 in the relation's name");
  EXPECT_EQ(read({.label_columns = {"a", "sad"}}).labels_from, "ReadOptions::label_columns");
  EXPECT_EQ(read({.label_count = -2}).labels_from, "ReadOptions::label_count = -2");
  const auto other = files.write("other.xml", xml("<label name=\"sad\"/>\n"));
  EXPECT_EQ(read({.labels_xml = other}).labels_from, other.string());
  files.write("set.xml", xml("<label name=\"sad\"/>\n"));
  EXPECT_EQ(read().labels_from, "set.xml");
  EXPECT_EQ(files.read("rows.svm", "0,1 1:1\n").labels_from, "its rows");
  EXPECT_EQ(files.read("rows.xmc", "1 2 2\n0,1 1:1\n").labels_from, "its rows");
  const std::string csv = "x,y\n1,1\n2,0\n";
  EXPECT_EQ(files.read("t.csv", csv, {.label_count = -1}).labels_from,
            "ReadOptions::label_count = -1");
  EXPECT_EQ(files.read("t.csv", csv, {.labels_optional = true}).labels_from, "");
  EXPECT_EQ(
      files.read("t.csv", csv, {.labels_optional = true, .fallback_labels = {"y"}}).labels_from,
      "the model");
}

TEST_F(Labels, ExplicitOptionsBeatTheXmlWhichBeatsTheRelation) {
  files.write("set.xml", xml("<label name=\"sad\"/>\n"));
  const auto other = files.write("other.xml", xml("<label name=\"quiet-still\"/>\n"));
  EXPECT_THAT(read().label_names, ElementsAre("sad"));
  EXPECT_THAT(read({.labels_xml = other}).label_names, ElementsAre("quiet-still"));
  EXPECT_THAT(read({.label_columns = {"a", "quiet*"}}).label_names,
              ElementsAre("a", "quiet-still"));
  EXPECT_THAT(read({.label_count = -2}).label_names, ElementsAre("quiet-still", "sad"));
  EXPECT_THAT(files.error_of([&] { read({.label_columns = {"a"}, .label_count = 1}); }),
              HasSubstr("give one"));
}

TEST_F(Labels, XmlNameThatNoAttributeHasIsAnErrorWithASuggestion) {
  files.write("set.xml", xml("<label name=\"quiet-stil\"/>\n"));
  EXPECT_EQ(error(),
            "set.xml names the label 'quiet-stil', which no attribute of set.arff has; did you "
            "mean 'quiet-still'?");
  files.write("set.xml", xml("<label name=\"completely different\"/>\n"));
  EXPECT_EQ(error(),
            "set.xml names the label 'completely different', which no attribute of set.arff has");
}

TEST_F(Labels, UnknownLabelColumnIsAnErrorWithASuggestion) {
  EXPECT_THAT(
      error({.label_columns = {"SAD"}}),
      AllOf(HasSubstr("ReadOptions::label_columns names 'SAD'"), HasSubstr("did you mean 'sad'?")));
  EXPECT_THAT(error({.label_columns = {"none*"}}), HasSubstr("starts with 'none'"));
}

TEST_F(Labels, EscapesInNamesMayBeSpelledOutInEitherFile) {
  const auto check = [&](const std::string& attribute, const std::string& label) {
    files.write("e.xml", xml("<label name=\"" + label + "\"/>\n"));
    const auto data = files.read("e.arff", "@relation r\n@attribute x numeric\n@attribute " +
                                               attribute + " {0,1}\n@data\n1,1\n");
    EXPECT_EQ(data.labels(), 1) << attribute << " " << label;
  };
  check("TAG_m\\'usica", "TAG_m\\'usica");
  check("'TAG_m\\'usica'", "TAG_m\\'usica");
  check("'TAG_m\\'usica'", "TAG_m'usica");
  check("TAG_m\\'usica", "TAG_m'usica");
  check("'R&B'", "R&amp;B");
}

TEST_F(Labels, WithoutAnySourceTheErrorSaysWhatWasLookedForAndWhatToDo) {
  arff.replace(arff.find(": -C 1"), 6, "");
  EXPECT_THAT(error(), AllOf(HasSubstr("set.arff"), HasSubstr("no set.xml"), HasSubstr("-C"),
                             HasSubstr("ReadOptions::labels_xml = FILE.xml"),
                             HasSubstr("ReadOptions::label_columns = NAMES"),
                             HasSubstr("ReadOptions::label_count = N")));
  const auto data = read({.labels_optional = true});
  EXPECT_EQ(data.labels(), 0);
  EXPECT_EQ(data.y.rows(), 1);
  EXPECT_EQ(data.features(), 4);
}

TEST_F(Labels, FileToPredictForMayLackTheLabelsOfTheXmlBesideIt) {
  files.write("set.xml", xml("<label name=\"p\"/><label name=\"q\"/>\n"));
  EXPECT_EQ(read({.labels_optional = true}).labels(), 0);
  EXPECT_THAT(files.notes, ElementsAre(HasSubstr("set.arff has none of the labels")));
  EXPECT_THAT(error(), HasSubstr("names the label 'p'"));
}

TEST_F(Labels, CountsMustFitTheAttributes) {
  EXPECT_THAT(error({.label_count = 5}),
              HasSubstr("ReadOptions::label_count 5 asks for more labels"));
  EXPECT_THROW(read({.label_count = 0}), UsageError);
}

TEST_F(Labels, BrokenLabelFileIsLocated) {
  files.write("set.xml", "<labels>\n<label name=\"a\">\n</labels>\n");
  EXPECT_THAT(error(), AllOf(HasSubstr("set.xml:"), HasSubstr("not well-formed XML")));
  files.write("set.xml", "<classes/>\n");
  EXPECT_THAT(error(), HasSubstr("<classes>, expected <labels>"));
  files.write("set.xml", "<labels/>\n");
  EXPECT_THAT(error(), HasSubstr("set.xml: names no label"));
  files.write("set.xml", "<labels>\n  <label/></labels>\n");
  EXPECT_THAT(error(), HasSubstr("has no name"));
}

TEST_F(Labels, DroppedLabelIsNoLabel) {
  const auto data = read({.label_columns = {"a", "sad"}, .drop = {"sad"}});
  EXPECT_THAT(data.label_names, ElementsAre("a"));
  EXPECT_THAT(data.feature_names, ElementsAre("x", "quiet-still"));
}

TEST_F(Labels, MissingXmlThatWasAskedForIsAnError) {
  EXPECT_THAT(error({.labels_xml = files / "none.xml"}), HasSubstr("none.xml"));
  EXPECT_THAT(files.notes, IsEmpty());
}

}  // namespace
}  // namespace mugrad
