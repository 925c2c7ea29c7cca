// SPDX-License-Identifier: MIT
#pragma once

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

namespace mugrad::python {

namespace py = pybind11;
using namespace py::literals;

/// One function per file of bindings; each adds its part to the module.
void bind_errors(py::module_& module);
void bind_options(py::module_& module);     ///< how messages write options
void bind_models(py::module_& module);      ///< Model
void bind_training(py::module_& module);    ///< fit, methods
void bind_metrics(py::module_& module);     ///< evaluate, thresholds
void bind_statistics(py::module_& module);  ///< whether methods differ
void bind_data(py::module_& module);        ///< files, catalog, generator
void bind_tables(py::module_& module);      ///< tables in memory, terms of texts
void bind_splits(py::module_& module);      ///< stratification
void bind_studies(py::module_& module);     ///< convergence, sensitivity

}  // namespace mugrad::python
