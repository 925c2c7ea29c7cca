// SPDX-License-Identifier: MIT
// Data flows one way through the folders: docs/architecture.md has the picture and the rules.
#include "support/documents.h"
#include "support/source_files.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <string_view>

namespace mugrad::testing {
namespace {

using Folders = std::set<std::string>;

/// The folders that a cell of the table names: "core, data (representation); a remark", "all of the
/// above but metric", "nothing".
Folders folders_in(std::string cell, const Folders& above) {
  constexpr std::string_view kAll = "all of the above";
  cell = std::regex_replace(cell.substr(0, cell.find(';')), std::regex(R"re( \([^)]*\))re"), "");
  const bool is_all = cell.starts_with(kAll);
  Folders folders = is_all ? above : Folders();
  if (is_all) cell.erase(0, kAll.size());
  static const std::regex kWord("[a-z]+");
  for (std::sregex_iterator word(cell.begin(), cell.end(), kWord), end; word != end; ++word) {
    const std::string name = word->str();
    if (name == "but" || name == "nothing") continue;
    EXPECT_TRUE(above.contains(name)) << "docs/architecture.md: " << name << " is no folder above";
    if (is_all) {
      folders.erase(name);
    } else {
      folders.insert(name);
    }
  }
  return folders;
}

/// What the files of each folder may include, besides their own folder: the table of
/// docs/architecture.md, but for the front ends.
const std::map<std::string, Folders>& may_include() {
  static const auto rules = [] {
    std::map<std::string, Folders> all;
    Folders above;
    for (const auto& row :
         table_rows(text_of("docs/architecture.md", "## Folders, and what each may include"))) {
      if (row.at(1).starts_with("everything public")) continue;
      const auto folders = code_in(row.at(0));  // none in the header
      if (folders.empty()) continue;
      const Folders may = folders_in(row.at(1), above);
      for (const auto& folder : folders) all[folder] = may;
      above.insert(folders.begin(), folders.end());
    }
    return all;
  }();
  return rules;
}

/// What the front ends include besides what is public: everything else of src/ is for the library
/// alone. In docs/architecture.md, this is the rule of `cli` and `python/bindings`.
const std::map<std::string, std::set<std::string>> kPrivateHeaders = {
    {"cli",
     {
         "core/atomic_file.h",
         "core/file_identity.h",
         "core/folder_entries.h",
         "core/input/input_file.h",
         "core/input/input_name.h",
         "core/mapped_file.h",
         "core/printable.h",
         "core/staged_files.h",
         "core/system_call.h",
         "data/csv_cell.h",
         "report/text_table.h",
     }},
    {"python/bindings",
     {
         "core/staged_files.h",
         "linalg/ascending_rows.h",
     }},
};

/// The folder of the library that an include is from: of "mugrad/data/x.h" and "data/formats/x.h",
/// data. Empty for what is not of the library.
std::string folder_of(const std::string& include) {
  static const std::regex kFolder(R"re(^(?:mugrad/)?([a-z]+)/)re");
  std::smatch match;
  const bool is_ours =
      std::regex_search(include, match, kFolder) && may_include().contains(match[1]);
  return is_ours ? std::string(match[1]) : "";
}

TEST(Architecture, TheTableOfFoldersIsUnderstood) {
  EXPECT_EQ(may_include().at("core"), Folders());
  EXPECT_EQ(may_include().at("transfer"), (Folders{"core", "linalg", "parallel"}));
  EXPECT_TRUE(may_include().at("model").contains("data"));
  EXPECT_FALSE(may_include().at("method").contains("metric"));
  EXPECT_TRUE(may_include().at("experiment").contains("metric"));
}

TEST(Architecture, IncludesGoOneWay) {
  for (const std::string root : {"src", "include/mugrad"}) {
    for (const auto& file : files_below({root})) {
      const auto relative = std::filesystem::relative(file, in_repository(root));
      const std::string folder = *relative.begin();
      if (folder == relative) continue;  // mugrad.h includes everything
      ASSERT_TRUE(may_include().contains(folder)) << relative << " is in a folder without a place";
      for (const auto& include : includes_of(file)) {
        const std::string other = folder_of(include);
        EXPECT_TRUE(other.empty() || other == folder || may_include().at(folder).contains(other))
            << relative << " includes " << include;
      }
    }
  }
}

TEST(Architecture, FrontEndsIncludeOnlyTheListedPrivateHeaders) {
  for (const auto& [front_end, listed] : kPrivateHeaders) {
    std::set<std::string> included;
    for (const auto& file : files_below({front_end})) {
      for (const auto& include : includes_of(file)) {
        if (include.starts_with("mugrad/") || folder_of(include).empty()) continue;
        EXPECT_TRUE(listed.contains(include)) << file << " includes " << include;
        included.insert(include);
      }
    }
    EXPECT_EQ(included, listed) << front_end << " does not need all that the list allows";
  }
}

TEST(Architecture, TheRulesThemselvesHaveNoCycle) {
  for (const auto& [folder, may] : may_include()) {
    std::set<std::string> reached(may.begin(), may.end());
    for (std::size_t before = 0; before != reached.size();) {
      before = reached.size();
      for (const auto& other : std::set(reached)) {
        reached.insert(may_include().at(other).begin(), may_include().at(other).end());
      }
    }
    EXPECT_FALSE(reached.contains(folder)) << folder;
  }
}

}  // namespace
}  // namespace mugrad::testing
