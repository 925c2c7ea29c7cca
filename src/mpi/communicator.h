// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/types.h>

#include <mpi.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace mugrad::mpi {

template <class Number>
MPI_Datatype type_of() noexcept {
  if constexpr (std::is_same_v<Number, float>) return MPI_FLOAT;
  if constexpr (std::is_same_v<Number, double>) return MPI_DOUBLE;
  if constexpr (std::is_same_v<Number, std::int32_t>) return MPI_INT32_T;
  if constexpr (std::is_same_v<Number, std::int64_t>) return MPI_INT64_T;
  if constexpr (std::is_same_v<Number, char>) return MPI_CHAR;
}

/// Some ranks that talk with each other, and what they say to all of them. Every call is for all
/// ranks, in the same order. A failure inside MPI ends the job, as MPI does by default.
class Communicator {
 public:
  /// All ranks. MPI must have been started.
  static Communicator world();
  Communicator(Communicator&& other) noexcept
      : handle_(std::exchange(other.handle_, MPI_COMM_NULL)),
        rank_(other.rank_),
        size_(other.size_) {}
  Communicator& operator=(Communicator&&) = delete;
  ~Communicator();

  MPI_Comm handle() const noexcept { return handle_; }
  int rank() const noexcept { return rank_; }
  int size() const noexcept { return size_; }
  bool is_first() const noexcept { return rank_ == 0; }

  /// Those who give the same colour, ordered by key.
  Communicator split(int colour, int key) const;

  /// Sums of all ranks, entry by entry; the same bits on every rank, which MPI does not promise of
  /// an Allreduce.
  template <class Number>
  void sum(std::span<Number> numbers) const;
  /// The same for a few numbers, in one step instead of two.
  void sum_few(std::span<double> numbers) const;
  Index sum(Index number) const;
  /// Of hashes: modulo 2^64.
  std::uint64_t sum_modulo(std::uint64_t number) const;
  /// Bytes of weights and other numbers that this rank has received by such sums of many entries.
  Index summed_bytes() const noexcept { return summed_bytes_; }
  double largest(double number) const;
  void least(std::span<double> numbers) const;
  void largest(std::span<double> numbers) const;

  /// What the first rank has.
  template <class Number>
  void share(std::vector<Number>& numbers) const;
  /// What all ranks have, one after the other, on every rank.
  template <class Number>
  std::vector<Number> gather(std::span<const Number> numbers) const;
  /// A text of each rank, on the first rank; elsewhere nothing.
  std::vector<std::string> collect(std::string_view text) const;

 private:
  explicit Communicator(MPI_Comm handle);

  MPI_Comm handle_;  ///< of our own
  int rank_ = 0;
  int size_ = 1;
  mutable Index summed_bytes_ = 0;
};

/// Counts for MPI, which are 32 bits wide; longer messages are cut by who sends them.
int count_of(Index number);

}  // namespace mugrad::mpi
