// SPDX-License-Identifier: MIT
// The table of methods.
#include "core/names.h"
#include "method/camel.h"
#include "method/cc.h"
#include "method/clr.h"
#include "method/ecc.h"
#include "method/jfsc.h"
#include "method/lift.h"
#include "method/llsf.h"
#include "method/llsf_dl.h"
#include "method/lp.h"
#include "method/method_of.h"
#include "method/path_methods.h"
#include "method/rakel.h"

#include <mugrad/method/method.h>

#include <array>

namespace mugrad {
namespace {

/// Of methods that solve on something made of the data, a matrix of products or distances.
constexpr ReportWords kIterations = {.effort = "iterations", .minimised = "objective"};

const MgdMethod kMgd("mgd", "multi-task gradient descent: labels borrow from each other");
const BrMethod kBr("br", "binary relevance: a logistic regression per label");
const MethodOf<CcOptions> kCc("cc", "classifier chain: each label sees the labels before it");
const MethodOf<EccOptions> kEcc("ecc", "ensemble of classifier chains in random orders");
const MethodOf<LpOptions> kLp("lp", "label powerset: every combination of labels is a class");
const MethodOf<RakelOptions> kRakel("rakel", "random k-labelsets: label powersets of few labels");
const MethodOf<ClrOptions> kClr("clr",
                                "calibrated label ranking: regressions of pairs of labels vote");
const MethodOf<LiftOptions> kLift("lift",
                                  "LIFT: distances to centres of a label's own examples, and SVMs",
                                  kIterations);
const MethodOf<LlsfOptions> kLlsf(
    "llsf", "label-specific features: sparse least squares, related labels held alike",
    kIterations);
const MethodOf<LlsfDlOptions> kLlsfDl("llsf-dl", "LLSF whose labels also see each other",
                                      kIterations);
const MethodOf<JfscOptions> kJfsc(
    "jfsc", "joint feature selection and classification: sparse and robust, experimental",
    kIterations);
const MethodOf<CamelOptions> kCamel(
    "camel", "kernel machine whose outputs are mixed by how labels follow from each other",
    kIterations);

constexpr std::array<const Method*, 12> kMethods = {
    &kMgd, &kBr, &kCc, &kEcc, &kLp, &kRakel, &kClr, &kLift, &kLlsf, &kLlsfDl, &kJfsc, &kCamel};

}  // namespace

std::span<const Method* const> methods() { return kMethods; }

std::vector<std::vector<std::size_t>> Method::groups(std::span<const OptionValues> settings) const {
  std::vector<std::vector<std::size_t>> alone(settings.size());
  for (std::size_t k = 0; k < settings.size(); ++k) alone[k] = {k};
  return alone;
}

void Method::fit_each(const Dataset& data, std::span<const OptionValues> group, Threads threads,
                      Observer* observer, const ModelVisitor& visit) const {
  for (std::size_t k = 0; k < group.size(); ++k) visit(k, fit(data, group[k], threads, observer));
}

const Method& method_named(std::string_view name) {
  std::string known;
  for (const Method* const method : kMethods) {
    if (method->name() == name) return *method;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", method->name());
  }
  throw UsageError(fmt::format("there is no method '{}': choose one of {}", name, known));
}

}  // namespace mugrad
