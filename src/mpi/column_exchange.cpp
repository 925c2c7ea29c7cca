// SPDX-License-Identifier: MIT
#include "mpi/column_exchange.h"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <map>
#include <numeric>

namespace mugrad::mpi {
namespace {

constexpr int kTag = 1;

/// Rows of the weights, without the parameters that are not sent.
template <class Real>
MPI_Datatype rows_type(const std::vector<Index>& rows, Index parameters, Index first) {
  std::vector<MPI_Aint> begins;
  begins.reserve(rows.size());
  for (const Index row : rows) {
    begins.push_back(static_cast<MPI_Aint>((row * parameters + first) * as_index(sizeof(Real))));
  }
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_create_hindexed_block(count_of(std::ssize(rows)), count_of(parameters - first),
                                 begins.data(), type_of<Real>(), &type);
  MPI_Type_commit(&type);
  return type;
}

}  // namespace

template <class Real>
ColumnExchange<Real>::ColumnExchange(const Communicator& among, std::span<const LabelId> own,
                                     std::span<const LabelId> wanted,
                                     std::span<const std::int32_t> rank_of, Index parameters,
                                     Index first)
    : among_(among) {
  const auto ranks = as_size(among.size());
  std::vector<int> ask(ranks, 0);
  std::map<int, std::vector<Index>> rows_from;
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    const int from = rank_of[as_size(wanted[k])];
    assert(k == 0 || from >= rank_of[as_size(wanted[k - 1])]);
    ++ask[as_size(from)];
    rows_from[from].push_back(std::ssize(own) + as_index(k));
  }
  // The columns that other ranks need from this one.
  std::vector<int> asked(ranks, 0);
  MPI_Alltoall(ask.data(), 1, MPI_INT, asked.data(), 1, MPI_INT, among.handle());
  std::vector<int> ask_begin(ranks, 0), asked_begin(ranks, 0);
  for (std::size_t r = 1; r < ranks; ++r) {
    ask_begin[r] = ask_begin[r - 1] + ask[r - 1];
    asked_begin[r] = asked_begin[r - 1] + asked[r - 1];
  }
  const int asked_in_all = std::accumulate(asked.begin(), asked.end(), 0);
  std::vector<LabelId> asked_labels(as_size(asked_in_all));
  MPI_Alltoallv(wanted.data(), ask.data(), ask_begin.data(), MPI_INT32_T, asked_labels.data(),
                asked.data(), asked_begin.data(), MPI_INT32_T, among.handle());

  for (const auto& [from, rows] : rows_from) {
    sources_.push_back(from);
    incoming_.push_back({from, rows_type<Real>(rows, parameters, first)});
  }
  std::map<LabelId, Index> row_of;
  for (std::size_t k = 0; k < own.size(); ++k) row_of[own[k]] = as_index(k);
  for (std::size_t r = 0; r < ranks; ++r) {
    if (asked[r] == 0) continue;
    const auto labels = std::span(asked_labels).subspan(as_size(asked_begin[r]), as_size(asked[r]));
    std::vector<Index> rows(labels.size());
    std::ranges::transform(labels, rows.begin(), [&](LabelId label) { return row_of.at(label); });
    outgoing_.push_back({static_cast<int>(r), rows_type<Real>(rows, parameters, first)});
  }
  bytes_ = std::ssize(wanted) * (parameters - first) * as_index(sizeof(Real));
}

template <class Real>
ColumnExchange<Real>::~ColumnExchange() {
  abandon();
  for (auto* messages : {&incoming_, &outgoing_}) {
    for (auto& message : *messages) MPI_Type_free(&message.type);
  }
}

/// Ends pending messages, because the weights may be destroyed next. Receives can be cancelled;
/// sends end when they are received, by ranks that may have failed, too, so waiting is limited.
template <class Real>
void ColumnExchange<Real>::abandon() noexcept {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::seconds kPatience{1};
  std::vector<MPI_Request*> pending;
  for (auto& message : incoming_) {
    if (message.request == MPI_REQUEST_NULL) continue;
    MPI_Cancel(&message.request);
    pending.push_back(&message.request);
  }
  for (auto& message : outgoing_) {
    if (message.request != MPI_REQUEST_NULL) pending.push_back(&message.request);
  }
  const auto until = Clock::now() + kPatience;
  while (!pending.empty() && Clock::now() < until) {
    std::erase_if(pending, [](MPI_Request* request) {
      int done = 0;
      MPI_Test(request, &done, MPI_STATUS_IGNORE);
      return done != 0;
    });
  }
}

template <class Real>
void ColumnExchange<Real>::start(Matrix<Real>& weights) {
  for (auto& message : incoming_) {
    message.done = false;
    MPI_Irecv(weights.data(), 1, message.type, message.rank, kTag, among_.handle(),
              &message.request);
  }
  for (auto& message : outgoing_) {
    MPI_Isend(weights.data(), 1, message.type, message.rank, kTag, among_.handle(),
              &message.request);
  }
}

template <class Real>
void ColumnExchange<Real>::take(Message& message, const MPI_Status& status) {
  MPI_Count entries = 0;
  MPI_Get_elements_x(&status, message.type, &entries);
  received_ += as_index(entries) * as_index(sizeof(Real));
  message.request = MPI_REQUEST_NULL;
  message.done = true;
}

template <class Real>
bool ColumnExchange<Real>::has_arrived(std::size_t source) {
  auto& message = incoming_[source];
  if (message.done) return true;
  int done = 0;
  MPI_Status status;
  MPI_Test(&message.request, &done, &status);
  if (done != 0) take(message, status);
  return message.done;
}

template <class Real>
std::optional<std::size_t> ColumnExchange<Real>::wait() {
  std::vector<MPI_Request> requests;
  for (const auto& message : incoming_) {
    requests.push_back(message.done ? MPI_REQUEST_NULL : message.request);
  }
  int which = MPI_UNDEFINED;
  MPI_Status status;
  MPI_Waitany(static_cast<int>(requests.size()), requests.data(), &which, &status);
  if (which == MPI_UNDEFINED) return std::nullopt;
  take(incoming_[as_size(which)], status);
  return as_size(which);
}

template <class Real>
void ColumnExchange<Real>::finish() {
  while (wait()) continue;
  for (auto& message : outgoing_) MPI_Wait(&message.request, MPI_STATUS_IGNORE);
}

template class ColumnExchange<float>;
template class ColumnExchange<double>;

}  // namespace mugrad::mpi
