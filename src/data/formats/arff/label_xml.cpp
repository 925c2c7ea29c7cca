// SPDX-License-Identifier: MIT
#include "data/formats/arff/label_xml.h"

#include "core/input/input_file.h"
#include "data/formats/source_text.h"

#include <fmt/format.h>
#include <pugixml.hpp>

#include <new>
#include <sstream>

namespace mugrad::formats {
namespace {

constexpr const char* kNamespace = "http://mulan.sourceforge.net/labels";

/// The name of an element without its namespace prefix.
std::string_view local_name(const pugi::xml_node& node) {
  const std::string_view name = node.name();
  return name.substr(name.find(':') + 1);  // npos + 1 is 0
}

/// pugixml reports lack of memory by returning an empty object.
template <class Handle>
Handle made(Handle handle) {
  if (!handle) throw std::bad_alloc();
  return handle;
}

void set_attribute(pugi::xml_node node, const char* name, const char* value) {
  if (!made(node.append_attribute(name)).set_value(value)) throw std::bad_alloc();
}

/// Collects the names of the labels below an element, in document order.
class NameCollector : public pugi::xml_tree_walker {
 public:
  explicit NameCollector(const SourceText& source) : source_(source) {}

  bool for_each(pugi::xml_node& node) override {
    if (node.type() != pugi::node_element || local_name(node) != "label") return true;
    const auto name = node.attribute("name");
    if (!name) source_.fail(source_.begin() + node.offset_debug(), "this label has no name");
    names.emplace_back(name.value());
    return true;
  }

  std::vector<std::string> names;

 private:
  const SourceText& source_;
};

std::vector<std::string> names_in(const SourceText& source) {
  const auto size = as_size(source.end() - source.begin());
  pugi::xml_document document;
  const auto parsed = document.load_buffer(source.begin(), size);
  if (parsed.status == pugi::status_out_of_memory) throw std::bad_alloc();
  if (!parsed) {
    source.fail(source.begin() + parsed.offset,
                fmt::format("not well-formed XML: {}", parsed.description()));
  }
  const auto root = document.document_element();
  if (local_name(root) != "labels") {
    source.fail(fmt::format("the outermost element is <{}>, expected <labels>", root.name()));
  }
  NameCollector collector(source);
  document.traverse(collector);
  if (collector.names.empty()) source.fail("names no label");
  return collector.names;
}

}  // namespace

std::vector<std::string> read_label_xml(const std::filesystem::path& path) {
  const InputFile input(path);
  return input.file().while_whole(
      [&] { return names_in(SourceText(input.name(), input.file().bytes())); });
}

std::filesystem::path label_file_of(std::filesystem::path arff) {
  return arff.replace_extension(".xml");
}

std::string label_xml(const std::vector<std::string>& names) {
  pugi::xml_document document;
  auto declaration = made(document.append_child(pugi::node_declaration));
  set_attribute(declaration, "version", "1.0");
  set_attribute(declaration, "encoding", "utf-8");
  auto root = made(document.append_child("labels"));
  set_attribute(root, "xmlns", kNamespace);
  for (const auto& name : names) {
    set_attribute(made(root.append_child("label")), "name", name.c_str());
  }
  std::ostringstream text;
  document.save(text, "  ");
  if (!text) throw std::bad_alloc();  // a stream does not throw it
  return text.str();
}

}  // namespace mugrad::formats
