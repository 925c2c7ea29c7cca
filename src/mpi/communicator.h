// SPDX-License-Identifier: MIT
#pragma once

#include <mugrad/core/types.h>
#include <mugrad/linalg/matrix.h>

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

/// A group of ranks with collective operations. All ranks must make every call, in the same order.
/// A failure inside MPI ends the job, as is MPI's default.
class Communicator {
 public:
  /// All ranks. MPI must be initialised.
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

  /// The ranks that pass the same colour, ordered by key.
  Communicator split(int colour, int key) const;

  /// Sums over all ranks, entry by entry, bit-identical on every rank, which MPI does not guarantee
  /// for Allreduce.
  template <class Number>
  void sum(std::span<Number> numbers) const;
  /// The same for a few numbers, in one step instead of two.
  void sum_few(std::span<double> numbers) const;
  Index sum(Index number) const;
  /// A sum of hashes, modulo 2^64.
  std::uint64_t sum_modulo(std::uint64_t number) const;
  /// Bytes that this rank has received in sums of many entries.
  Index summed_bytes() const noexcept { return summed_bytes_; }
  double largest(double number) const;
  void least(std::span<double> numbers) const;
  void largest(std::span<double> numbers) const;

  /// Copies the numbers of the first rank to all.
  template <class Number>
  void share(std::vector<Number>& numbers) const;
  /// The text of the first rank.
  std::string share(std::string_view text) const;
  /// Concatenates the numbers of all ranks, on every rank.
  template <class Number>
  std::vector<Number> gather(std::span<const Number> numbers) const;
  /// Sends sent[r] of the numbers to each rank r in turn, and receives got[r] from each.
  template <class Number>
  void exchange(const std::vector<Number>& out, std::span<const Index> sent,
                std::vector<Number>& in, std::span<const Index> got) const;
  /// The texts of all ranks on the first rank, empty elsewhere.
  std::vector<std::string> collect(std::string_view text) const;

 private:
  explicit Communicator(MPI_Comm handle);

  MPI_Comm handle_;  ///< a duplicate, owned by this object
  int rank_ = 0;
  int size_ = 1;
  mutable Index summed_bytes_ = 0;
};

/// Converts a count for MPI, which has 32 bits; senders split longer messages.
int count_of(Index number);

/// Ranks in a grid: those of a line have the same labels and different rows, those of a column
/// different labels and the same rows.
struct Grid {
  /// Requires: row_shards divides the number of ranks.
  Grid(const Communicator& ranks, int row_shards)
      : all(ranks),
        rows(ranks.split(ranks.rank() / row_shards, ranks.rank())),
        labels(ranks.split(ranks.rank() % row_shards, ranks.rank())) {}

  const Communicator& all;
  Communicator rows;    ///< ranks with other rows of the same labels
  Communicator labels;  ///< ranks with other labels of the same rows

  /// Whether this rank writes data that is the same for all rows.
  bool writes() const noexcept { return rows.is_first(); }
};

/// Sums over all groups of labels, added in the order of the groups: the bits do not depend on
/// which rank has which group.
class GroupSums {
 public:
  /// `numbers` are the numbers of this rank's groups. Every rank must call it. `among` must outlive
  /// it.
  GroupSums(const Communicator& among, std::span<const Index> numbers);

  /// Adds the rows of all ranks; `rows` has one per group of this rank. Every rank must call it.
  std::vector<double> add_up(const Matrix<double>& rows) const;

 private:
  const Communicator& among_;
  std::vector<std::size_t> order_;  ///< of the rows gathered from all ranks
};

}  // namespace mugrad::mpi
