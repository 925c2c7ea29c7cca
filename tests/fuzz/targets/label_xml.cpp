// SPDX-License-Identifier: MIT
#include "data/formats/arff/label_xml.h"

#include "fuzz/support.h"
#include "fuzz/targets.h"

#include <vector>

namespace mugrad::fuzz {

void label_xml(std::string_view input) {
  std::vector<std::string> names;
  const auto path = file_of("labels.xml", input);
  if (!accepted([&] { names = formats::read_label_xml(path); })) return;
  require(!names.empty(), "a label file without labels is accepted");
  const auto again = formats::read_label_xml(file_of("again.xml", formats::label_xml(names)));
  require(again == names, "label names change when they are written and read again");
}

}  // namespace mugrad::fuzz
