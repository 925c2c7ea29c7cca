// SPDX-License-Identifier: MIT
#include "mpi/checkpoints.h"

#include "core/atomic_file.h"
#include "core/file_names.h"
#include "core/json.h"
#include "core/mapped_file.h"
#include "mpi/shared_file.h"

#include <mugrad/core/error.h>
#include <mugrad/mpi/train.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string_view>
#include <system_error>

namespace mugrad::mpi {
namespace {

constexpr const char* kFormat = "mugrad-checkpoint";
constexpr int kVersion = 2;
constexpr Index kMostRounds = Index{1} << 53;

nlohmann::json parsed(std::string_view text, const std::filesystem::path& path) {
  try {
    return parse_json(text);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{} is damaged: it {}", path.string(), error.what()));
  }
}

}  // namespace

std::vector<std::filesystem::path> checkpoint_files(const std::filesystem::path& folder) {
  return {folder / "checkpoint.json", folder / "weights-a.bin", folder / "weights-b.bin"};
}

template <class Real>
Checkpoints<Real>::Checkpoints(const Grid& grid, std::filesystem::path folder,
                               std::string fingerprint, Index labels, std::span<const LabelId> own,
                               double seconds)
    : grid_(grid),
      folder_(std::move(folder)),
      files_(checkpoint_files(folder_)),
      fingerprint_(std::move(fingerprint)),
      labels_(labels),
      own_(own),
      every_(seconds) {
  std::string reason;
  if (grid_.all.is_first()) {
    std::error_code error;
    made_folder_ = std::filesystem::create_directories(folder_, error);
    if (error && !std::filesystem::is_directory(folder_)) reason = error.message();
  }
  reason = grid_.all.share(reason);
  if (!reason.empty()) {
    throw InputError(fmt::format("cannot create {}: {}", folder_.string(), reason));
  }
}

template <class Real>
std::optional<Resumption> Checkpoints<Real>::load(Matrix<Real>& weights) {
  std::string text;
  if (grid_.all.is_first() && std::filesystem::exists(manifest())) {
    const MappedFile file(manifest());
    file.while_whole([&] { text = file.bytes(); });
  }
  text = grid_.all.share(text);
  if (text.empty()) return std::nullopt;
  const auto json = parsed(text, manifest());
  const JsonField field(json, manifest().string() + ": ");
  if (field["format"].text() != kFormat ||
      field["version"].whole_number(1, kMostRounds) != kVersion) {
    throw InputError(fmt::format("{} is not a readable checkpoint", manifest().string()));
  }
  if (field["of"].text() != fingerprint_) {
    throw UsageError(
        fmt::format("{} has a checkpoint of other data or options: remove it, or choose another "
                    "folder; it is of\n  {}\nand this run of\n  {}",
                    folder_.string(), field["of"].text(), fingerprint_));
  }
  const Resumption state = {.round = field["round"].whole_number(0, kMostRounds),
                            .iterations = field["iterations"].whole_number(0, kMostRounds),
                            .first_residual = field["first_residual"].number()};
  const auto generation = static_cast<int>(field["generation"].whole_number(0, 1));
  made_folder_ = made_folder_ || (field.has("made_folder") && field["made_folder"].flag());
  const MappedFile file(weights_file(generation));
  const auto row_bytes = as_size(weights.cols()) * sizeof(Real);
  if (file.bytes().size() != row_bytes * as_size(labels_)) {
    throw InputError(fmt::format("{} has {} bytes, {} expected", weights_file(generation).string(),
                                 file.bytes().size(), row_bytes * as_size(labels_)));
  }
  file.while_whole([&] {
    for (std::size_t k = 0; k < own_.size(); ++k) {
      const auto row = weights.row(as_index(k));
      std::memcpy(row.data(), file.bytes().data() + as_size(own_[k]) * row_bytes, row_bytes);
      if (!std::ranges::all_of(row, [](Real weight) { return std::isfinite(weight); })) {
        throw InputError(fmt::format("{} is damaged: a weight of label {} is not finite",
                                     weights_file(generation).string(), own_[k]));
      }
    }
  });
  next_ = 1 - generation;
  return state;
}

template <class Real>
void Checkpoints<Real>::write(const Resumption& state, const Matrix<Real>& weights) {
  {
    SharedFile file(grid_.labels, weights_file(next_));
    const Index row_bytes = weights.cols() * as_index(sizeof(Real));
    for (std::size_t k = 0; k < own_.size(); ++k) {
      const auto row = weights.row(as_index(k));
      file.write_at(own_[k] * row_bytes,
                    {reinterpret_cast<const char*>(row.data()), row.size_bytes()});
    }
    file.commit();
  }
  if (grid_.all.is_first()) {
    const nlohmann::json json = {{"format", kFormat},
                                 {"version", kVersion},
                                 {"of", fingerprint_},
                                 {"generation", next_},
                                 {"round", state.round},
                                 {"iterations", state.iterations},
                                 {"first_residual", state.first_residual},
                                 {"made_folder", made_folder_}};
    write_file(manifest(), json.dump(2) + "\n");
  }
  MPI_Barrier(grid_.labels.handle());
  next_ = 1 - next_;
  last_ = std::chrono::steady_clock::now();
}

template <class Real>
void Checkpoints<Real>::remove() {
  if (!grid_.all.is_first()) return;
  std::error_code ignored;
  remove_leftovers(folder_);
  for (const auto& file : files_) std::filesystem::remove(file, ignored);
  // Fails if others have put files there.
  if (made_folder_) std::filesystem::remove(folder_, ignored);
}

template class Checkpoints<float>;
template class Checkpoints<double>;

}  // namespace mugrad::mpi
