// SPDX-License-Identifier: MIT
#pragma once

#include "mpi/communicator.h"

#include <mugrad/linalg/matrix.h>

#include <optional>
#include <span>
#include <vector>

namespace mugrad::mpi {

/// Fetches the weights of labels on other ranks that this rank's labels borrow from, and no others.
/// The weight matrix has one row per label: first those of this rank, then those of others, by rank
/// and label. Each rank sends each other rank one message with the columns it needs; work can
/// overlap between start() and the arrival of data.
template <class Real>
class ColumnExchange {
 public:
  /// `own` lists this rank's labels in the order of their rows; `wanted` those of others, ordered
  /// by rank, then label; `rank_of` is the rank of every label. Parameters before `first` are not
  /// borrowed and not sent. Every rank must call it. `among` must outlive it.
  ColumnExchange(const Communicator& among, std::span<const LabelId> own,
                 std::span<const LabelId> wanted, std::span<const std::int32_t> rank_of,
                 Index parameters, Index first);
  ~ColumnExchange();
  ColumnExchange(const ColumnExchange&) = delete;
  ColumnExchange& operator=(const ColumnExchange&) = delete;

  /// The ranks that this rank receives from.
  const std::vector<int>& sources() const noexcept { return sources_; }

  /// Begins to send and receive. Until finish(), the rows of this rank may be read, and the others
  /// must not be used until they have arrived.
  void start(Matrix<Real>& weights);
  /// Whether the data of this source, an index into sources(), has arrived; advances messages.
  bool has_arrived(std::size_t source);
  /// Waits for the next arrival; returns the source, or none if all have arrived.
  std::optional<std::size_t> wait();
  /// Waits until everything has been sent and received. A rank that throws before need not call it:
  /// the destructor ensures that nothing arrives in the weights later.
  void finish();

  /// Bytes of weights that this rank receives in each exchange...
  Index bytes() const noexcept { return bytes_; }
  /// ... and in all of them so far.
  Index received() const noexcept { return received_; }

 private:
  struct Message {
    int rank;
    MPI_Datatype type;
    MPI_Request request = MPI_REQUEST_NULL;
    bool done = true;
  };
  void take(Message& message, const MPI_Status& status);
  void abandon() noexcept;

  const Communicator& among_;
  std::vector<int> sources_;
  std::vector<Message> incoming_, outgoing_;
  Index bytes_ = 0;
  Index received_ = 0;
};

}  // namespace mugrad::mpi
