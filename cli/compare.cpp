// SPDX-License-Identifier: MIT
#include "choices.h"
#include "commands.h"
#include "core/input/input_file.h"
#include "core/input/input_name.h"
#include "data_arguments.h"
#include "process.h"
#include "progress.h"
#include "tune_arguments.h"

#include <mugrad/core/error.h>
#include <mugrad/experiment/compare.h>
#include <mugrad/experiment/results.h>

#include <fmt/format.h>

#include <chrono>
#include <set>

namespace mugrad::cli {
namespace {

/// Instead of a metric: settings are chosen for every metric separately.
constexpr std::string_view kEach = "each";

struct CompareArguments {
  DataArguments data;  ///< how to read; the data are in `sets`
  std::vector<std::string> sets;
  std::vector<std::string> methods;
  std::vector<std::string> entries;
  TuneArguments tuning;
  bool untuned = false;
  OuterProtocol outer;
  std::string results;
  bool resume = false;
  bool retry_failed = false;
  bool timings = false;
};

bool is_method(const std::string& name) {
  const auto all = methods();
  return std::ranges::find(all, name, &Method::name) != all.end();
}

DataArguments data_of(const CompareArguments& arguments, const std::string& set) {
  DataArguments data = arguments.data;
  data.data = set;
  return data;
}

std::vector<Contender> contenders_of(const CompareArguments& arguments, const Session& session) {
  // For every metric separately: `each` is not a metric.
  TuneArguments tuning = arguments.tuning;
  const bool for_each = tuning.metric == kEach;
  if (for_each) tuning.metric = to_string(Metric{});
  Contender usual{.name = {}, .method = {}, .tuning = chosen_tuning(tuning, session)};
  usual.tuning.for_each_metric = for_each;
  usual.tuning.calibrate = false;  // scores are compared as methods compute them
  if (arguments.untuned) usual.tuning.thresholds = ThresholdRule::keep;
  std::vector<std::string> texts = arguments.methods;
  texts.insert(texts.end(), arguments.entries.begin(), arguments.entries.end());
  std::vector<Contender> contenders;
  std::set<std::string> names;
  for (const auto& text : texts) {
    contenders.push_back(parse_contender(text, usual, !arguments.untuned));
    if (!names.insert(contenders.back().name).second) {
      throw UsageError(
          fmt::format("two methods are called '{}': give one of them another name, as in "
                      "--entry 'mine: {}'",
                      contenders.back().name, text));
    }
  }
  if (contenders.empty()) throw UsageError("name at least one method: --methods mgd,br");
  return contenders;
}

ResultsHead head_of(const CompareArguments& arguments, const std::vector<Contender>& contenders,
                    const Session& session) {
  ResultsHead head{.protocol = to_text(arguments.outer), .sets = {}, .contenders = {}};
  const auto& outer = arguments.outer;
  const Index folds = std::max<Index>(outer.folds, 1);
  constexpr Index kMostSplits = Index{1} << 53;  // the limit of results files
  if (outer.repeats > kMostSplits / folds) {
    throw UsageError(fmt::format("{} repeats of {} folds are more splits than can be counted",
                                 outer.repeats, folds));
  }
  head.test_share = outer.folds > 0 ? 1 / static_cast<double>(outer.folds) : 1 - outer.train;
  std::set<std::string> names;
  for (const auto& set : arguments.sets) {
    const Dataset data = read_data(data_of(arguments, set), session);
    head.splits = outer_splits(data, outer).count();
    if (!names.insert(set_name(set)).second) {
      throw UsageError(fmt::format("two data sets are called '{}'", set_name(set)));
    }
    head.sets.push_back({.name = set_name(set),
                         .rows = data.rows(),
                         .features = data.features(),
                         .labels = data.labels(),
                         .cardinality = data.cardinality(),
                         .fingerprint = fingerprint(data)});
  }
  for (const auto& contender : contenders) {
    head.contenders.push_back({contender.name, contender.method, to_text(contender)});
  }
  return head;
}

/// Runs everything that is not in the file yet, one set after the other.
class ComparisonRun {
 public:
  ComparisonRun(const CompareArguments& arguments, const std::vector<Contender>& contenders,
                ResultsFile& file, Session& session)
      : arguments_(arguments),
        contenders_(contenders),
        file_(file),
        session_(session),
        progress_(!session.quiet) {}

  void run() {
    const auto& head = file_.results().head;
    const double pieces = static_cast<double>(head.sets.size() * contenders_.size()) *
                          static_cast<double>(head.splits);
    double done = 0;
    for (std::size_t s = 0; s < arguments_.sets.size(); ++s) {
      const std::string& name = head.sets[s].name;
      const Dataset data = read_again(s);
      auto splits = outer_splits(data, arguments_.outer);
      for (Index k = 0; k < splits.count(); ++k) {
        SilentProgress silent;
        const Split split = take(data, splits.at(k, &silent));
        for (std::size_t c = 0; c < contenders_.size(); ++c) {
          progress_.enter(done / pieces, (done + 1) / pieces,
                          fmt::format("{} {} split {}", name, contenders_[c].name, k + 1));
          done += 1;
          run_one(name, split, k, c);
        }
      }
    }
  }

 private:
  /// The progress of the whole comparison while one contender trains.
  class Shown final : public Progress {
   public:
    explicit Shown(bool enabled) : line_("comparing", enabled) {}
    void enter(double begin, double end, std::string what) {
      begin_ = begin;
      end_ = end;
      what_ = std::move(what);
      line_.update(begin_, what_);
    }
    bool update(double share) override {
      line_.update(begin_ + share * (end_ - begin_), what_);
      return !interrupted();
    }

   private:
    ProgressLine line_;
    double begin_ = 0, end_ = 0;
    std::string what_;
  };

  /// Reads the data again, and checks that they are those of the head.
  Dataset read_again(std::size_t s) const {
    Dataset data = read_data_again(data_of(arguments_, arguments_.sets[s]));
    if (fingerprint(data) != file_.results().head.sets[s].fingerprint) {
      throw InputError(
          fmt::format("{} changed during the comparison", input_name(arguments_.sets[s])));
    }
    return data;
  }

  void run_one(const std::string& set, const Split& split, Index k, std::size_t c) {
    const Contender& contender = contenders_[c];
    const std::string& name = file_.results().head.contenders[c].name;  // as the file has it
    stop_if_interrupted();
    if (file_.results().find(set, name, k) != nullptr) return;
    const auto started = std::chrono::steady_clock::now();
    Record record = run_once(split, contender, session_.threads, &progress_);
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - started;
    stop_if_interrupted();
    record.set = set;
    record.contender = name;
    record.split = k;
    if (arguments_.timings) record.seconds = elapsed.count();
    if (!record.failure.empty()) {
      session_.warn(fmt::format("{} on {}, split {}: {}", name, set, k + 1, record.failure));
    }
    file_.add(std::move(record));
  }

  const CompareArguments& arguments_;
  const std::vector<Contender>& contenders_;
  ResultsFile& file_;
  Session& session_;
  Shown progress_;
};

ResultsFile open_results(const CompareArguments& arguments, const ResultsHead& head) {
  if (!arguments.resume) return ResultsFile::create(arguments.results, head);
  return ResultsFile::resume(arguments.results, head,
                             arguments.retry_failed ? Resume::retry_failed : Resume::missing);
}

/// Throws InputError if nothing succeeded.
void tell_outcome(const CompareArguments& arguments, const Results& results,
                  const Session& session) {
  const auto records = std::ssize(results.records);
  const Index failures = results.failures();
  if (failures == records) {
    throw InputError(
        fmt::format("every run failed: {} has the reasons (\"failure\"), and the same command with "
                    "--resume --retry-failed tries again",
                    arguments.results));
  }
  if (session.json) {
    session.print_json(
        {{"results", arguments.results}, {"records", records}, {"failures", failures}});
  }
  const std::string failed = failures == 0 ? "" : fmt::format(", {} of them failed", failures);
  session.note(fmt::format("{} results in {}{}; view them with mugrad report {}", records,
                           arguments.results, failed, arguments.results));
}

void run_compare(const CompareArguments& arguments, Session& session) {
  for (const auto& set : arguments.sets) declare_reads(data_of(arguments, set), session);
  session.files.writes(arguments.results, "--output");
  const KeptInputs twice;
  const auto contenders = contenders_of(arguments, session);
  const ResultsHead head = head_of(arguments, contenders, session);
  ResultsFile file = open_results(arguments, head);
  if (!file.results().records.empty()) {
    session.note(
        fmt::format("{} already has {} results", arguments.results, file.results().records.size()));
  }
  const CooperativeInterrupts cooperative;
  try {
    ComparisonRun(arguments, contenders, file, session).run();
  } catch (const InterruptedError&) {
    session.note(fmt::format("{} results are in {}: the same command with --resume continues",
                             file.results().records.size(), arguments.results));
    throw;
  }
  tell_outcome(arguments, file.results(), session);
}

}  // namespace

void add_compare(CLI::App& app, Session& session) {
  auto arguments = std::make_shared<CompareArguments>();
  CLI::App* command = app.add_subcommand("compare", "Compare methods over data sets and splits");
  add_value(*command, "sets", arguments->sets, "DATA",
            "Data files, - for standard input, or names of fetched sets")
      ->required();
  add_reading_options(*command, arguments->data);
  auto* methods_option =
      add_list(*command, "--methods", arguments->methods, "NAMES",
               "Names of methods, separated by commas or spaces; see mugrad methods");
  suggest(methods_option, method_choices());
  add_value(*command, "--entry", arguments->entries, "TEXT",
            "A method with options, and an optional name: 'mine: mgd --rho 0.01,0.1 "
            "--sigma 0.3'; may be given several times")
      ->allow_extra_args(false);
  command->add_flag("--untuned", arguments->untuned,
                    "Train methods without tuning; lists in --entry are still searched");
  add_default(*command, "--repeats", arguments->outer.repeats, "Random splits of each data set")
      ->check(CLI::PositiveNumber);
  auto* train =
      add_default(*command, "--train", arguments->outer.train, "Share of training examples")
          ->check(CLI::Range(0.001, 0.999));
  add_value(*command, "--folds", arguments->outer.folds, "K",
            "Use K folds instead of random splits, once per repeat")
      ->check(CLI::Range(Index{2}, Index{1} << 40))
      ->excludes(train);
  command->add_flag("--stratified", arguments->outer.stratified,
                    "Keep every label's share equal in both parts");
  add_default(*command, "--seed", arguments->outer.seed, "Seed of the splits")
      ->check(CLI::NonNegativeNumber);
  add_tune_options(*command, arguments->tuning);
  command->get_option("--metric")
      ->description("Metric to choose settings by; each: report every metric at its best settings");
  add_value(*command, "-o,--output", arguments->results, "FILE",
            "Results file to write, one result per line")
      ->required();
  auto* resume =
      command->add_flag("--resume", arguments->resume, "Continue an existing results file");
  command->add_flag("--retry-failed", arguments->retry_failed, "Repeat the failed runs of the file")
      ->needs(resume);
  command->add_flag("--timings", arguments->timings,
                    "Also record seconds; the file then differs between runs");
  add_threads_option(*command, session);
  add_session_options(*command, session);
  add_examples(*command,
               "  mugrad compare emotions enron --methods mgd,br,ecc -o results.jsonl\n"
               "  mugrad compare data.arff --methods mgd --entry 'weka: br --weka-ridge' "
               "--repeats 10 -o results.jsonl --resume");
  command->callback([arguments, methods_option, &session] {
    if (methods_option->count() > 0) {
      take_names(arguments->sets, arguments->methods, is_method);
      if (arguments->sets.empty()) throw UsageError("name at least one data file: DATA");
    }
    run_compare(*arguments, session);
  });
}

}  // namespace mugrad::cli
