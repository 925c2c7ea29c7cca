// SPDX-License-Identifier: MIT
#include <mugrad/core/error.h>
#include <mugrad/data/catalog.h>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace mugrad {
namespace {

namespace fs = std::filesystem;

constexpr std::array<CatalogEntry, 6> kCatalog = {{
    {.name = "emotions",
     .about = "songs and the emotions they evoke: 593 examples, 72 features, 6 labels",
     .data = {"emotions/emotions.arff", "emotions.arff",
              "6f2f790047073d1293ac0872c0d55f2dc98b6177802fc96c6b66b309dfee1e4b", 380'476},
     .labels = {"emotions/emotions.xml", "emotions.xml",
                "dbce8e6ccbbb2fcbfd9e9edbb230d7ed12692c6e13f59fdbc0161fa9b6cf2dc0", 323}},
    {.name = "genbase",
     .about = "proteins and their functional classes: 662 examples, 1186 features, 27 labels",
     .data = {"genbase/genbase.arff", "genbase.arff",
              "cb23052a49191e36e9a59cd661e97d79bed2e3f2583030a206692b57bf1e3671", 3'238'276},
     .labels = {"genbase/genbase.xml", "genbase.xml",
                "198e8a1d7070e9603119e02e626cedc589db7577339b307b06f5192047b69eb9", 992}},
    {.name = "cal500",
     .about = "songs and the words that describe them: 502 examples, 68 features, 174 labels",
     .data = {"cal500/cal500.arff", "cal500.arff",
              "cfe6097ba5fd6e8584e54911ab9783dcab34e898446b7c9370c71d477eae56d3", 492'857},
     .labels = {"cal500/cal500.xml", "cal500.xml",
                "877e128531268d7661faa3e44f7bb43cbcda829c0895e49879168775b192728c", 7'901}},
    {.name = "enron",
     .about = "e-mails and their topics: 1702 examples, 1001 features, 53 labels",
     .data = {"enron/enron.arff", "enron.arff",
              "d0889ef0576d4e7b5ec0df3b3e4760e476ac11a6e7d7ddeee4c4a34470dedf97", 906'705},
     .labels = {"enron/enron.xml", "enron.xml",
                "ed40c92d7f613eed51714912cab10dddc4ce456262137d8fef230d44c7f4457b", 1'604}},
    {.name = "corel5k",
     .about = "images and the words that annotate them: 5000 examples, 499 features, 374 labels",
     .data = {"corel5k/Corel5k-sparse.arff", "corel5k.arff",
              "12c06161d2367f919f6da912089a6c9180c115cfcefa37afacfdeb903930eb7e", 377'579},
     .labels = {"corel5k/Corel5k.xml", "corel5k.xml",
                "54ef6a6ccb7ca9b77524052b34b306d5d501661a5609b9d1cc7085b2b597679d", 11'222}},
    {.name = "bibtex",
     .about = "bibliography entries and their tags: 7395 examples, 1836 features, 159 labels",
     .data = {"bibtex/bibtex.arff", "bibtex.arff",
              "a282a6d1fb3cdaf39bde3f81cd4e6079850a7a538a6bc44f8b4ed95dfe1e5014", 3'457'832},
     .labels = {"bibtex/bibtex.xml", "bibtex.xml",
                "08fe20013c1e75dcf1888c185f5187c95e76495b8518ce289b4d3afce38d1232", 5'880}},
}};

/// The folder in an environment variable; empty if it is unset or empty.
fs::path folder_from(const char* variable) {
  const char* value = std::getenv(variable);
  return value == nullptr ? fs::path() : fs::path(value);
}

/// Empty if the environment does not define it.
fs::path cache_folder_if_known() {
  // The XDG base directory specification says to ignore relative paths.
  if (const fs::path cache = folder_from("XDG_CACHE_HOME"); cache.is_absolute()) {
    return cache / "mugrad";
  }
  const fs::path home = folder_from("HOME");
  return home.empty() ? fs::path() : home / ".cache" / "mugrad";
}

}  // namespace

std::span<const CatalogEntry> catalog() { return kCatalog; }

std::string_view catalog_url() {
  return "https://raw.githubusercontent.com/tsoumakas/mulan/"
         "43f6389095ad71984264db4387a8074b22bc7d4a/data/multi-label";
}

const CatalogEntry* find_in_catalog(std::string_view name) {
  const auto found = std::ranges::find(kCatalog, name, &CatalogEntry::name);
  return found == kCatalog.end() ? nullptr : &*found;
}

fs::path cache_folder() {
  fs::path folder = cache_folder_if_known();
  if (folder.empty()) {
    throw InputError("there is no folder for data sets: neither XDG_CACHE_HOME nor HOME is set");
  }
  return folder;
}

std::optional<fs::path> find_local(const CatalogEntry& entry) {
  for (const fs::path& base : {folder_from("MUGRAD_DATA"), cache_folder_if_known()}) {
    if (base.empty()) continue;
    const fs::path folder = base / entry.name;
    std::error_code ignored;
    if (fs::is_regular_file(folder / entry.data.local, ignored) &&
        fs::is_regular_file(folder / entry.labels.local, ignored)) {
      return folder / entry.data.local;
    }
  }
  return std::nullopt;
}

}  // namespace mugrad
