// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/types.h>
#include <mugrad/data/dataset.h>
#include <mugrad/method/method.h>
#include <mugrad/metric/metric.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace mugrad {

/// A data set of a comparison.
struct SetInfo {
  std::string name = {};
  Index rows = 0;
  Index features = 0;
  Index labels = 0;
  double cardinality = 0;
  std::uint64_t fingerprint = 0;  ///< of features and labels: detects results on different data

  bool operator==(const SetInfo&) const = default;
};

struct ContenderInfo {
  std::string name = {};
  std::string method = {};
  std::string text = {};  ///< everything that determines its results, in one line

  bool operator==(const ContenderInfo&) const = default;
};

/// Limits of a comparison: reports have a cell for every set and method, and a test for every pair
/// of methods.
inline constexpr std::size_t kMostSets = 256;
inline constexpr std::size_t kMostContenders = 128;

/// The first line of a results file. A run that resumes compares it with its own.
struct ResultsHead {
  std::string protocol = {};  ///< in words
  Index splits = 0;           ///< per set
  double test_share = 0;      ///< of the rows, in each split
  std::vector<SetInfo> sets = {};
  std::vector<ContenderInfo> contenders = {};

  bool operator==(const ResultsHead&) const = default;
};

/// The result of one contender on one split of one set.
struct Record {
  std::string set = {};
  std::string contender = {};
  Index split = 0;                        ///< from 0
  OptionValues options = {};              ///< the chosen options
  std::string thresholds = {};            ///< as text, see thresholds_text
  std::map<Metric, double> metrics = {};  ///< macro-F1 under two conventions
  std::string failure = {};               ///< why there are no metrics; empty: success
  double seconds = -1;                    ///< for training and tuning; negative: not recorded

  bool operator==(const Record&) const = default;
};

struct Results {
  ResultsHead head = {};
  std::vector<Record> records = {};

  /// Null if there is no such record.
  const Record* find(std::string_view set, std::string_view contender, Index split) const;
  /// The number of failed records.
  Index failures() const;
};

/// Which records to rerun when resuming.
enum class Resume { missing, retry_failed };

/// A results file that grows by whole lines. After a crash or kill at any moment every added record
/// is present, and at most the last line is incomplete; readers ignore it. The file is locked
/// during the lifetime of this object, so that no two runs write to it. Invalid UTF-8 in a name is
/// written as U+FFFD.
class ResultsFile {
 public:
  /// Creates a new file. Throws InputError if the file exists or cannot be created, if two sets or
  /// two contenders have the same name, and if there are too many of them.
  static ResultsFile create(const std::filesystem::path& path, const ResultsHead& head);
  /// Resumes an existing file or creates a new one. Cuts off an incomplete last line; an incomplete
  /// first line is rewritten if it is a prefix of this head's line. With retry_failed, records of
  /// failures are first removed in one step. Throws InputError and leaves the file unchanged if its
  /// head differs (the message says where), if it is not a results file, and if another run is
  /// writing to it.
  static ResultsFile resume(const std::filesystem::path& path, const ResultsHead& head,
                            Resume what = Resume::missing);

  ~ResultsFile();
  ResultsFile(ResultsFile&&) noexcept;
  ResultsFile& operator=(ResultsFile&&) = delete;

  /// The head has its names as they were written.
  const Results& results() const noexcept { return results_; }
  /// Appends a record and waits until it is on disk. Requires: its set and contender are in the
  /// head, 0 <= split < splits, and it is not present yet.
  void add(Record record);

 private:
  ResultsFile(std::filesystem::path path, int descriptor);
  static ResultsFile open_locked(const std::filesystem::path& path);
  static ResultsFile without_failures(ResultsFile old);
  void cut(std::size_t bytes);
  void append(std::string_view line);

  std::filesystem::path path_;
  int descriptor_;
  Results results_;
};

/// Checks that every record has a set, a contender and a split of the head, and that none occurs
/// twice. Throws InputError naming the line.
Results read_results(const std::filesystem::path& path);

/// A hash of the contents of a data set, the same on every machine.
std::uint64_t fingerprint(const Dataset& data);

}  // namespace mugrad
