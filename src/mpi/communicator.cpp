// SPDX-License-Identifier: MIT
#include "mpi/communicator.h"

#include <mugrad/core/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <limits>

namespace mugrad::mpi {
namespace {

/// The most entries of one call.
constexpr Index kAtOnce = Index{1} << 28;

/// How many entries each rank has, and where they begin in what all have.
struct Places {
  std::vector<int> counts, begins;
  Index total = 0;
};

Places places_of(const Communicator& among, Index mine) {
  std::vector<Index> all(static_cast<std::size_t>(among.size()));
  MPI_Allgather(&mine, 1, MPI_INT64_T, all.data(), 1, MPI_INT64_T, among.handle());
  Places places;
  for (const Index count : all) {
    places.counts.push_back(count_of(count));
    places.begins.push_back(count_of(places.total));
    places.total += count;
  }
  return places;
}

}  // namespace

int count_of(Index number) {
  if (number <= std::numeric_limits<int>::max()) return static_cast<int>(number);
  throw Error(fmt::format("{} entries are more than one message can have", number));
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
  // All ranks free it together, which one that fails alone must not wait for.
  if (handle_ == MPI_COMM_NULL || std::uncaught_exceptions() > 0) return;
  MPI_Comm_free(&handle_);
}

Communicator Communicator::split(int colour, int key) const {
  MPI_Comm part = MPI_COMM_NULL;
  MPI_Comm_split(handle_, colour, key, &part);
  return Communicator(part);
}

/// Each rank adds up a stretch of the entries, and all take over what it found.
template <class Number>
void Communicator::sum(std::span<Number> numbers) const {
  if (size_ == 1 || numbers.empty()) return;
  for (std::size_t at = 0; at < numbers.size(); at += kAtOnce) {
    const auto part = numbers.subspan(at, std::min<std::size_t>(kAtOnce, numbers.size() - at));
    std::vector<int> counts(static_cast<std::size_t>(size_));
    std::vector<int> begins(counts.size());
    for (std::size_t r = 0; r < counts.size(); ++r) {
      begins[r] = static_cast<int>(part.size() * r / counts.size());
      counts[r] = static_cast<int>(part.size() * (r + 1) / counts.size()) - begins[r];
    }
    std::vector<Number> mine(static_cast<std::size_t>(counts[static_cast<std::size_t>(rank_)]));
    // What all others have of this rank's stretch, and then all other stretches.
    const auto others = mine.size() * (counts.size() - 1) + part.size() - mine.size();
    summed_bytes_ += static_cast<Index>(others * sizeof(Number));
    MPI_Reduce_scatter(part.data(), mine.data(), counts.data(), type_of<Number>(), MPI_SUM,
                       handle_);
    MPI_Allgatherv(mine.data(), static_cast<int>(mine.size()), type_of<Number>(), part.data(),
                   counts.data(), begins.data(), type_of<Number>(), handle_);
  }
}

/// Every rank learns what all have, and adds it up in their order.
void Communicator::sum_few(std::span<double> numbers) const {
  if (size_ == 1 || numbers.empty()) return;
  const auto ranks = static_cast<std::size_t>(size_);
  const int count = count_of(std::ssize(numbers));
  std::vector<double> all(ranks * numbers.size());
  MPI_Allgather(numbers.data(), count, MPI_DOUBLE, all.data(), count, MPI_DOUBLE, handle_);
  std::copy_n(all.begin(), numbers.size(), numbers.begin());
  for (std::size_t r = 1; r < ranks; ++r) {
    for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] += all[r * numbers.size() + k];
  }
  summed_bytes_ += static_cast<Index>((ranks - 1) * numbers.size_bytes());
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
  auto size = static_cast<Index>(numbers.size());
  MPI_Bcast(&size, 1, MPI_INT64_T, 0, handle_);
  numbers.resize(static_cast<std::size_t>(size));
  MPI_Bcast(numbers.data(), count_of(size), type_of<Number>(), 0, handle_);
}

template <class Number>
std::vector<Number> Communicator::gather(std::span<const Number> numbers) const {
  const auto places = places_of(*this, std::ssize(numbers));
  std::vector<Number> all(static_cast<std::size_t>(places.total));
  MPI_Allgatherv(numbers.data(), static_cast<int>(numbers.size()), type_of<Number>(), all.data(),
                 places.counts.data(), places.begins.data(), type_of<Number>(), handle_);
  return all;
}

std::vector<std::string> Communicator::collect(std::string_view text) const {
  const auto places = places_of(*this, std::ssize(text));
  std::string all(is_first() ? static_cast<std::size_t>(places.total) : 0, '\0');
  MPI_Gatherv(text.data(), static_cast<int>(text.size()), MPI_CHAR, all.data(),
              places.counts.data(), places.begins.data(), MPI_CHAR, 0, handle_);
  std::vector<std::string> texts;
  for (std::size_t r = 0; is_first() && r < places.counts.size(); ++r) {
    texts.push_back(all.substr(static_cast<std::size_t>(places.begins[r]),
                               static_cast<std::size_t>(places.counts[r])));
  }
  return texts;
}

template void Communicator::sum(std::span<float>) const;
template void Communicator::sum(std::span<double>) const;
template void Communicator::share(std::vector<std::int32_t>&) const;
template void Communicator::share(std::vector<std::int64_t>&) const;
template void Communicator::share(std::vector<char>&) const;
template std::vector<std::int32_t> Communicator::gather(std::span<const std::int32_t>) const;
template std::vector<std::int64_t> Communicator::gather(std::span<const std::int64_t>) const;
template std::vector<double> Communicator::gather(std::span<const double>) const;
template std::vector<char> Communicator::gather(std::span<const char>) const;

}  // namespace mugrad::mpi
