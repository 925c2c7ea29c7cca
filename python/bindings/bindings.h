// SPDX-License-Identifier: MIT
#pragma once

#include <pybind11/pybind11.h>

namespace mugrad::python {

/// One function per file of bindings; each adds its part to the module.
void bind_errors(pybind11::module_& module);
void bind_options(pybind11::module_& module);     ///< how messages write options
void bind_models(pybind11::module_& module);      ///< Model
void bind_training(pybind11::module_& module);    ///< fit, methods
void bind_metrics(pybind11::module_& module);     ///< evaluate, thresholds
void bind_statistics(pybind11::module_& module);  ///< whether methods differ
void bind_data(pybind11::module_& module);        ///< files, catalog, generator
void bind_splits(pybind11::module_& module);      ///< stratification
void bind_studies(pybind11::module_& module);     ///< convergence, sensitivity

}  // namespace mugrad::python
