// SPDX-License-Identifier: MIT
#include "mpi/model_writer.h"

#include "model/model_frame.h"
#include "mpi/shared_file.h"

#include <algorithm>
#include <type_traits>

namespace mugrad::mpi {
namespace {

/// Size of the rows that one rank assembles at a time.
constexpr Index kSlabBytes = Index{1} << 22;
/// Entries of the relations written at a time.
constexpr Index kEntriesAtOnce = Index{1} << 18;

/// Exchanges the columns of all ranks into rows, of which each rank gets some.
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

  /// The rows of features [begin, end) for this rank, if each rank has `each` in turn.
  Matrix<Real> rows(Index begin, Index each, Index end) const {
    const auto first = [&](std::size_t r) { return std::min(begin + as_index(r) * each, end); };
    const auto me = as_size(among_.rank());
    const Index mine = first(me + 1) - first(me);
    std::vector<Index> sent, got;
    std::vector<Real> out, in;
    for (std::size_t r = 0; r < counts_.size(); ++r) {
      for (Index k = first(r); k < first(r + 1); ++k) {
        for (Index t = 0; t < std::ssize(columns_); ++t) out.push_back(weights_(t, k + 1));
      }
      sent.push_back((first(r + 1) - first(r)) * std::ssize(columns_));
      got.push_back(mine * counts_[r]);
    }
    among_.exchange(out, sent, in, got);
    Matrix<Real> rows(mine, labels_);
    std::size_t at = 0;
    std::size_t first_column = 0;
    for (const auto count : counts_) {
      const auto columns = std::span(all_columns_).subspan(first_column, as_size(count));
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

/// The positions of the parts of the file that ranks write together.
struct TensorBegins {
  Index weights = 0;
  Index related = -1;  ///< -1: the first rank has written the relations
  Index strengths = -1;
};

TensorBegins write_frame(const Communicator& among, const ModelContents& contents, bool is_double,
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

/// Writes the rows of this rank's range of labels, a few at a time.
void write_relations(const Communicator& among, std::vector<Index> starts, Index labels,
                     const RelationsRow& relations, const TensorBegins& begins, SharedFile& file) {
  among.share(starts);
  const LabelId end = static_cast<LabelId>(labels * (among.rank() + 1) / among.size());
  auto label = static_cast<LabelId>(labels * among.rank() / among.size());
  std::vector<LabelId> related, row;
  std::vector<double> strengths, row_strengths;
  while (label < end) {
    const Index begin = starts[as_size(label)];
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
    file.write_at(begins.related + begin * as_index(sizeof(LabelId)), bytes_of(related));
    file.write_at(begins.strengths + begin * as_index(sizeof(double)), bytes_of(strengths));
  }
}

}  // namespace

template <class Real>
void write_model(const Communicator& among, const ModelContents& contents, Index labels,
                 std::span<const LabelId> columns, const Matrix<Real>& weights,
                 const RelationsRow& relations, const std::filesystem::path& target) {
  const Index features = weights.cols() - 1;
  SharedFile file(among, target);
  const auto begins =
      write_frame(among, contents, std::is_same_v<Real, double>, features, file, target.string());
  if (begins.related >= 0) {
    write_relations(among, contents.relations.row_start, labels, relations, begins, file);
  }
  const Transposition<Real> transposition(among, labels, columns, weights);
  const Index row_bytes = labels * as_index(sizeof(Real));
  const Index each = std::max<Index>(1, kSlabBytes / std::max<Index>(1, row_bytes));
  for (Index first = 0; first < features; first += each * among.size()) {
    const auto rows =
        transposition.rows(first, each, std::min(first + each * among.size(), features));
    const auto values = rows.values();
    file.write_at(begins.weights + (first + each * among.rank()) * row_bytes,
                  {reinterpret_cast<const char*>(values.data()), values.size_bytes()});
  }
  file.commit();
}

template decltype(write_model<float>) write_model<float>;
template decltype(write_model<double>) write_model<double>;

}  // namespace mugrad::mpi
