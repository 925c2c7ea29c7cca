// SPDX-License-Identifier: MIT
#include "fuzz/support.h"
#include "fuzz/targets.h"

#include <mugrad/method/mgd.h>

#include <vector>

namespace mugrad::fuzz {

void transfer(std::string_view input) {
  const std::vector<std::string> names = {"a", "b", "c d"};
  const auto path = file_of("transfer.csv", input);
  accepted([&] {
    const TransferMatrix matrix = read_transfer(path, names);
    require(matrix.mbar.rows() == std::ssize(names), "a transfer of another size is accepted");
  });
}

}  // namespace mugrad::fuzz
