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

/// A data set that was compared on.
struct SetInfo {
  std::string name = {};
  Index rows = 0;
  Index features = 0;
  Index labels = 0;
  double cardinality = 0;
  std::uint64_t fingerprint = 0;  ///< of features and labels: results on other data do not mix

  bool operator==(const SetInfo&) const = default;
};

struct ContenderInfo {
  std::string name = {};
  std::string method = {};
  std::string text = {};  ///< everything that decides its results, as one line

  bool operator==(const ContenderInfo&) const = default;
};

/// The most that a comparison may be of: reports have a cell for every set and method, and a test
/// for every two methods.
inline constexpr std::size_t kMostSets = 256;
inline constexpr std::size_t kMostContenders = 128;

/// What a results file is about: written first, and compared before a run goes on.
struct ResultsHead {
  std::string protocol = {};  ///< in words
  Index splits = 0;           ///< per set
  double test_share = 0;      ///< of the rows, in each split
  std::vector<SetInfo> sets = {};
  std::vector<ContenderInfo> contenders = {};

  bool operator==(const ResultsHead&) const = default;
};

/// How one contender did on one split of one set.
struct Record {
  std::string set = {};
  std::string contender = {};
  Index split = 0;                        ///< from 0
  OptionValues options = {};              ///< chosen
  std::string thresholds = {};            ///< as thresholds_text says them
  std::map<Metric, double> metrics = {};  ///< macro-F1 under two conventions
  std::string failure = {};               ///< why there are no metrics; empty: there are
  double seconds = -1;                    ///< training and tuning; negative: not kept

  bool operator==(const Record&) const = default;
};

struct Results {
  ResultsHead head = {};
  std::vector<Record> records = {};

  /// Null when it is not there.
  const Record* find(std::string_view set, std::string_view contender, Index split) const;
  /// How many records have a failure.
  Index failures() const;
};

/// What is done again when a file is gone on with.
enum class Resume { missing, retry_failed };

/// A file of results that grows by whole lines: after a crash or kill at any moment every record
/// that was added is there, and at most the last line is broken, which reading passes over. While
/// it lives the file is locked, so that no two runs write to one. What is no UTF-8 in a name is
/// written as U+FFFD.
class ResultsFile {
 public:
  /// Starts a new file, replacing none. Throws InputError when one is there, when it cannot be
  /// made, when two sets or two contenders are called alike and when there are more than may be.
  static ResultsFile create(const std::filesystem::path& path, const ResultsHead& head);
  /// Goes on with a file, or starts one where there is none: cuts off a broken last line, and what
  /// is no more than the beginning of this head's line is written anew. With retry_failed, records
  /// of failures are taken out first, in one step. Throws InputError, and leaves the file as it is,
  /// when it is about something else, saying what differs, when it is no file of results, and when
  /// another run is writing to it.
  static ResultsFile resume(const std::filesystem::path& path, const ResultsHead& head,
                            Resume what = Resume::missing);

  ~ResultsFile();
  ResultsFile(ResultsFile&&) noexcept;
  ResultsFile& operator=(ResultsFile&&) = delete;

  /// The head has its names as they were written.
  const Results& results() const noexcept { return results_; }
  /// Appends a record and waits until the disk has it.
  /// Requires: its set and contender are of the head, 0 <= split < splits, and it is not there yet.
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

/// Every record is of a set, a contender and a split that the head has, and none is there twice.
/// Throws InputError naming the line.
Results read_results(const std::filesystem::path& path);

/// Of what a data set holds, the same on every machine.
std::uint64_t fingerprint(const Dataset& data);

}  // namespace mugrad
