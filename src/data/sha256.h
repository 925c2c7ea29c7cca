// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <string_view>

struct evp_md_ctx_st;

namespace mugrad {

/// The SHA-256 of bytes that come piece by piece.
class Sha256 {
 public:
  Sha256();

  void update(std::string_view bytes);
  /// Lower-case hexadecimal. Call once, at the end.
  std::string finish();

 private:
  struct Free {
    void operator()(evp_md_ctx_st* context) const noexcept;
  };
  std::unique_ptr<evp_md_ctx_st, Free> context_;
};

}  // namespace mugrad
