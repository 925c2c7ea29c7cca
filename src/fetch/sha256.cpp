// SPDX-License-Identifier: MIT
#include "fetch/sha256.h"

#include <mugrad/core/error.h>

#include <fmt/format.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>

#include <array>

namespace mugrad {
namespace {

void require(bool success) {
  if (!success) throw Error("OpenSSL on this machine cannot compute SHA-256");
}

}  // namespace

void Sha256::Free::operator()(ossl_lib_ctx_st* library) const noexcept {
  OSSL_LIB_CTX_free(library);
}
void Sha256::Free::operator()(evp_md_st* algorithm) const noexcept { EVP_MD_free(algorithm); }
void Sha256::Free::operator()(evp_md_ctx_st* context) const noexcept { EVP_MD_CTX_free(context); }

// A separate library context: using OpenSSL's default one crashes if it could not be allocated.
Sha256::Sha256() : library_(OSSL_LIB_CTX_new()) {
  require(library_ != nullptr);
  algorithm_.reset(EVP_MD_fetch(library_.get(), "SHA256", nullptr));
  require(algorithm_ != nullptr);
  context_.reset(EVP_MD_CTX_new());
  require(context_ != nullptr &&
          EVP_DigestInit_ex2(context_.get(), algorithm_.get(), nullptr) == 1);
}

void Sha256::update(std::string_view bytes) {
  require(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()) == 1);
}

std::string Sha256::finish() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
  unsigned int size = 0;
  require(EVP_DigestFinal_ex(context_.get(), digest.data(), &size) == 1);
  std::string text;
  for (unsigned int i = 0; i < size; ++i) text += fmt::format("{:02x}", digest[i]);
  return text;
}

}  // namespace mugrad
