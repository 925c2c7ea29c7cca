// SPDX-License-Identifier: MIT
#include "bindings.h"
#include "unlocked.h"

#include <mugrad/version.h>

#include <pybind11/pybind11.h>

#include <string>

namespace {

/// Arrays of NumPy 2 look empty to a module built with a pybind11 that does not know it.
void check_numpy() {
#if PYBIND11_VERSION_HEX < 0x020C0000
  namespace py = pybind11;
  const std::string version = py::str(py::module_::import("numpy").attr("__version__"));
  if (std::stoi(version) >= 2) {
    throw py::import_error(
        "mugrad was built with pybind11 " + std::to_string(PYBIND11_VERSION_MAJOR) + "." +
        std::to_string(PYBIND11_VERSION_MINOR) + ", which cannot be used with NumPy " + version +
        ": build it with pybind11 2.12 or newer");
  }
#endif
}

}  // namespace

PYBIND11_MODULE(_core, module) {
  check_numpy();
  module.doc() = "The compiled part of mugrad.";
  module.attr("__version__") = mugrad::kVersion;
  module.attr("shares_openblas") = mugrad::python::kSharesOpenblas;
  using namespace mugrad::python;
  for (const auto bind : {bind_errors, bind_options, bind_models, bind_training, bind_metrics,
                          bind_statistics, bind_data, bind_tables, bind_splits, bind_studies}) {
    bind(module);
  }
}
