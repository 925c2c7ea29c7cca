// SPDX-License-Identifier: MIT
#include "core/names.h"

#include <mugrad/model/model.h>

namespace mugrad {
namespace {

constexpr Name<Link> kLinks[] = {{Link::logistic, "logistic"}, {Link::identity, "identity"}};

}  // namespace

std::string_view to_string(Link link) { return name_of<Link>(kLinks, link); }
Link link_named(std::string_view name) { return named<Link>(kLinks, name, "link"); }

}  // namespace mugrad
