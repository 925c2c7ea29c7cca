// SPDX-License-Identifier: MIT
#include "bindings.h"

#include <mugrad/core/error.h>
#include <mugrad/core/memory.h>

#include <exception>
#include <string>

namespace mugrad::python {

void bind_errors(py::module_& module) {
  py::register_local_exception<InputError>(module, "InputError", PyExc_ValueError);
  py::register_local_exception<DivergenceError>(module, "DivergenceError", PyExc_ArithmeticError);
  for (const char* const name : {"InputError", "DivergenceError"}) {
    module.attr(name).attr("__module__") = "mugrad";
  }
  py::register_local_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const UsageError& error) {
      PyErr_SetString(PyExc_ValueError, error.what());
    } catch (const MemoryError& error) {
      const std::string message =
          std::string(error.what()) + "; mugrad.set_memory_limit('unlimited') overrules this";
      PyErr_SetString(PyExc_MemoryError, message.c_str());
    } catch (const InterruptedError&) {
      PyErr_SetNone(PyExc_KeyboardInterrupt);
    }
  });
}

}  // namespace mugrad::python
