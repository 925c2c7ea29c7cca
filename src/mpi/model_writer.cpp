// SPDX-License-Identifier: MIT
#include "mpi/model_writer.h"

#include "model/model_frame.h"
#include "mpi/shared_file.h"

#include <algorithm>
#include <type_traits>

namespace mugrad::mpi {
namespace {

/// Of the rows that one rank puts together at a time.
constexpr Index kSlabBytes = Index{1} << 22;
/// Of the relations that are written at a time.
constexpr Index kEntriesAtOnce = Index{1} << 18;

/// Columns of all ranks turned into rows, of which each rank gets some.
template <class Real>
class Transposition {
 public:
  Transposition(const Communicator& among, Index labels, std::span<const LabelId> columns,
                const Matrix<Real>& weights)
      : among_(among), labels_(labels), columns_(columns), weights_(weights) {
    const auto mine = static_cast<std::int64_t>(columns.size());
    counts_ = among.gather(std::span<const std::int64_t>(&mine, 1));
    all_columns_ = among.gather(columns);
  }

  /// The rows of features [begin, end) that are this rank's, when each rank has `each` in turn.
  Matrix<Real> rows(Index begin, Index each, Index end) const {
    const auto ranks = counts_.size();
    const auto first = [&](std::size_t r) {
      return std::min(begin + static_cast<Index>(r) * each, end);
    };
    const auto me = static_cast<std::size_t>(among_.rank());
    const Index mine = first(me + 1) - first(me);
    std::vector<int> sent(ranks), sent_at(ranks), got(ranks), got_at(ranks);
    std::vector<Real> out, in;
    Index arriving = 0;
    for (std::size_t r = 0; r < ranks; ++r) {
      sent_at[r] = count_of(std::ssize(out));
      for (Index k = first(r); k < first(r + 1); ++k) {
        for (Index t = 0; t < std::ssize(columns_); ++t) out.push_back(weights_(t, k + 1));
      }
      sent[r] = count_of(std::ssize(out)) - sent_at[r];
      got_at[r] = count_of(arriving);
      got[r] = count_of(mine * counts_[r]);
      arriving += mine * counts_[r];
    }
    in.resize(static_cast<std::size_t>(arriving));
    MPI_Alltoallv(out.data(), sent.data(), sent_at.data(), type_of<Real>(), in.data(), got.data(),
                  got_at.data(), type_of<Real>(), among_.handle());
    Matrix<Real> rows(mine, labels_);
    std::size_t at = 0;
    std::size_t first_column = 0;
    for (const auto count : counts_) {
      const auto columns =
          std::span(all_columns_).subspan(first_column, static_cast<std::size_t>(count));
      for (Index k = 0; k < mine; ++k) {
        for (const LabelId column : columns) rows(k, column) = in[at++];
      }
      first_column += columns.size();
    }
    return rows;
  }

 private:
  const Communicator& among_;
  Index labels_;
  std::span<const LabelId> columns_;
  const Matrix<Real>& weights_;
  std::vector<std::int64_t> counts_;
  std::vector<LabelId> all_columns_;
};

/// Where the parts of the file begin that ranks write together.
struct Places {
  Index weights = 0;
  Index related = -1;  ///< none: the first rank has written the relations
  Index strengths = -1;
};

Places write_frame(const Communicator& among, const ModelContents& contents, bool is_double,
                   Index features, SharedFile& file, const std::string& name) {
  std::vector<std::int64_t> begins;
  if (among.is_first()) {
    const auto frame = frame_of(contents, is_double, features, name);
    for (const auto& piece : frame.pieces) file.write_at(piece.begin, piece.bytes);
    for (const char* key : {"weights", "relations.label", "relations.strength"}) {
      const auto found = frame.begins.find(key);
      begins.push_back(found == frame.begins.end() ? -1 : found->second);
    }
  }
  among.share(begins);
  return {.weights = begins[0], .related = begins[1], .strengths = begins[2]};
}

/// Writes the rows of this rank's stretch of labels, some at a time.
void write_relations(const Communicator& among, std::vector<Index> starts, Index labels,
                     const RelationsRow& relations, const Places& places, SharedFile& file) {
  among.share(starts);
  const LabelId end = static_cast<LabelId>(labels * (among.rank() + 1) / among.size());
  auto label = static_cast<LabelId>(labels * among.rank() / among.size());
  std::vector<LabelId> related, row;
  std::vector<double> strengths, row_strengths;
  while (label < end) {
    const Index begin = starts[static_cast<std::size_t>(label)];
    related.clear();
    strengths.clear();
    for (; label < end && std::ssize(related) < kEntriesAtOnce; ++label) {
      relations(label, row, row_strengths);
      related.insert(related.end(), row.begin(), row.end());
      strengths.insert(strengths.end(), row_strengths.begin(), row_strengths.end());
    }
    const auto bytes_of = [](const auto& numbers) {
      return std::string_view(reinterpret_cast<const char*>(numbers.data()),
                              std::span(numbers).size_bytes());
    };
    file.write_at(places.related + begin * static_cast<Index>(sizeof(LabelId)), bytes_of(related));
    file.write_at(places.strengths + begin * static_cast<Index>(sizeof(double)),
                  bytes_of(strengths));
  }
}

}  // namespace

template <class Real>
void write_model(const Communicator& among, const ModelContents& contents, Index labels,
                 std::span<const LabelId> columns, const Matrix<Real>& weights,
                 const RelationsRow& relations, const std::filesystem::path& target) {
  const Index features = weights.cols() - 1;
  SharedFile file(among, target);
  const auto places =
      write_frame(among, contents, std::is_same_v<Real, double>, features, file, target.string());
  if (places.related >= 0) {
    write_relations(among, contents.relations.row_start, labels, relations, places, file);
  }
  const Transposition<Real> transposition(among, labels, columns, weights);
  const Index row_bytes = labels * static_cast<Index>(sizeof(Real));
  const Index each = std::max<Index>(1, kSlabBytes / std::max<Index>(1, row_bytes));
  for (Index first = 0; first < features; first += each * among.size()) {
    const auto rows =
        transposition.rows(first, each, std::min(first + each * among.size(), features));
    const auto values = rows.values();
    file.write_at(places.weights + (first + each * among.rank()) * row_bytes,
                  {reinterpret_cast<const char*>(values.data()), values.size_bytes()});
  }
  file.commit();
}

template void write_model(const Communicator&, const ModelContents&, Index,
                          std::span<const LabelId>, const Matrix<float>&, const RelationsRow&,
                          const std::filesystem::path&);
template void write_model(const Communicator&, const ModelContents&, Index,
                          std::span<const LabelId>, const Matrix<double>&, const RelationsRow&,
                          const std::filesystem::path&);

}  // namespace mugrad::mpi
