// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <string_view>

struct evp_md_ctx_st;
struct evp_md_st;
struct ossl_lib_ctx_st;

namespace mugrad {

/// The SHA-256 of bytes that arrive in pieces.
class Sha256 {
 public:
  Sha256();

  void update(std::string_view bytes);
  /// Lower-case hexadecimal. Call once, at the end.
  std::string finish();

 private:
  struct Free {
    void operator()(ossl_lib_ctx_st* library) const noexcept;
    void operator()(evp_md_st* algorithm) const noexcept;
    void operator()(evp_md_ctx_st* context) const noexcept;
  };
  std::unique_ptr<ossl_lib_ctx_st, Free> library_;
  std::unique_ptr<evp_md_st, Free> algorithm_;
  std::unique_ptr<evp_md_ctx_st, Free> context_;
};

}  // namespace mugrad
