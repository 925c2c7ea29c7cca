// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace mugrad::testing {

struct HttpResponse {
  int status = 200;
  std::string body = {};
  std::string location = {};                       ///< where a redirect leads
  std::optional<std::size_t> content_length = {};  ///< what the header claims; empty: the truth
  /// What follows the body until the client goes: nothing but the end, silence, or the body again
  /// and again, of which no header tells the length.
  enum class Then { end, silence, repeat } then = Then::end;
};

/// A web server on a free port of 127.0.0.1 that answers one request after the other.
class HttpServer {
 public:
  /// Called with the path of each request, in the server's own thread.
  using Handler = std::function<HttpResponse(const std::string& path)>;

  explicit HttpServer(Handler handler);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  /// http://127.0.0.1:PORT
  std::string url() const;
  /// The paths asked for so far.
  std::vector<std::string> requests() const;

 private:
  void serve();
  void answer(int connection);

  Handler handler_;
  int listener_ = -1;
  int port_ = 0;
  mutable std::mutex mutex_;
  std::vector<std::string> requests_;
  std::thread thread_;
};

}  // namespace mugrad::testing
