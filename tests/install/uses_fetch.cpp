// SPDX-License-Identifier: MIT
#include <mugrad/core/error.h>
#include <mugrad/fetch/fetch.h>

/// Links all that downloads take, and asks no network.
int main() {
  try {
    mugrad::fetch(mugrad::catalog().front(), {.from = "ftp://example.org"});
  } catch (const mugrad::UsageError&) {
    return 0;
  }
  return 1;
}
