// SPDX-License-Identifier: MIT
#include "support/http_server.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <stdexcept>
#include <string_view>

namespace mugrad::testing {
namespace {

/// Everything up to the empty line that ends a request without a body.
std::string read_request(int connection) {
  std::string request;
  std::array<char, 4096> block;
  while (request.find("\r\n\r\n") == std::string::npos) {
    const auto count = recv(connection, block.data(), block.size(), 0);
    if (count <= 0) break;
    request.append(block.data(), static_cast<std::size_t>(count));
  }
  return request;
}

/// Stops without complaint when the client has gone: false.
bool send_all(int connection, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto count = send(connection, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

void wait_until_gone(int connection) {
  char byte = 0;
  while (recv(connection, &byte, 1, 0) > 0) continue;
}

}  // namespace

HttpServer::HttpServer(Handler handler) : handler_(std::move(handler)) {
  listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  if (listener_ == -1 || bind(listener_, generic, size) != 0 || listen(listener_, 8) != 0 ||
      getsockname(listener_, generic, &size) != 0) {
    throw std::runtime_error("no port of 127.0.0.1 can be listened on");
  }
  port_ = ntohs(address.sin_port);
  thread_ = std::thread([this] { serve(); });
}

HttpServer::~HttpServer() {
  shutdown(listener_, SHUT_RDWR);  // makes the waiting accept() return
  thread_.join();
  close(listener_);
}

std::string HttpServer::url() const { return fmt::format("http://127.0.0.1:{}", port_); }

std::vector<std::string> HttpServer::requests() const {
  const std::lock_guard lock(mutex_);
  return requests_;
}

void HttpServer::serve() {
  while (true) {
    const int connection = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (connection == -1) return;
    answer(connection);
    close(connection);
  }
}

void HttpServer::answer(int connection) {
  const std::string request = read_request(connection);
  const auto begin = request.find(' ') + 1;
  const std::string path = request.substr(begin, request.find(' ', begin) - begin);
  {
    const std::lock_guard lock(mutex_);
    requests_.push_back(path);
  }
  const HttpResponse response = handler_(path);
  using Then = HttpResponse::Then;
  std::string head = fmt::format("HTTP/1.1 {} Answer\r\nConnection: close\r\n", response.status);
  if (response.then != Then::repeat) {
    head += fmt::format("Content-Length: {}\r\n",
                        response.content_length.value_or(response.body.size()));
  }
  if (!response.location.empty()) head += fmt::format("Location: {}\r\n", response.location);
  bool is_there = send_all(connection, head + "\r\n" + response.body);
  while (is_there && response.then == Then::repeat) {
    is_there = send_all(connection, response.body);
  }
  if (is_there && response.then == Then::silence) wait_until_gone(connection);
}

}  // namespace mugrad::testing
