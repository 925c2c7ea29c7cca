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
constexpr int kVersion = 3;
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
  return {folder / "checkpoint.json", folder / "weights-a.bin", folder / "weights-b.bin",
          folder / "counts.bin", folder / "relations.bin"};
}

CheckpointFolder::CheckpointFolder(const Grid& grid, std::filesystem::path folder,
                                   std::string fingerprint, double seconds)
    : grid_(grid),
      folder_(std::move(folder)),
      files_(checkpoint_files(folder_)),
      fingerprint_(std::move(fingerprint)),
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
  const std::string text = shared_text(manifest());
  if (text.empty()) return;
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
  made_folder_ = made_folder_ || (field.has("made_folder") && field["made_folder"].flag());
  next_ = 1 - static_cast<int>(field["generation"].whole_number(0, 1));
}

std::string CheckpointFolder::shared_text(const std::filesystem::path& file) const {
  std::string text;
  if (grid_.all.is_first() && std::filesystem::exists(file)) {
    const MappedFile mapped(file);
    mapped.while_whole([&] { text = mapped.bytes(); });
  }
  return grid_.all.share(text);
}

void CheckpointFolder::keep(Kept what, std::string_view stage, Index done,
                            std::string_view bytes) const {
  if (!grid_.all.is_first()) return;
  const nlohmann::json header = {{"of", fingerprint_}, {"stage", stage}, {"done", done}};
  write_file(kept_file(what), fmt::format("{}\n{}", header.dump(), bytes));
}

std::optional<KeptResult> CheckpointFolder::kept(Kept what, std::string_view stage) const {
  const auto& path = kept_file(what);
  std::string text, header;
  if (grid_.all.is_first() && std::filesystem::exists(path)) {
    const MappedFile file(path);
    file.while_whole([&] { text = file.bytes(); });
    header = text.substr(0, text.find('\n'));
  }
  header = grid_.all.share(header);
  if (header.empty()) return std::nullopt;
  const auto json = parsed(header, path);
  const JsonField field(json, path.string() + ": ");
  if (field["of"].text() != fingerprint_ || field["stage"].text() != stage) return std::nullopt;
  return KeptResult{.done = field["done"].whole_number(0, kMostRounds),
                    .bytes = text.substr(std::min(text.size(), header.size() + 1))};
}

void CheckpointFolder::remove() const {
  if (!grid_.all.is_first()) return;
  std::error_code ignored;
  remove_leftovers(folder_);
  for (const auto& file : files_) std::filesystem::remove(file, ignored);
  // Fails if others have put files there.
  if (made_folder_) std::filesystem::remove(folder_, ignored);
}

template <class Real>
std::optional<Resumption> Checkpoints<Real>::load(Matrix<Real>& weights) {
  const auto& manifest = folder_.manifest();
  const std::string text = folder_.shared_text(manifest);
  if (text.empty()) return std::nullopt;
  const auto json = parsed(text, manifest);
  const JsonField field(json, manifest.string() + ": ");
  if (field["stage"].text() != stage_) return std::nullopt;
  const Resumption state = {.round = field["round"].whole_number(0, kMostRounds),
                            .iterations = field["iterations"].whole_number(0, kMostRounds),
                            .first_residual = field["first_residual"].number()};
  const auto generation = static_cast<int>(field["generation"].whole_number(0, 1));
  const auto& path = folder_.weights_file(generation);
  const MappedFile file(path);
  const auto row_bytes = as_size(weights.cols()) * sizeof(Real);
  if (file.bytes().size() != row_bytes * as_size(labels_)) {
    throw InputError(fmt::format("{} has {} bytes, {} expected", path.string(), file.bytes().size(),
                                 row_bytes * as_size(labels_)));
  }
  file.while_whole([&] {
    for (std::size_t k = 0; k < own_.size(); ++k) {
      const auto row = weights.row(as_index(k));
      std::memcpy(row.data(), file.bytes().data() + as_size(own_[k]) * row_bytes, row_bytes);
      if (!std::ranges::all_of(row, [](Real weight) { return std::isfinite(weight); })) {
        throw InputError(fmt::format("{} is damaged: a weight of label {} is not finite",
                                     path.string(), own_[k]));
      }
    }
  });
  return state;
}

template <class Real>
void Checkpoints<Real>::write(const Resumption& state, const Matrix<Real>& weights) {
  const Grid& grid = folder_.grid_;
  {
    SharedFile file(grid.labels, folder_.weights_file(folder_.next_));
    const Index row_bytes = weights.cols() * as_index(sizeof(Real));
    for (std::size_t k = 0; k < own_.size(); ++k) {
      const auto row = weights.row(as_index(k));
      file.write_at(own_[k] * row_bytes,
                    {reinterpret_cast<const char*>(row.data()), row.size_bytes()});
    }
    file.commit();
  }
  if (grid.all.is_first()) {
    const nlohmann::json json = {{"format", kFormat},
                                 {"version", kVersion},
                                 {"of", folder_.fingerprint_},
                                 {"stage", stage_},
                                 {"generation", folder_.next_},
                                 {"round", state.round},
                                 {"iterations", state.iterations},
                                 {"first_residual", state.first_residual},
                                 {"made_folder", folder_.made_folder_}};
    write_file(folder_.manifest(), json.dump(2) + "\n");
  }
  MPI_Barrier(grid.labels.handle());
  folder_.next_ = 1 - folder_.next_;
  folder_.last_ = std::chrono::steady_clock::now();
}

template class Checkpoints<float>;
template class Checkpoints<double>;

}  // namespace mugrad::mpi
