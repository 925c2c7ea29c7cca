// SPDX-License-Identifier: MIT
#include "fetch/download.h"

#include "fetch/sha256.h"

#include <mugrad/version.h>

#include <curl/curl.h>
#include <fmt/format.h>

#include <array>
#include <exception>
#include <memory>
#include <utility>

namespace mugrad {
namespace {

constexpr long kConnectSeconds = 20;
constexpr long kMostRedirects = 5;

struct FreeHandle {
  void operator()(CURL* handle) const noexcept { curl_easy_cleanup(handle); }
};
using Handle = std::unique_ptr<CURL, FreeHandle>;

Handle new_handle() {
  // Once per process; static initialisation is thread-safe.
  static const CURLcode started = curl_global_init(CURL_GLOBAL_DEFAULT);
  Handle handle(started == CURLE_OK ? curl_easy_init() : nullptr);
  if (handle == nullptr) throw Error("libcurl could not be started");
  return handle;
}

/// One download. libcurl calls back from C, where no exception may pass: exceptions are kept in
/// `failure_`.
class CurlTransfer {
 public:
  CurlTransfer(const std::string& url, const ExpectedContent& expected,
               const DownloadProgress& progress, const DownloadClock& clock)
      : url_(url),
        expected_(expected),
        progress_(progress),
        clock_(clock),
        speed_(clock()),
        handle_(new_handle()) {
    set_up();
  }

  std::string run() {
    const CURLcode result = curl_easy_perform(handle_.get());
    if (failure_) std::rethrow_exception(failure_);
    if (result == CURLE_ABORTED_BY_CALLBACK) {
      throw InterruptedError(fmt::format("the download of {} was interrupted", url_));
    }
    if (result != CURLE_OK) {
      throw DownloadError(fmt::format("cannot fetch {}: {}", url_, reason_of(result)));
    }
    Sha256 hash;
    hash.update(content_);
    if (const std::string sha256 = hash.finish(); sha256 != expected_.sha256) {
      refuse_content(fmt::format("SHA-256 {}, expected {}", sha256, expected_.sha256));
    }
    return std::move(content_);
  }

 private:
  template <class Value>
  void set(CURLoption option, Value value) {
    if (curl_easy_setopt(handle_.get(), option, value) != CURLE_OK) {
      throw Error(fmt::format("libcurl lacks what the download of {} needs", url_));
    }
  }

  void set_up() {
    const char* protocols = url_.starts_with("http://") ? "http,https" : "https";
    set(CURLOPT_URL, url_.c_str());
    set(CURLOPT_PROTOCOLS_STR, protocols);
    set(CURLOPT_REDIR_PROTOCOLS_STR, protocols);
    set(CURLOPT_FOLLOWLOCATION, 1L);
    set(CURLOPT_MAXREDIRS, kMostRedirects);
    set(CURLOPT_FAILONERROR, 1L);
    set(CURLOPT_CONNECTTIMEOUT, kConnectSeconds);
    set(CURLOPT_NOSIGNAL, 1L);  // a library must not use the process's SIGALRM
    set(CURLOPT_USERAGENT, fmt::format("mugrad/{}", kVersion).c_str());
    set(CURLOPT_ERRORBUFFER, curl_words_.data());
    set(CURLOPT_WRITEFUNCTION, &CurlTransfer::receive);
    set(CURLOPT_WRITEDATA, this);
    set(CURLOPT_NOPROGRESS, 0L);
    set(CURLOPT_XFERINFOFUNCTION, &CurlTransfer::report);
    set(CURLOPT_XFERINFODATA, this);
  }

  static std::size_t receive(const char* bytes, std::size_t, std::size_t count, void* self) {
    auto& transfer = *static_cast<CurlTransfer*>(self);
    try {
      transfer.take({bytes, count});
      return count;
    } catch (...) {
      transfer.failure_ = std::current_exception();
      return CURL_WRITEFUNC_ERROR;
    }
  }

  static int report(void* self, curl_off_t total, curl_off_t received, curl_off_t, curl_off_t) {
    auto& transfer = *static_cast<CurlTransfer*>(self);
    try {
      transfer.check_speed();
      return !transfer.progress_ || transfer.progress_(received, total) ? 0 : 1;
    } catch (...) {
      transfer.failure_ = std::current_exception();
      return 1;
    }
  }

  void take(std::string_view bytes) {
    if (std::ssize(content_) + std::ssize(bytes) > expected_.bytes) {
      refuse_content(fmt::format("more than the {} bytes expected", expected_.bytes));
    }
    content_ += bytes;
  }

  /// Bodies of redirects do not count.
  void check_speed() {
    if (!speed_.is_missed(std::ssize(content_), clock_())) return;
    throw DownloadError(
        fmt::format("cannot fetch {}: fewer than {} bytes per second arrived for {} seconds", url_,
                    MinimumSpeed::kBytesPerSecond, MinimumSpeed::kPatience.count()));
  }

  [[noreturn]] void refuse_content(const std::string& what) const {
    throw DownloadError(
        fmt::format("{} has {}: the file has changed or is damaged; nothing was kept", url_, what));
  }

  std::string reason_of(CURLcode result) const {
    switch (result) {
      case CURLE_COULDNT_RESOLVE_HOST:
        return "its host is unknown";
      case CURLE_COULDNT_CONNECT:
        return "no connection to its host";
      case CURLE_HTTP_RETURNED_ERROR:
        return fmt::format("the server answered HTTP {}", number_of<long>(CURLINFO_RESPONSE_CODE));
      case CURLE_OPERATION_TIMEDOUT:
        return "the server does not answer";
      case CURLE_PARTIAL_FILE:
        return fmt::format("the transfer was aborted after {} of {} bytes",
                           number_of<curl_off_t>(CURLINFO_SIZE_DOWNLOAD_T),
                           number_of<curl_off_t>(CURLINFO_CONTENT_LENGTH_DOWNLOAD_T));
      default:
        return curl_words_[0] == '\0' ? curl_easy_strerror(result) : curl_words_.data();
    }
  }

  template <class Number>
  Number number_of(CURLINFO info) const {
    Number number = 0;
    curl_easy_getinfo(handle_.get(), info, &number);
    return number;
  }

  const std::string& url_;
  const ExpectedContent expected_;
  const DownloadProgress& progress_;
  const DownloadClock& clock_;
  MinimumSpeed speed_;
  std::string content_;
  std::exception_ptr failure_;
  std::array<char, CURL_ERROR_SIZE> curl_words_{};
  Handle handle_;  ///< last: closed before the data of its callbacks is destroyed
};

}  // namespace

bool MinimumSpeed::is_missed(std::int64_t received, Time now) noexcept {
  if (received - before_ >= kBytesPerSecond * kPatience.count()) {
    since_ = now;
    before_ = received;
  }
  return now - since_ >= kPatience;
}

std::string download(const std::string& url, const ExpectedContent& expected,
                     const DownloadProgress& progress, const DownloadClock& clock) {
  return CurlTransfer(url, expected, progress, clock).run();
}

}  // namespace mugrad
