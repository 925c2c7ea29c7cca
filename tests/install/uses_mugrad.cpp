// SPDX-License-Identifier: MIT
#include <mugrad/mugrad.h>

int main() {
  const auto data = mugrad::generate({.rows = 50, .labels = 4, .cardinality = 1}).data;
  return mugrad::fit(data).scores(data.x).cols() == 4 ? 0 : 1;
}
