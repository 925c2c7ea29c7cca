// SPDX-License-Identifier: MIT
#include "support/data_files.h"

#include <mugrad/core/error.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace mugrad {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

class Arff : public ::testing::Test {
 protected:
  /// Reads attributes and rows with the last attribute as the only label.
  Dataset read(const std::string& attributes, const std::string& rows, ReadOptions options = {}) {
    if (!options.label_count) options.label_count = -1;
    return files.read("a.arff", "@relation r\n" + attributes + "@data\n" + rows, options);
  }
  std::string error(const std::string& attributes, const std::string& rows,
                    ReadOptions options = {}) {
    if (!options.label_count) options.label_count = -1;
    return files.error("a.arff", "@relation r\n" + attributes + "@data\n" + rows, options);
  }

  testing::DataFiles files;
  const std::string numbers = "@attribute x numeric\n@attribute z real\n@attribute y {0,1}\n";
};

TEST_F(Arff, DenseRowsBecomeADenseMatrix) {
  const auto data = read(numbers, "1.5,-2,1\n3e2,+4,0\n");
  EXPECT_FALSE(data.x.is_sparse());
  EXPECT_THAT(testing::row_of(data.x, 0), ElementsAre(1.5, -2));
  EXPECT_THAT(testing::row_of(data.x, 1), ElementsAre(300, 4));
  EXPECT_THAT(testing::labels_of(data, 0), ElementsAre(0));
  EXPECT_THAT(testing::labels_of(data, 1), IsEmpty());
  EXPECT_THAT(data.feature_names, ElementsAre("x", "z"));
  EXPECT_THAT(data.label_names, ElementsAre("y"));
  EXPECT_EQ(data.name, "r");
  EXPECT_FALSE(data.widths_inferred);
}

TEST_F(Arff, SparseRowsBecomeASparseMatrixWithoutZeros) {
  const auto data = read(numbers, "{1 2.5,2 1}\n{}\n{0 0, 1 0.0}\n{ 0 7 , 2 0 }\n");
  ASSERT_TRUE(data.x.is_sparse());
  EXPECT_EQ(data.x.sparse().nonzeros(), 2);
  EXPECT_THAT(testing::row_of(data.x, 0), ElementsAre(0, 2.5));
  EXPECT_THAT(testing::row_of(data.x, 3), ElementsAre(7, 0));
  EXPECT_EQ(data.rows(), 4);
  EXPECT_THAT(data.y.row_start, ElementsAre(0, 1, 1, 1, 1));
}

TEST_F(Arff, DenseAndSparseRowsMayBeMixed) {
  const auto data = read(numbers, "1,0,1\n{1 2}\n0,3,1\n");
  ASSERT_TRUE(data.x.is_sparse());
  EXPECT_EQ(data.x.sparse().nonzeros(), 3);
  EXPECT_THAT(testing::row_of(data.x, 0), ElementsAre(1, 0));
  EXPECT_THAT(testing::row_of(data.x, 1), ElementsAre(0, 2));
  EXPECT_THAT(testing::row_of(data.x, 2), ElementsAre(0, 3));
  EXPECT_THAT(data.y.row_start, ElementsAre(0, 1, 1, 2));
}

TEST_F(Arff, UnsortedSparseRowIsSorted) {
  const auto data = read(numbers, "{2 1,1 5,0 3}\n");
  EXPECT_THAT(data.x.sparse().column, ElementsAre(0, 1));
  EXPECT_THAT(data.x.sparse().value, ElementsAre(3, 5));
  EXPECT_THAT(testing::labels_of(data, 0), ElementsAre(0));
}

TEST_F(Arff, OmittedNominalInSparseRowIsTheFirstDeclaredValue) {
  const auto data = read(
      "@attribute a {YES,NO}\n@attribute b {0,1}\n@attribute c {red,green}\n@attribute y {1,0}\n",
      "{}\n{0 NO,1 1,2 green,3 0}\n{3 1}\n");
  EXPECT_THAT(data.feature_names, ElementsAre("a", "b", "c=red", "c=green"));
  EXPECT_THAT(testing::row_of(data.x, 0), ElementsAre(1, 0, 1, 0));
  EXPECT_THAT(testing::row_of(data.x, 1), ElementsAre(0, 1, 0, 1));
  EXPECT_THAT(testing::row_of(data.x, 2), ElementsAre(1, 0, 1, 0));
  EXPECT_THAT(data.x.sparse().column, ElementsAre(0, 2, 1, 3, 0, 2));
  EXPECT_THAT(testing::labels_of(data, 0), ElementsAre(0));
  EXPECT_THAT(testing::labels_of(data, 1), IsEmpty());
  EXPECT_THAT(testing::labels_of(data, 2), ElementsAre(0));
}

TEST_F(Arff, LabelsThatAreOmittedAndPositiveKeepTheirOrder) {
  const auto data = read(
      "@attribute x numeric\n@attribute p {0,1}\n@attribute q {1,0}\n@attribute s {0,1}\n"
      "@attribute t {YES,NO}\n",
      "{1 1,3 1}\n{2 0,4 YES}\n", {.label_count = -4});
  EXPECT_THAT(testing::labels_of(data, 0), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(testing::labels_of(data, 1), ElementsAre(3));
}

TEST_F(Arff, TwoValuedNominalIsOneColumnWhateverItsDeclaredOrder) {
  const auto data = read(
      "@attribute a {1,0}\n@attribute b {Yes, No}\n@attribute c {true}\n@attribute d {0}\n"
      "@attribute e {FALSE,TRUE}\n@attribute y numeric\n",
      "1,Yes,true,0,TRUE,1\n0,No,true,0,FALSE,0\n");
  EXPECT_THAT(data.feature_names, ElementsAre("a", "b", "c", "d", "e"));
  EXPECT_THAT(testing::row_of(data.x, 0), ElementsAre(1, 1, 1, 0, 1));
  EXPECT_THAT(testing::row_of(data.x, 1), ElementsAre(0, 0, 1, 0, 0));
}

TEST_F(Arff, OtherNominalsGetAColumnPerDeclaredValue) {
  const auto data = read("@attribute c {'light blue', red ,green}\n@attribute y {0,1}\n",
                         "red,0\n'light blue',1\nred,1\n");
  EXPECT_THAT(data.feature_names, ElementsAre("c=light blue", "c=red", "c=green"));
  EXPECT_THAT(testing::row_of(data.x, 0), ElementsAre(0, 1, 0));
  EXPECT_THAT(testing::row_of(data.x, 1), ElementsAre(1, 0, 0));
}

TEST_F(Arff, StringsGetAColumnPerValueInSortedOrder) {
  const auto data =
      read("@attribute s string\n@attribute y {0,1}\n", "pear,0\n'apple',1\npear,1\n");
  EXPECT_THAT(data.feature_names, ElementsAre("s=apple", "s=pear"));
  EXPECT_THAT(testing::row_of(data.x, 0), ElementsAre(0, 1));
  EXPECT_THAT(testing::row_of(data.x, 1), ElementsAre(1, 0));
}

TEST_F(Arff, NominalsWithManyValuesAreLookedUp) {
  std::string values;
  for (int i = 0; i < 40; ++i) values += (i == 0 ? "v" : ",v") + std::to_string(i);
  const auto data =
      read("@attribute c {" + values + "}\n@attribute y {0,1}\n", "v39,0\nv0,1\nv39,1\n");
  EXPECT_EQ(data.features(), 40);
  EXPECT_EQ(testing::entry(data.x, 0, 39), 1);
  EXPECT_EQ(testing::entry(data.x, 1, 0), 1);
}

TEST_F(Arff, NamesMayHoldAlmostAnything) {
  const auto data = read(
      "@attribute 00 numeric\n@attribute a/b;c-(d)#+~? numeric\n"
      "@attribute 'Swainson\\'s Thrush' numeric\n@attribute \"say \\\"hi\\\"\" numeric\n"
      "@attribute TAG_m\\'usica numeric\n@attribute 50% numeric\n@attribute Grün numeric\n"
      "@ATTRIBUTE\ttabs\tREAL\n@attribute y {0,1}\n",
      "1,2,3,4,5,6,7,8,1\n");
  EXPECT_THAT(data.feature_names,
              ElementsAre("00", "a/b;c-(d)#+~?", "Swainson's Thrush", "say \"hi\"", "TAG_m\\'usica",
                          "50%", "Grün", "tabs"));
}

TEST_F(Arff, BlanksTabsCommentsAndLineEndsDoNotMatter) {
  const auto data = files.read("a.arff",
                               "\xEF\xBB\xBF% a comment\r\n@Relation r\r\n\r\n"
                               "@attribute x numeric  \r\n@attribute y { 0 , 1 }\r\n\r\n@DATA\r\n"
                               "% another\r\n1, 1 \r\n\t2\t,\t0\r\n\r\n{0 3}\r\n\r\n  \r\n4,1",
                               {.label_count = -1});
  EXPECT_EQ(data.rows(), 4);
  EXPECT_EQ(testing::entry(data.x, 3, 0), 4);
  EXPECT_THAT(data.y.row_start, ElementsAre(0, 1, 1, 1, 2));
}

TEST_F(Arff, LabelsMayBeNumbersOrTwoValuedNominalsOrText) {
  const auto data = read(
      "@attribute x numeric\n@attribute a numeric\n@attribute b {yes,no}\n@attribute c {1,0}\n"
      "@attribute d {True,False}\n@attribute e string\n",
      "0,1,yes,1,True,YES\n0,0.0,no,0,False,0\n", {.label_count = -5});
  EXPECT_THAT(testing::labels_of(data, 0), ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(testing::labels_of(data, 1), IsEmpty());
}

TEST_F(Arff, IdentifierIsLeftOutWithANote) {
  const std::string attributes =
      "@attribute protein {P1,P2,P3}\n@attribute x numeric\n@attribute y {0,1}\n";
  const std::string rows = "P2,1,0\nP1,2,1\n";
  EXPECT_THAT(read(attributes, rows).feature_names, ElementsAre("x"));
  EXPECT_THAT(files.notes,
              ElementsAre("left out 'protein': a distinct value on every row makes it an "
                          "identifier (ReadOptions::keep_ids keeps it)"));
  EXPECT_THAT(read(attributes, rows, {.keep_ids = true}).feature_names,
              ElementsAre("protein=P1", "protein=P2", "protein=P3", "x"));
  EXPECT_THAT(files.notes, IsEmpty());
  EXPECT_EQ(read(attributes, "P2,1,0\n").features(), 4) << "one row shows nothing";
  EXPECT_EQ(read(attributes, "P2,1,0\nP2,1,0\n").features(), 4);
}

TEST_F(Arff, IdentifierInSparseRowsIsLeftOutToo) {
  const auto data = read("@attribute id string\n@attribute x numeric\n@attribute y {0,1}\n",
                         "{0 a,1 5}\n{0 b,2 1}\n{1 2}\n");
  EXPECT_THAT(data.feature_names, ElementsAre("x"));
  EXPECT_THAT(testing::row_of(data.x, 0), ElementsAre(5));
}

TEST_F(Arff, DroppedAttributesAreLeftOut) {
  const std::string attributes =
      "@attribute when date \"yyyy-MM-dd\"\n@attribute x numeric\n@attribute y {0,1}\n";
  const auto data = read(attributes, "\"2020-01-01\",3,1\n?,4,0\n", {.drop = {"when"}});
  EXPECT_THAT(data.feature_names, ElementsAre("x"));
  EXPECT_EQ(testing::entry(data.x, 1, 0), 4);
  EXPECT_THAT(error(attributes, "?,1,1\n", {.drop = {"wen"}}),
              AllOf(HasSubstr("ReadOptions::drop names 'wen'"), HasSubstr("did you mean 'when'?")));
}

TEST_F(Arff, RelationalAttributeIsLeftOut) {
  const std::string attributes =
      "@attribute bag relational\n  @attribute inner numeric\n@end bag\n@attribute y {0,1}\n";
  EXPECT_EQ(read(attributes, "'1\\n2',1\n").features(), 0);
  EXPECT_THAT(files.notes, ElementsAre("left out 'bag': relational attributes are not read"));
  EXPECT_EQ(read(attributes, "'1\\n2',1\n", {.drop = {"bag"}}).features(), 0);
  EXPECT_THAT(files.notes, IsEmpty());
}

TEST_F(Arff, MissingValueIsFilledInUnlessRefused) {
  const std::string rows = "1,2,0\n3,?,1\n";
  EXPECT_THAT(error(numbers, rows, {.missing = Missing::refuse}),
              AllOf(StartsWith("a.arff:7:3: "), HasSubstr("'z' is missing"),
                    HasSubstr("ReadOptions::missing = median")));
  EXPECT_EQ(testing::entry(read(numbers, rows).x, 1, 1), 2);
  const auto kept = read(numbers, rows, {.missing = Missing::keep});
  EXPECT_TRUE(std::isnan(testing::entry(kept.x, 1, 1)));
  EXPECT_EQ(testing::entry(read(numbers, rows, {.missing = Missing::mean}).x, 1, 1), 2);
}

TEST_F(Arff, MissingValueInSparseRowIsStoredOrImputed) {
  const std::string rows = "{0 ?,1 1}\n{0 6}\n{}\n";
  EXPECT_THAT(error(numbers, rows, {.missing = Missing::refuse}), StartsWith("a.arff:6:4: "));
  EXPECT_EQ(testing::entry(read(numbers, rows).x, 0, 0), 3);  // the median of 6 and 0
  const auto kept = read(numbers, rows, {.missing = Missing::keep});
  EXPECT_EQ(kept.x.sparse().nonzeros(), 3);
  EXPECT_TRUE(std::isnan(kept.x.sparse().value[0]));
  EXPECT_EQ(testing::entry(read(numbers, rows, {.missing = Missing::mean}).x, 0, 0), 3);
}

TEST_F(Arff, MissingNominalBecomesTheShareOfEachValue) {
  const auto data = read("@attribute c {a,b,c}\n@attribute y {0,1}\n", "a,0\na,1\nb,1\n?,0\nb,1\n",
                         {.missing = Missing::mean});
  EXPECT_THAT(testing::row_of(data.x, 3), ElementsAre(0.5, 0.5, 0));
}

TEST_F(Arff, QuotedQuestionMarkIsAValue) {
  const auto data = read("@attribute c {'?',b,c}\n@attribute y {0,1}\n", "'?',0\nb,1\n'?',1\n");
  EXPECT_THAT(testing::row_of(data.x, 0), ElementsAre(1, 0, 0));
}

TEST_F(Arff, MissingLabelIsUnknown) {
  const auto data = read(numbers, "1,2,?\n1,2,1\n");
  EXPECT_THAT(data.y.row_start, ElementsAre(0, 0, 1));
  EXPECT_EQ(data.unknown, (BinaryMatrix{.cols = 1, .row_start = {0, 1, 1}, .column = {0}}));
  EXPECT_EQ(read(numbers, "1,2,0\n").unknown, BinaryMatrix{});
}

TEST_F(Arff, MissingLabelOfASparseRowIsUnknownWhateverItsFirstValue) {
  const auto data = read("@attribute x numeric\n@attribute y {1,0}\n@attribute z {0,1}\n",
                         "{1 ?}\n{2 ?}\n", {.label_count = -2});
  EXPECT_EQ(data.y, (BinaryMatrix{.cols = 2, .row_start = {0, 0, 1}, .column = {0}}));
  EXPECT_EQ(data.unknown, (BinaryMatrix{.cols = 2, .row_start = {0, 1, 2}, .column = {0, 1}}));
}

TEST_F(Arff, ColumnWithoutAnyValueIsImputedAsZeroWithANote) {
  const auto data = read(numbers, "1,?,0\n3,?,1\n", {.missing = Missing::mean});
  EXPECT_EQ(testing::entry(data.x, 0, 1), 0);
  EXPECT_THAT(files.notes, ElementsAre(HasSubstr("every value of 'z' is missing")));
  const auto sparse = read(numbers, "{1 ?}\n", {.missing = Missing::mean});
  EXPECT_EQ(sparse.x.sparse().nonzeros(), 0);
}

TEST_F(Arff, NumbersMustBeNumbers) {
  EXPECT_EQ(error(numbers, "1,2,0\n1,abc,0\n"),
            "a.arff:7:3: 'abc' is not a number, and attribute 'z' is numeric");
  EXPECT_THAT(error(numbers, "1,1.5x,0\n"), HasSubstr("'1.5x' is not a number"));
  for (const char* text : {"nan", "NaN", "inf", "-inf", "Infinity", "1e999"}) {
    EXPECT_THAT(error(numbers, std::string("1,") + text + ",0\n"),
                AllOf(StartsWith("a.arff:6:3: "), HasSubstr("is not a finite number")))
        << text;
  }
  EXPECT_THAT(error(numbers, "{1 nan}\n"),
              AllOf(StartsWith("a.arff:6:4: "), HasSubstr("'nan' is not a finite number")));
  EXPECT_EQ(testing::entry(read(numbers, "1e-999,1,0\n").x, 0, 0), 0);
}

TEST_F(Arff, NominalValuesMustBeDeclared) {
  EXPECT_EQ(error("@attribute c {red,green}\n@attribute y {0,1}\n", "blue,1\n"),
            "a.arff:5:1: 'blue' is not a value of attribute 'c', declared {red,green}");
  EXPECT_THAT(error(numbers, "1,2,2\n"),
              AllOf(StartsWith("a.arff:6:5: "), HasSubstr("'2' is not a value"), HasSubstr("'y'")));
}

TEST_F(Arff, LabelsMustBeTwoValued) {
  EXPECT_THAT(error("@attribute x numeric\n@attribute y {low,high}\n", "1,low\n"),
              AllOf(StartsWith("a.arff:3:12: "), HasSubstr("label 'y' is declared {low,high}")));
  EXPECT_THAT(error("@attribute x numeric\n@attribute y numeric\n", "1,0\n1,0.5\n"),
              AllOf(StartsWith("a.arff:6:3: "), HasSubstr("'0.5' is not a value of label 'y'")));
  EXPECT_THAT(error("@attribute x numeric\n@attribute y numeric\n", "{1 7}\n"),
              AllOf(StartsWith("a.arff:5:4: "), HasSubstr("'7' is not a value of label 'y'")));
}

TEST_F(Arff, RowsMustHaveOneValuePerAttribute) {
  EXPECT_EQ(error(numbers, "1,2,0\n1,2\n"),
            "a.arff:7:1: this row has 2 values, expected 3, one per attribute");
  EXPECT_EQ(error(numbers, "1,2,0,1,5\n"),
            "a.arff:6:1: this row has 5 values, expected 3, one per attribute");
  EXPECT_THAT(error(numbers, "1,,0\n"), AllOf(StartsWith("a.arff:6:3: "), HasSubstr("empty")));
  EXPECT_THAT(error(numbers, "1,2,\n"), AllOf(StartsWith("a.arff:6:5: "), HasSubstr("empty")));
}

TEST_F(Arff, SparseIndicesMustBeAttributes) {
  EXPECT_THAT(
      error(numbers, "{0 1,3 1}\n"),
      AllOf(StartsWith("a.arff:6:6: "), HasSubstr("index 3 is beyond"), HasSubstr("from 0 to 2")));
  EXPECT_THAT(error(numbers, "{99999999999999999999 1}\n"), HasSubstr("is beyond"));
  EXPECT_THAT(error(numbers, "{-1 1}\n"),
              AllOf(StartsWith("a.arff:6:2: "), HasSubstr("'-1' is not an index")));
  EXPECT_EQ(error(numbers, "{0 1,1 1,0 2}\n"), "a.arff:6:10: index 0 comes twice in this row");
  EXPECT_EQ(error(numbers, "{2 1,2 1}\n"), "a.arff:6:6: index 2 comes twice in this row");
  EXPECT_THAT(error(numbers, "{1}\n"), HasSubstr("'1' is not an index"));
  EXPECT_THAT(error(numbers, "{1 }\n"), HasSubstr("an index without a value"));
}

TEST_F(Arff, BracesAndQuotesMustClose) {
  EXPECT_EQ(error(numbers, "{0 1,1 2\n{}\n"), "a.arff:6:1: this row is not closed by '}'");
  EXPECT_THAT(error(numbers, "{0 1 1 2}\n"),
              AllOf(StartsWith("a.arff:6:6: "), HasSubstr("expected ',' or '}'")));
  EXPECT_THAT(error("@attribute c {'a,b}\n@attribute y {0,1}\n", "1,1\n"),
              AllOf(StartsWith("a.arff:2:15: "), HasSubstr("quote does not close")));
  EXPECT_THAT(error("@attribute c string\n@attribute y {0,1}\n", "'abc,1\n"),
              AllOf(StartsWith("a.arff:5:1: "), HasSubstr("quote does not close")));
  EXPECT_THAT(error("@attribute c {a,b\n@attribute y {0,1}\n", "1,1\n"),
              AllOf(StartsWith("a.arff:2:14: "), HasSubstr("not closed by '}'")));
}

TEST_F(Arff, InstanceWeightsAreNotSupported) {
  EXPECT_THAT(error(numbers, "1,2,0,{5}\n"),
              AllOf(StartsWith("a.arff:6:7: "), HasSubstr("weights are not supported")));
  EXPECT_THAT(error(numbers, "{0 1}, {5}\n"),
              AllOf(StartsWith("a.arff:6:6: "), HasSubstr("weights are not supported")));
  EXPECT_THAT(error(numbers, "{0 1} x\n"), HasSubstr("'x' after the row's '}'"));
}

TEST_F(Arff, HeaderMistakesAreLocated) {
  EXPECT_THAT(
      error("@attribute x numeric\n@attribute x real\n", "1,1\n"),
      AllOf(StartsWith("a.arff:3:12: "), HasSubstr("'x' is declared twice"), HasSubstr("line 2")));
  EXPECT_THAT(error("@attribute x number\n", "1\n"),
              AllOf(StartsWith("a.arff:2:14: "), HasSubstr("'number' is not a type")));
  EXPECT_THAT(error("@attribute c {}\n", "1\n"), HasSubstr("has no values"));
  EXPECT_THAT(error("nonsense\n", "1\n"),
              AllOf(StartsWith("a.arff:2:1: "), HasSubstr("'nonsense' in the header")));
  EXPECT_THAT(files.error("b.arff", "@relation r\n@attribute x numeric\n"),
              HasSubstr("b.arff: the header has no @data line"));
}

TEST_F(Arff, FileWithoutRowsHasNoExamples) {
  EXPECT_EQ(error(numbers, "\n% nothing\n"), "a.arff: the file has no examples");
}

TEST_F(Arff, ColumnsAreCountedInCharacters) {
  EXPECT_THAT(error("@attribute c {Grün,b,c}\n@attribute y {0,1}\n", "Grün,x\n"),
              StartsWith("a.arff:5:6: "));
}

TEST_F(Arff, ModelsNamesDecideTheColumnsOfANominal) {
  const std::string attributes = "@attribute c {a,b,d}\n@attribute y {0,1}\n";
  const auto data = read(attributes, "b,0\na,1\nd,1\n", {.encode_like = {"c=z", "c=b", "c=a"}});
  EXPECT_THAT(data.feature_names, ElementsAre("c=z", "c=b", "c=a"));
  EXPECT_THAT(testing::row_of(data.x, 0), ElementsAre(0, 1, 0));
  EXPECT_THAT(testing::row_of(data.x, 1), ElementsAre(0, 0, 1));
  EXPECT_THAT(testing::row_of(data.x, 2), ElementsAre(0, 0, 0));
  EXPECT_THAT(files.notes, ElementsAre(AllOf(HasSubstr("'c' has values that the model does not"),
                                             HasSubstr("'d'"))));
}

TEST_F(Arff, ModelsNamesMayTakeANominalAsOneColumn) {
  const std::string attributes = "@attribute c {yes,no,maybe}\n@attribute y {0,1}\n";
  const auto data = read(attributes, "yes,0\nno,1\n", {.encode_like = {"c"}});
  EXPECT_THAT(data.feature_names, ElementsAre("c"));
  EXPECT_EQ(testing::entry(data.x, 0, 0), 1);
  EXPECT_THAT(error(attributes, "yes,0\nmaybe,1\n", {.encode_like = {"c"}}),
              AllOf(HasSubstr("'c'"), HasSubstr("'maybe'"), HasSubstr("one column")));
}

TEST_F(Arff, NominalThatTheModelDoesNotKnowIsLeftOut) {
  const auto data = read("@attribute id {p,q}\n@attribute x numeric\n@attribute y {0,1}\n",
                         "p,1,0\n", {.encode_like = {"x"}});
  EXPECT_THAT(data.feature_names, ElementsAre("x"));
  EXPECT_THAT(files.notes, ElementsAre("left out 'id': the model does not use it"));
}

}  // namespace
}  // namespace mugrad
