// SPDX-License-Identifier: MIT
// How fast texts become counts of terms: learning a vocabulary, and counting with it.
#include "data/text/term_counter.h"
#include "data/text/vocabulary.h"
#include "programs/clock.h"
#include "programs/program.h"

#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mugrad::bench {
namespace {

/// The bodies of the tickets of a file of JSON lines.
std::vector<std::string> bodies_in(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw InputError("cannot open " + path);
  std::vector<std::string> texts;
  for (std::string line; std::getline(in, line);) {
    texts.push_back(Json::parse(line).at("body").get<std::string>());
  }
  return texts;
}

bool same(const CsrMatrix<double>& a, const CsrMatrix<double>& b) {
  return a.cols == b.cols && a.row_start == b.row_start && a.column == b.column &&
         a.value == b.value;
}

struct Work {
  std::vector<std::string_view> texts = {};
  double bytes = 0;
  int repeats = 0;
};

struct Result {
  std::vector<std::string> vocabulary;
  CsrMatrix<double> counts;
  double learning = 0, counting = 0;  ///< processor time, seconds
};

Result measure(const Work& work, const TextOptions& options, int threads) {
  Result result;
  ThreadPool pool(Threads{threads});
  if (options.hash_bits == 0) {
    result.learning = least_processor_seconds(
        work.repeats, [&] { result.vocabulary = learn_vocabulary(work.texts, options, pool); });
  }
  const TermCounter counter(result.vocabulary, options);
  result.counting = least_processor_seconds(
      work.repeats, [&] { result.counts = counter.count(work.texts, pool); });
  return result;
}

void compare(const char* terms, const TextOptions& options, int threads, const Work& work) {
  const Result one = measure(work, options, 1);
  const Result all = measure(work, options, threads);
  const bool is_same = one.vocabulary == all.vocabulary && same(one.counts, all.counts);
  for (const auto& [count, result] : {std::pair(1, &one), std::pair(threads, &all)}) {
    print({{"terms", terms},
           {"threads", count},
           {"bytes", work.bytes},
           {"features", result->counts.cols},
           {"learning", result->learning},
           {"counting", result->counting},
           {"same", is_same}});
  }
}

}  // namespace
}  // namespace mugrad::bench

int main(int argc, char** argv) {
  using namespace mugrad;
  using namespace mugrad::bench;
  return run_program([&] {
    const Json given = parameters(argc, argv, {{"file", ""}, {"threads", 2}, {"repeats", 5}});
    const auto bodies = bodies_in(given["file"].get<std::string>());
    Work work{.repeats = given["repeats"].get<int>()};
    for (const std::string& body : bodies) {
      work.texts.emplace_back(body);
      work.bytes += static_cast<double>(body.size());
    }
    const int threads = given["threads"].get<int>();
    compare("words and pairs", {}, threads, work);
    compare("words", {.max_words = 1}, threads, work);
    compare("words and pairs, hashed", {.hash_bits = 18}, threads, work);
    compare("2 to 4 characters", {.max_words = 0, .min_characters = 2, .max_characters = 4},
            threads, work);
  });
}
