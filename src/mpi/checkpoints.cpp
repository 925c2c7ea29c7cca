// SPDX-License-Identifier: MIT
#include "mpi/checkpoints.h"

#include "core/file_names.h"
#include "mpi/shared_file.h"

#include <mugrad/core/atomic_file.h>
#include <mugrad/core/error.h>
#include <mugrad/core/mapped_file.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstring>
#include <string_view>
#include <system_error>
#include <vector>

namespace mugrad::mpi {
namespace {

constexpr const char* kFormat = "mugrad-checkpoint";
constexpr int kVersion = 1;

}  // namespace

template <class Real>
Checkpoints<Real>::Checkpoints(const Grid& grid, std::filesystem::path folder,
                               std::string fingerprint, Index labels, std::span<const LabelId> own,
                               double seconds)
    : grid_(grid),
      folder_(std::move(folder)),
      fingerprint_(std::move(fingerprint)),
      labels_(labels),
      own_(own),
      every_(seconds) {
  std::vector<char> reason;
  if (grid_.all.is_first()) {
    std::error_code error;
    made_folder_ = std::filesystem::create_directories(folder_, error);
    if (error && !std::filesystem::is_directory(folder_)) {
      const auto text = error.message();
      reason.assign(text.begin(), text.end());
    }
  }
  grid_.all.share(reason);
  if (!reason.empty()) {
    throw InputError(fmt::format("cannot make {}: {}", folder_.string(),
                                 std::string_view(reason.data(), reason.size())));
  }
}

template <class Real>
std::optional<Resumption> Checkpoints<Real>::load(Matrix<Real>& weights) {
  std::vector<char> text;
  if (grid_.all.is_first() && std::filesystem::exists(manifest())) {
    const MappedFile file(manifest());
    text.assign(file.bytes().begin(), file.bytes().end());
  }
  grid_.all.share(text);
  if (text.empty()) return std::nullopt;
  Resumption state;
  int generation = 0;
  try {
    const auto json = nlohmann::json::parse(text.begin(), text.end());
    if (json.at("format") != kFormat || json.at("version") != kVersion) {
      throw InputError(fmt::format("{} is not a checkpoint that can be read", manifest().string()));
    }
    if (json.at("of") != fingerprint_) {
      throw UsageError(
          fmt::format("{} has a checkpoint of other data or options: remove it, or choose another "
                      "folder; it is of\n  {}\nand this run of\n  {}",
                      folder_.string(), json.at("of").template get<std::string>(), fingerprint_));
    }
    state = {.round = json.at("round"), .first_residual = json.at("first_residual")};
    generation = json.at("generation");
    made_folder_ = made_folder_ || json.value("made_folder", false);
  } catch (const nlohmann::json::exception& error) {
    throw InputError(fmt::format("{} is damaged: {}", manifest().string(), error.what()));
  }
  const MappedFile file(weights_file(generation));
  const auto row_bytes = static_cast<std::size_t>(weights.cols()) * sizeof(Real);
  if (file.bytes().size() != row_bytes * static_cast<std::size_t>(labels_)) {
    throw InputError(fmt::format("{} has {} bytes, {} expected", weights_file(generation).string(),
                                 file.bytes().size(),
                                 row_bytes * static_cast<std::size_t>(labels_)));
  }
  for (std::size_t k = 0; k < own_.size(); ++k) {
    std::memcpy(weights.row(static_cast<Index>(k)).data(),
                file.bytes().data() + static_cast<std::size_t>(own_[k]) * row_bytes, row_bytes);
  }
  next_ = 1 - generation;
  return state;
}

template <class Real>
void Checkpoints<Real>::write(const Resumption& state, const Matrix<Real>& weights) {
  {
    SharedFile file(grid_.labels, weights_file(next_));
    const Index row_bytes = weights.cols() * static_cast<Index>(sizeof(Real));
    for (std::size_t k = 0; k < own_.size(); ++k) {
      const auto row = weights.row(static_cast<Index>(k));
      file.write_at(own_[k] * row_bytes,
                    {reinterpret_cast<const char*>(row.data()), row.size_bytes()});
    }
    file.commit();
  }
  if (grid_.all.is_first()) {
    const nlohmann::json json = {
        {"format", kFormat},          {"version", kVersion},
        {"of", fingerprint_},         {"generation", next_},
        {"round", state.round},       {"first_residual", state.first_residual},
        {"made_folder", made_folder_}};
    AtomicFile file(manifest());
    file.write(json.dump(2) + "\n");
    file.commit();
  }
  MPI_Barrier(grid_.labels.handle());
  next_ = 1 - next_;
  last_ = std::chrono::steady_clock::now();
}

template <class Real>
void Checkpoints<Real>::remove() {
  if (!grid_.all.is_first()) return;
  std::error_code ignored;
  std::vector<std::filesystem::path> incomplete;  // of runs that were killed
  for (const auto& entry : std::filesystem::directory_iterator(folder_, ignored)) {
    if (is_hidden_name(entry.path())) incomplete.push_back(entry.path());
  }
  for (const auto& file : incomplete) std::filesystem::remove(file, ignored);
  for (const auto& file : {manifest(), weights_file(0), weights_file(1)}) {
    std::filesystem::remove(file, ignored);
  }
  // Not where someone has put something else there.
  if (made_folder_) std::filesystem::remove(folder_, ignored);
}

template class Checkpoints<float>;
template class Checkpoints<double>;

}  // namespace mugrad::mpi
