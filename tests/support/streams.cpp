// SPDX-License-Identifier: MIT
#include "support/streams.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <stdexcept>
#include <string_view>
#include <utility>

namespace mugrad::testing {
namespace {

/// Returns false if nobody reads any more.
bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto count = write(descriptor, bytes.data(), bytes.size());
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

void block_sigpipe() {
  sigset_t broken;
  sigemptyset(&broken);
  sigaddset(&broken, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &broken, nullptr);
}

}  // namespace

FedPipe::FedPipe(std::filesystem::path path, std::string bytes)
    : FedPipe(std::move(path), std::move(bytes), false) {}

FedPipe FedPipe::endless(std::filesystem::path path, std::string bytes) {
  return FedPipe(std::move(path), std::move(bytes), true);
}

FedPipe::FedPipe(std::filesystem::path path, std::string bytes, bool is_endless)
    : path_(std::move(path)) {
  if (mkfifo(path_.c_str(), 0600) != 0) throw std::runtime_error("mkfifo failed");
  writer_ = std::thread([this, content = std::move(bytes), is_endless] {
    block_sigpipe();
    const int descriptor = open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    while (write_all(descriptor, content) && is_endless) continue;
    close(descriptor);
    is_over_ = true;
  });
}

FedPipe::~FedPipe() {
  // A reader that comes and goes frees a writer whose pipe nobody has opened.
  while (!is_over_) {
    close(open(path_.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
    std::this_thread::yield();
  }
  writer_.join();
}

OpenPipe::OpenPipe(std::string bytes) {
  if (pipe2(ends_.data(), O_CLOEXEC) != 0) throw std::runtime_error("pipe2 failed");
  writer_ = std::thread([end = ends_[1], content = std::move(bytes)] {
    block_sigpipe();
    write_all(end, content);
    close(end);
  });
}

OpenPipe::~OpenPipe() {
  close(ends_[0]);
  writer_.join();
}

StandardInput::StandardInput(int descriptor) : before_(fcntl(0, F_DUPFD_CLOEXEC, 3)) {
  if (dup2(descriptor, 0) == -1) throw std::runtime_error("dup2 failed");
}

StandardInput::~StandardInput() {
  dup2(before_, 0);
  close(before_);
}

}  // namespace mugrad::testing
