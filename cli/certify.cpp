// SPDX-License-Identifier: MIT
#include "commands.h"
#include "data_arguments.h"
#include "method_arguments.h"
#include "report/text_table.h"

#include <mugrad/core/error.h>
#include <mugrad/method/certify.h>

#include <fmt/format.h>

#include <cmath>

namespace mugrad::cli {
namespace {

struct CertifyArguments {
  DataArguments data;
  MethodArguments mgd;
  bool check = false;
  Index iterations = 100;
};

Json or_null(std::optional<double> value) {
  return value && std::isfinite(*value) ? Json(*value) : Json(nullptr);
}

std::string or_none(std::optional<double> value) {
  return value && std::isfinite(*value) ? fmt::format("{:.6g}", *value) : "none";
}

Json as_json(const MgdCertificate& certificate, double tolerance,
             const std::vector<PromiseCheck>& checks) {
  const auto& promise = certificate.promise;
  const auto iterations = promise.iterations_to(tolerance);
  Json seen = Json::array();
  for (const auto& check : checks) {
    seen.push_back({{"what", check.what},
                    {"promised", check.promised},
                    {"observed", check.observed},
                    {"kept", check.kept}});
  }
  return {{"examples", certificate.rows},
          {"features", certificate.features},
          {"labels", certificate.labels},
          {"sigma", promise.sigma},
          {"curvature", promise.curvature},
          {"strong_convexity", promise.strong_convexity},
          {"reversible", promise.transfer.reversible},
          {"step_limits",
           {{"theorem_1", promise.limit_theorem1},
            {"intrinsic", or_null(promise.limit_intrinsic)},
            {"reversible", or_null(promise.limit_reversible)},
            {"elementwise", or_null(promise.limit_elementwise)}}},
          {"safe_step", promise.safe_step},
          {"step", promise.step},
          {"contraction", or_null(promise.contraction)},
          {"contraction_weighted", or_null(promise.contraction_weighted)},
          {"tolerance", tolerance},
          {"iterations_to_tolerance", iterations ? Json(*iterations) : Json(nullptr)},
          {"distance_bound", or_null(certificate.distance_bound)},
          {"statements", promise.statements},
          {"checks", seen}};
}

std::string as_text(const MgdCertificate& certificate, double tolerance) {
  const auto& promise = certificate.promise;
  const auto iterations = promise.iterations_to(tolerance);
  TextTable table({"sigma", fmt::format("{:.6g}", promise.sigma)});
  table.add({"curvature L, at most", fmt::format("{:.6g}", promise.curvature)});
  table.add({"strong convexity xi, at least", promise.strong_convexity > 0
                                                  ? fmt::format("{:.6g}", promise.strong_convexity)
                                                  : "none"});
  table.add({"step limit, Theorem 1", fmt::format("{:.6g}", promise.limit_theorem1)});
  table.add({"step limit, its intrinsic form", or_none(promise.limit_intrinsic)});
  table.add({"step limit, reversible transfer", or_none(promise.limit_reversible)});
  table.add({"largest safe step", fmt::format("{:.6g}", promise.safe_step)});
  table.add({"step", fmt::format("{:.6g}", promise.step)});
  table.add({"contraction, largest task", or_none(promise.contraction)});
  table.add({"contraction, weighted sum", or_none(promise.contraction_weighted)});
  table.add({fmt::format("iterations to {:g}", tolerance),
             iterations ? fmt::format("{}", *iterations) : "not promised"});
  table.add({"distance from own minimisers", or_none(certificate.distance_bound)});
  std::string text = fmt::format("{} examples, {} features, {} labels with both classes\n\n",
                                 certificate.rows, certificate.features, certificate.labels) +
                     table.text() + "\n";
  for (const auto& statement : promise.statements) text += fmt::format("- {}\n", statement);
  return text;
}

std::string as_text(const std::vector<PromiseCheck>& checks, Index iterations) {
  if (checks.empty()) return "\ntheory guarantees nothing here that a run could check\n";
  TextTable table(
      {fmt::format("seen in {} iterations", iterations), "promised", "observed", "kept"});
  for (const auto& check : checks) {
    table.add({check.what, fmt::format("{:.9g}", check.promised),
               fmt::format("{:.9g}", check.observed), check.kept ? "yes" : "NO"});
  }
  return "\n" + table.text();
}

void run_certify(const CertifyArguments& arguments, const CLI::App& command, Session& session) {
  declare_reads(arguments.data, session);
  declare_reads(arguments.mgd, session);
  const Dataset data = read_data_to_train(arguments.data, session, method_named("mgd"),
                                          chosen_values(arguments.mgd, command));
  MgdOptions options = chosen_mgd_options(arguments.mgd, command, data);
  options.threads = session.threads;
  // Only the plain iteration is certified; the accelerated solver has no step.
  options.solver = SolverKind::plain;
  const MgdCertificate certificate = certify(data, options);
  std::vector<PromiseCheck> checks;
  if (arguments.check) checks = check_promises(data, options, arguments.iterations);
  if (session.json) {
    Json document = as_json(certificate, options.tolerance, checks);
    document["labels_from"] = data.labels_from;
    session.print_json(document);
  } else {
    session.print(as_text(certificate, options.tolerance));
    if (arguments.check) session.print(as_text(checks, arguments.iterations));
  }
  for (const auto& check : checks) {
    if (!check.kept) {
      throw Error(fmt::format("a guarantee was violated: {} was {}, guaranteed {}", check.what,
                              check.observed, check.promised));
    }
  }
}

}  // namespace

void add_certify(CLI::App& app, Session& session) {
  auto arguments = std::make_shared<CertifyArguments>();
  CLI::App* command =
      app.add_subcommand("certify", "Show the theoretical guarantees for a data file and options");
  add_data_arguments(*command, arguments->data);
  const Method* const mgd = &method_named("mgd");
  add_method_options(*command, arguments->mgd, {&mgd, 1});
  command->add_flag("--check", arguments->check,
                    "Also run the iteration, and compare the run with the guarantees");
  add_default(*command, "--check-iterations", arguments->iterations,
              "Number of iterations of the check")
      ->check(CLI::Range(Index{1}, Index{1000000}));
  add_threads_option(*command, session);
  add_session_options(*command, session);
  add_examples(*command,
               "  mugrad certify emotions.arff --sigma 0.1\n"
               "  mugrad certify emotions.arff --loss squared --rho 0.1 --check");
  command->callback([arguments, command, &session] { run_certify(*arguments, *command, session); });
}

}  // namespace mugrad::cli
