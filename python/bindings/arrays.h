// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/data/dataset.h>
#include <mugrad/linalg/matrix.h>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

namespace mugrad::python {

/// The matrix behind a NumPy array (float32 or float64, C order) or a SciPy CSR matrix or array
/// (float32 or float64, sorted, without duplicates), used in place: the object is kept alive.
/// Whoever calls from Python has checked and converted before; TypeError for anything else.
Features features_from(const pybind11::object& x);
/// The same for a scorer, which looks at columns itself.
Features features_to_score(const pybind11::object& x);

/// Whether it is a SciPy CSR matrix whose parts fit together and whose columns lie within its
/// shape, in whatever order; False for anything else. SciPy's own code trusts them.
bool is_proper_csr(const pybind11::object& x);

/// Whether none is infinite or not a number. TypeError for other arrays than features may have.
bool all_finite(const pybind11::array& numbers);

/// Labels, and where they are not known.
struct KnownLabels {
  BinaryMatrix y;
  BinaryMatrix unknown;  ///< without rows and columns when all is known
};

/// From a NumPy array of 0, 1 and NaN (not known), or a SciPy CSR matrix of ones (explicit NaN: not
/// known). ValueError for any other value.
KnownLabels labels_from(const pybind11::object& y);

/// Both. Throws UsageError where they have different numbers of rows.
Dataset dataset_from(const pybind11::object& x, const pybind11::object& y);

/// The matrix as an array that owns its memory; no copy.
pybind11::array_t<double> array_from(Matrix<double>&& matrix);
/// A copy.
template <class Real>
pybind11::array array_from(const Matrix<Real>& matrix) {
  return pybind11::array_t<Real>({matrix.rows(), matrix.cols()}, matrix.data());
}

/// (data, indices, indptr, shape), as scipy.sparse.csr_matrix takes them.
pybind11::tuple csr_parts(const CsrMatrix<double>& matrix);
/// The same with ones of one byte for data.
pybind11::tuple csr_parts(const BinaryMatrix& matrix);
/// A copy: an array, or parts as those above. Requires: sparse rows are not a part of others.
pybind11::object array_or_csr_parts(const Features& features);
/// The same without a copy of dense features: the array owns their memory.
pybind11::object array_or_csr_parts(Features&& features);

}  // namespace mugrad::python
