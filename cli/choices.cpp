// SPDX-License-Identifier: MIT
#include "choices.h"

#include <mugrad/data/catalog.h>
#include <mugrad/data/files.h>
#include <mugrad/method/method.h>
#include <mugrad/metric/metric.h>

namespace mugrad::cli {

std::vector<std::string> method_choices() {
  std::vector<std::string> names;
  for (const Method* const method : methods()) names.emplace_back(method->name());
  return names;
}

std::vector<std::string> metric_choices() {
  std::vector<std::string> names;
  for (const MeasureInfo& info : measures()) {
    names.push_back(std::string(info.name) + (info.has_k ? "1" : ""));
  }
  return names;
}

std::vector<std::string> format_choices() {
  std::vector<std::string> names;
  for (const FormatInfo& format : file_formats()) names.emplace_back(format.name);
  return names;
}

std::vector<std::string> catalog_choices() {
  std::vector<std::string> names;
  for (const CatalogEntry& entry : catalog()) names.emplace_back(entry.name);
  return names;
}

}  // namespace mugrad::cli
