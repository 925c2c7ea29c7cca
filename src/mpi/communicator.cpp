// SPDX-License-Identifier: MIT
#include "mpi/communicator.h"

#include <mugrad/core/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <limits>
#include <numeric>

namespace mugrad::mpi {
namespace {

/// Maximum number of entries per call.
constexpr Index kAtOnce = Index{1} << 28;

/// The number of entries of each rank, and their positions in the whole.
struct RankLayout {
  std::vector<int> counts, begins;
  Index total = 0;
};

RankLayout layout_of(std::span<const Index> counts) {
  RankLayout layout;
  for (const Index count : counts) {
    layout.counts.push_back(count_of(count));
    layout.begins.push_back(count_of(layout.total));
    layout.total += count;
  }
  return layout;
}

RankLayout layout_of(const Communicator& among, Index mine) {
  std::vector<Index> all(as_size(among.size()));
  MPI_Allgather(&mine, 1, MPI_INT64_T, all.data(), 1, MPI_INT64_T, among.handle());
  return layout_of(all);
}

}  // namespace

int count_of(Index number) {
  if (number <= std::numeric_limits<int>::max()) return static_cast<int>(number);
  throw Error(fmt::format("{} entries exceed the limit of one message", number));
}

Communicator::Communicator(MPI_Comm handle) : handle_(handle) {
  MPI_Comm_rank(handle_, &rank_);
  MPI_Comm_size(handle_, &size_);
}

Communicator Communicator::world() {
  MPI_Comm copy = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  return Communicator(copy);
}

Communicator::~Communicator() {
  // All ranks free it together; a rank that fails alone must not wait for that.
  if (handle_ == MPI_COMM_NULL || std::uncaught_exceptions() > 0) return;
  MPI_Comm_free(&handle_);
}

Communicator Communicator::split(int colour, int key) const {
  MPI_Comm part = MPI_COMM_NULL;
  MPI_Comm_split(handle_, colour, key, &part);
  return Communicator(part);
}

/// Each rank adds up a part of the entries, and all receive its result.
template <class Number>
void Communicator::sum(std::span<Number> numbers) const {
  if (size_ == 1 || numbers.empty()) return;
  for (std::size_t at = 0; at < numbers.size(); at += kAtOnce) {
    const auto part = numbers.subspan(at, std::min<std::size_t>(kAtOnce, numbers.size() - at));
    std::vector<int> counts(as_size(size_));
    std::vector<int> begins(counts.size());
    for (std::size_t r = 0; r < counts.size(); ++r) {
      begins[r] = static_cast<int>(part.size() * r / counts.size());
      counts[r] = static_cast<int>(part.size() * (r + 1) / counts.size()) - begins[r];
    }
    std::vector<Number> mine(as_size(counts[as_size(rank_)]));
    // The entries of all others for this rank's part, and then all other parts.
    const auto others = mine.size() * (counts.size() - 1) + part.size() - mine.size();
    summed_bytes_ += as_index(others * sizeof(Number));
    MPI_Reduce_scatter(part.data(), mine.data(), counts.data(), type_of<Number>(), MPI_SUM,
                       handle_);
    MPI_Allgatherv(mine.data(), static_cast<int>(mine.size()), type_of<Number>(), part.data(),
                   counts.data(), begins.data(), type_of<Number>(), handle_);
  }
}

/// Every rank gathers the numbers of all and adds them in the order of the ranks.
void Communicator::sum_few(std::span<double> numbers) const {
  if (size_ == 1 || numbers.empty()) return;
  const auto ranks = as_size(size_);
  const int count = count_of(std::ssize(numbers));
  std::vector<double> all(ranks * numbers.size());
  MPI_Allgather(numbers.data(), count, MPI_DOUBLE, all.data(), count, MPI_DOUBLE, handle_);
  std::copy_n(all.begin(), numbers.size(), numbers.begin());
  for (std::size_t r = 1; r < ranks; ++r) {
    for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] += all[r * numbers.size() + k];
  }
  summed_bytes_ += as_index((ranks - 1) * numbers.size_bytes());
}

Index Communicator::sum(Index number) const {
  MPI_Allreduce(MPI_IN_PLACE, &number, 1, MPI_INT64_T, MPI_SUM, handle_);
  return number;
}

std::uint64_t Communicator::sum_modulo(std::uint64_t number) const {
  MPI_Allreduce(MPI_IN_PLACE, &number, 1, MPI_UINT64_T, MPI_SUM, handle_);
  return number;
}

double Communicator::largest(double number) const {
  largest({&number, 1});
  return number;
}

void Communicator::least(std::span<double> numbers) const {
  MPI_Allreduce(MPI_IN_PLACE, numbers.data(), count_of(std::ssize(numbers)), MPI_DOUBLE, MPI_MIN,
                handle_);
}

void Communicator::largest(std::span<double> numbers) const {
  MPI_Allreduce(MPI_IN_PLACE, numbers.data(), count_of(std::ssize(numbers)), MPI_DOUBLE, MPI_MAX,
                handle_);
}

template <class Number>
void Communicator::share(std::vector<Number>& numbers) const {
  auto size = std::ssize(numbers);
  MPI_Bcast(&size, 1, MPI_INT64_T, 0, handle_);
  numbers.resize(as_size(size));
  MPI_Bcast(numbers.data(), count_of(size), type_of<Number>(), 0, handle_);
}

std::string Communicator::share(std::string_view text) const {
  std::vector<char> bytes(text.begin(), text.end());
  share(bytes);
  return {bytes.begin(), bytes.end()};
}

template <class Number>
void Communicator::exchange(const std::vector<Number>& out, std::span<const Index> sent,
                            std::vector<Number>& in, std::span<const Index> got) const {
  const auto to = layout_of(sent);
  const auto from = layout_of(got);
  in.resize(as_size(from.total));
  MPI_Alltoallv(out.data(), to.counts.data(), to.begins.data(), type_of<Number>(), in.data(),
                from.counts.data(), from.begins.data(), type_of<Number>(), handle_);
}

template <class Number>
std::vector<Number> Communicator::gather(std::span<const Number> numbers) const {
  const auto layout = layout_of(*this, std::ssize(numbers));
  std::vector<Number> all(as_size(layout.total));
  MPI_Allgatherv(numbers.data(), static_cast<int>(numbers.size()), type_of<Number>(), all.data(),
                 layout.counts.data(), layout.begins.data(), type_of<Number>(), handle_);
  return all;
}

std::vector<std::string> Communicator::collect(std::string_view text) const {
  const auto layout = layout_of(*this, std::ssize(text));
  std::string all(is_first() ? as_size(layout.total) : 0, '\0');
  MPI_Gatherv(text.data(), static_cast<int>(text.size()), MPI_CHAR, all.data(),
              layout.counts.data(), layout.begins.data(), MPI_CHAR, 0, handle_);
  std::vector<std::string> texts;
  for (std::size_t r = 0; is_first() && r < layout.counts.size(); ++r) {
    texts.push_back(all.substr(as_size(layout.begins[r]), as_size(layout.counts[r])));
  }
  return texts;
}

template void Communicator::sum(std::span<float>) const;
template void Communicator::sum(std::span<double>) const;
template void Communicator::sum(std::span<std::int64_t>) const;
template void Communicator::share(std::vector<std::int32_t>&) const;
template void Communicator::share(std::vector<std::int64_t>&) const;
template void Communicator::share(std::vector<double>&) const;
template void Communicator::exchange(const std::vector<float>&, std::span<const Index>,
                                     std::vector<float>&, std::span<const Index>) const;
template void Communicator::exchange(const std::vector<double>&, std::span<const Index>,
                                     std::vector<double>&, std::span<const Index>) const;
template std::vector<std::int32_t> Communicator::gather(std::span<const std::int32_t>) const;
template std::vector<std::int64_t> Communicator::gather(std::span<const std::int64_t>) const;
template std::vector<double> Communicator::gather(std::span<const double>) const;
template std::vector<char> Communicator::gather(std::span<const char>) const;

GroupSums::GroupSums(const Communicator& among, std::span<const Index> numbers) : among_(among) {
  const auto all = among.gather(numbers);
  order_.resize(all.size());
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::ranges::sort(order_, {}, [&](std::size_t k) { return all[k]; });
}

std::vector<double> GroupSums::add_up(const Matrix<double>& rows) const {
  const auto all = among_.gather(rows.values());
  const auto width = as_size(rows.cols());
  std::vector<double> sums(width, 0);
  for (const std::size_t group : order_) {
    for (std::size_t k = 0; k < width; ++k) sums[k] += all[group * width + k];
  }
  return sums;
}

}  // namespace mugrad::mpi
