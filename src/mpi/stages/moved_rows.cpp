// SPDX-License-Identifier: MIT
#include "mpi/stages/moved_rows.h"

#include <algorithm>
#include <vector>

namespace mugrad::mpi {
namespace {

/// Numbers that a rank sends or receives at a time, about.
constexpr Index kNumbersAtOnce = Index{1} << 22;

}  // namespace

template <class Real>
Matrix<Real> moved_rows(const Communicator& among, std::span<const LabelId> has,
                        const Matrix<Real>& rows, std::span<const std::int32_t> rank_of,
                        std::span<const LabelId> wants, Index omitted) {
  const Index labels = std::ssize(rank_of);
  const Index count = std::ssize(has);
  const auto counts = among.gather(std::span<const Index>(&count, 1));
  const auto all = among.gather(has);
  std::vector<Index> place(as_size(labels), -1);
  for (std::size_t k = 0; k < wants.size(); ++k) place[as_size(wants[k])] = as_index(k);
  // The rows that go to each rank, and where those from each rank belong here.
  std::vector<std::vector<Index>> sent(counts.size()), got(counts.size());
  for (std::size_t k = 0; k < has.size(); ++k) {
    sent[as_size(rank_of[as_size(has[k])])].push_back(as_index(k));
  }
  std::size_t at = 0;
  for (std::size_t r = 0; r < counts.size(); ++r) {
    for (Index k = 0; k < counts[r]; ++k, ++at) {
      if (rank_of[as_size(all[at])] == among.rank()) got[r].push_back(place[as_size(all[at])]);
    }
  }
  Matrix<Real> result(std::ssize(wants), rows.cols() - omitted);
  const Index width = std::max<Index>(1, kNumbersAtOnce / std::max<Index>(1, labels));
  std::vector<Real> out, in;
  std::vector<Index> sent_numbers(counts.size()), got_numbers(counts.size());
  for (Index first = 0; first < result.cols(); first += width) {
    const auto part = as_size(std::min(width, result.cols() - first));
    out.clear();
    for (std::size_t r = 0; r < counts.size(); ++r) {
      for (const Index k : sent[r]) {
        const auto row = rows.row(k).subspan(as_size(omitted + first), part);
        out.insert(out.end(), row.begin(), row.end());
      }
      sent_numbers[r] = std::ssize(sent[r]) * as_index(part);
      got_numbers[r] = std::ssize(got[r]) * as_index(part);
    }
    among.exchange(out, sent_numbers, in, got_numbers);
    auto next = in.begin();
    for (const auto& from_rank : got) {
      for (const Index k : from_rank) {
        std::copy_n(next, part, result.row(k).begin() + first);
        next += as_index(part);
      }
    }
  }
  return result;
}

template decltype(moved_rows<float>) moved_rows<float>;
template decltype(moved_rows<double>) moved_rows<double>;

}  // namespace mugrad::mpi
