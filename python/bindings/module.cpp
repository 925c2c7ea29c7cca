// SPDX-License-Identifier: MIT
#include "bindings.h"

#include <mugrad/version.h>

PYBIND11_MODULE(_core, module) {
  module.doc() = "The compiled part of mugrad.";
  module.attr("__version__") = mugrad::kVersion;
  mugrad::python::bind_errors(module);
  mugrad::python::bind_models(module);
  mugrad::python::bind_training(module);
  mugrad::python::bind_metrics(module);
  mugrad::python::bind_statistics(module);
  mugrad::python::bind_data(module);
  mugrad::python::bind_splits(module);
  mugrad::python::bind_studies(module);
}
