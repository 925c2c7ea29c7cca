// SPDX-License-Identifier: MIT
// Mugrad as one contestant among the peers of bench/peers: reads requests, one JSON object a line,
// and answers each with a line. Data are loaded by the first request, so that only the work itself
// is timed, and contestants can take turns.
#include "programs/clock.h"
#include "programs/program.h"
#include "programs/time_limit.h"

#include <mugrad/mugrad.h>

#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace mugrad::bench {
namespace {

/// (features + 1) x labels doubles, row by row, the intercepts first: what the judge reads.
template <class Intercepts, class Weights>
void write_weights(const std::string& path, const Intercepts& intercepts, const Weights& weights) {
  std::vector<double> values(intercepts.begin(), intercepts.end());
  values.insert(values.end(), weights.begin(), weights.end());
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(values.data()),
             static_cast<std::streamsize>(values.size() * sizeof(double)));
  if (!file) throw InputError(fmt::format("{} cannot be written", path));
}

/// Sparse features with values as Python's contestant has them.
Features in_single_precision(const Features& x) {
  const auto& from = x.sparse();
  return CsrMatrix<float>{.cols = from.cols,
                          .row_start = from.row_start,
                          .column = from.column,
                          .value = {from.value.begin(), from.value.end()}};
}

MgdOptions mgd_options(const Json& request, Threads threads) {
  MgdOptions options{.rho = request.at("rho"), .sigma = request.at("sigma")};
  options.representation = representation_named(request.at("scaling").get<std::string>());
  options.solver = solver_named(request.value("solver", to_string(options.solver)));
  options.precision = precision_named(request.value("precision", to_string(options.precision)));
  if (request.contains("alpha")) options.alpha = request.at("alpha").get<double>();
  options.tolerance = request.at("tolerance");
  options.max_iterations = request.value("max_iterations", Index{1'000'000});
  options.threads = threads;
  return options;
}

class Contestant {
 public:
  explicit Contestant(Threads threads) : threads_(threads), pool_(threads) {}

  Json answer(const Json& request) {
    const std::string what = request.at("do");
    if (what == "load") return load(request);
    if (what == "prepare-iteration") return prepare_iteration(request);
    if (what == "iterate") return iterate(request);
    if (what == "fit") return fit_model(request);
    if (what == "score") return score(request);
    if (what == "predict") return predict(request);
    if (what == "fit-path") return fit_grid(request);
    throw UsageError(fmt::format("there is no request '{}'", what));
  }

 private:
  Json load(const Json& request) {
    data_ = read_dataset(request.at("path").get<std::string>());
    if (request.value("values", "double") == "float") data_.x = in_single_precision(data_.x);
    return {{"rows", data_.rows()},
            {"features", data_.features()},
            {"labels", data_.labels()},
            {"nonzeros", data_.x.nonzeros()},
            {"sparse", data_.x.is_sparse()}};
  }

  /// Plain MGD from zero on z-scores, everything but the iteration itself done beforehand.
  Json prepare_iteration(const Json& request) {
    sigma_ = request.at("sigma");
    step_ = request.at("alpha");
    tasks_ = linear_tasks<float>(data_.x, feature_transform(fit_representation(data_.x, kZscore)),
                                 data_.y, {.rho = request.at("rho")}, pool_);
    const auto mbar = label_transfer(data_.y, Similarity::cosine).mbar;
    transfer_ = low_rank_pays(data_.y, mbar)
                    ? low_rank_cosine_transfer<float>(data_.y, Intercepts::own, pool_)
                    : scalar_transfer<float>(mbar, Intercepts::own, pool_);
    return Json::object();
  }

  Json iterate(const Json& request) {
    Matrix<float> weights(tasks_->parameters(), tasks_->tasks());
    const Stopping stopping{.tolerance = 0, .max_iterations = request.at("count")};
    const Stopwatch watch;
    const auto report = run_mgd(*tasks_, *transfer_, weights,
                                {.sigma = sigma_, .step = step_, .stopping = stopping}, pool_);
    const double seconds = watch.seconds();
    if (request.contains("weights")) {
      write_weights(request.at("weights"), std::vector<float>{}, weights.values());
    }
    // The run also measures the residual where it ends: a pass more than it takes steps.
    return {{"seconds", seconds / static_cast<double>(report.passes)}};
  }

  /// From data in memory to a model in memory. Runs that end early say why in "stop".
  Json fit_model(const Json& request) {
    const auto options = mgd_options(request, threads_);
    TimeLimit limit(request.value("most_seconds", std::numeric_limits<double>::infinity()));
    const Stopwatch watch;
    model_.reset();
    std::string stop;
    try {
      model_ = fit(data_, options, &limit);
      stop = model_->contents().report.solve.value().stop;
    } catch (const InterruptedError&) {
      stop = "interrupted";
    } catch (const DivergenceError&) {
      stop = "diverged";
    }
    Json result = {{"seconds", watch.seconds()}, {"stop", stop}, {"passes", limit.passes()}};
    if (!model_) return result;
    const auto& contents = model_->contents();
    const auto& solve = contents.report.solve.value();
    result["passes"] = solve.effort;
    result["relative_residual"] = solve.residual / solve.first_residual;
    if (request.contains("weights")) {
      std::visit(
          [&](const auto& weights) {
            write_weights(request.at("weights"), contents.intercepts, weights.values());
          },
          contents.weights);
    }
    return result;
  }

  /// All rows by the model that was fitted last, some times over; the seconds of one.
  Json score(const Json& request) {
    const int times = request.at("times");
    Matrix<double> scores;
    const Stopwatch watch;
    for (int k = 0; k < times; ++k) scores = model_.value().scores(data_.x, threads_);
    const double seconds = watch.seconds() / times;
    double sum = 0;
    for (const double score : scores.values()) sum += score;
    return {{"seconds", seconds}, {"sum", sum}};
  }

  /// The same for their labels.
  Json predict(const Json& request) {
    const int times = request.at("times");
    BinaryMatrix labels;
    const Stopwatch watch;
    for (int k = 0; k < times; ++k) labels = model_.value().predict(data_.x, threads_);
    return {{"seconds", watch.seconds() / times}, {"sum", labels.ones()}};
  }

  /// All settings of a grid, each a model in memory, one after the other.
  Json fit_grid(const Json& request) {
    auto common = request;
    common["rho"] = common["sigma"] = 0;
    const auto options = mgd_options(common, threads_);
    Json result = {{"settings", 0}, {"passes", 0}, {"unfinished", 0}};
    const Stopwatch watch;
    fit_path(data_, options, request.at("rhos").get<std::vector<double>>(),
             request.at("sigmas").get<std::vector<double>>(),
             [&](const MgdSetting&, const Model& model) {
               const auto& solve = model.contents().report.solve.value();
               result["settings"] = result["settings"].get<Index>() + 1;
               result["passes"] = result["passes"].get<Index>() + solve.effort;
               if (solve.stop != "converged") {
                 result["unfinished"] = result["unfinished"].get<Index>() + 1;
               }
               return true;
             });
    result["seconds"] = watch.seconds();
    return result;
  }

  static constexpr auto kZscore = RepresentationKind::zscore;

  Threads threads_;
  ThreadPool pool_;
  Dataset data_;
  std::optional<Model> model_;
  std::unique_ptr<TaskSet<float>> tasks_;
  std::unique_ptr<Transfer<float>> transfer_;
  double sigma_ = 0;
  double step_ = 0;
};

}  // namespace
}  // namespace mugrad::bench

int main(int argc, char** argv) {
  using namespace mugrad::bench;
  return run_program([&] {
    const Json given = parameters(argc, argv, {{"threads", 2}});
    Contestant contestant({.count = given["threads"]});
    for (std::string line; std::getline(std::cin, line);) {
      print(contestant.answer(Json::parse(line)));
    }
  });
}
