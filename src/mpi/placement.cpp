// SPDX-License-Identifier: MIT
#include "mpi/placement.h"

#include <mugrad/core/error.h>

#include <fmt/format.h>
#include <metis.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace mugrad::mpi {
namespace {

/// A graph in the form of METIS: without loops, every edge in both directions.
struct Graph {
  std::vector<idx_t> start = {0};
  std::vector<idx_t> neighbour, weight;
  std::vector<idx_t> size;  ///< of each vertex

  idx_t vertices() const noexcept { return static_cast<idx_t>(start.size()) - 1; }
};

Graph graph_of(const std::vector<std::map<idx_t, idx_t>>& edges, std::vector<idx_t> size) {
  Graph graph;
  graph.size = std::move(size);
  for (const auto& row : edges) {
    for (const auto& [to, weight] : row) {
      graph.neighbour.push_back(to);
      graph.weight.push_back(weight);
    }
    graph.start.push_back(static_cast<idx_t>(graph.neighbour.size()));
  }
  return graph;
}

/// Partitions into this many parts of similar size with a small cut.
std::vector<std::int32_t> cut(Graph graph, Index parts) {
  std::vector<std::int32_t> part(as_size(graph.vertices()), 0);
  if (parts <= 1 || graph.vertices() <= 1) return part;
  if (graph.vertices() <= parts) {
    for (std::size_t i = 0; i < part.size(); ++i) part[i] = static_cast<std::int32_t>(i);
    return part;
  }
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;
  options[METIS_OPTION_NUMBERING] = 0;
  options[METIS_OPTION_NCUTS] = 20;
  options[METIS_OPTION_NITER] = 50;
  idx_t vertices = graph.vertices();
  idx_t constraints = 1;
  auto wanted = static_cast<idx_t>(parts);
  idx_t lost = 0;
  std::vector<idx_t> found(part.size());
  // Recursive bisection: parts that are close in the result were together for long, so groups of
  // groups are good cuts as well. On bibtex this sends a tenth less than a direct k-way partition.
  const int outcome = METIS_PartGraphRecursive(
      &vertices, &constraints, graph.start.data(), graph.neighbour.data(), graph.size.data(),
      nullptr, graph.weight.data(), &wanted, nullptr, nullptr, options, &lost, found.data());
  if (outcome != METIS_OK)
    throw Error(fmt::format("METIS could not partition the labels: {}", outcome));
  std::ranges::transform(found, part.begin(), [](idx_t p) { return static_cast<std::int32_t>(p); });
  return part;
}

/// METIS may leave parts empty if there are few vertices; parts with several give one away.
void fill_empty(std::vector<std::int32_t>& part, const std::vector<idx_t>& size, Index parts) {
  std::vector<std::vector<std::size_t>> members(as_size(parts));
  for (std::size_t i = 0; i < part.size(); ++i) {
    members[as_size(part[i])].push_back(i);
  }
  const auto weight = [&](const std::vector<std::size_t>& of) {
    idx_t sum = 0;
    for (const std::size_t i : of) sum += size[i];
    return sum;
  };
  for (std::size_t p = 0; p < members.size(); ++p) {
    if (!members[p].empty()) continue;
    std::size_t fullest = members.size();
    for (std::size_t q = 0; q < members.size(); ++q) {
      if (members[q].size() < 2) continue;
      if (fullest == members.size() || weight(members[q]) > weight(members[fullest])) fullest = q;
    }
    if (fullest == members.size()) return;
    members[p].push_back(members[fullest].back());
    members[fullest].pop_back();
    part[members[p].back()] = static_cast<std::int32_t>(p);
  }
}

}  // namespace

Index group_size(Index labels) {
  constexpr Index kGroups = 16;  // for a small data set, so that several ranks can share it
  constexpr Index kMost = 64;
  return std::clamp<Index>((labels + kGroups - 1) / kGroups, 1, kMost);
}

Groups groups_from(std::vector<std::int32_t> of_label) {
  Groups groups;
  // Groups are numbered by their first label, and none is empty.
  std::map<std::int32_t, std::int32_t> number;
  for (std::size_t i = 0; i < of_label.size(); ++i) {
    const auto [at, is_new] =
        number.try_emplace(of_label[i], static_cast<std::int32_t>(number.size()));
    if (is_new) groups.members.emplace_back();
    of_label[i] = at->second;
    groups.members[as_size(at->second)].push_back(static_cast<LabelId>(i));
  }
  groups.of_label = std::move(of_label);
  return groups;
}

Groups group_labels(const CsrMatrix<double>& relations) {
  const Index labels = relations.rows();
  std::vector<std::map<idx_t, idx_t>> edges(as_size(labels));
  for (Index i = 0; i < labels; ++i) {
    for (const LabelId j : relations.row_columns(i)) {
      if (j == i) continue;
      // A column is sent completely, however little of it is borrowed.
      ++edges[as_size(i)][static_cast<idx_t>(j)];
      ++edges[as_size(j)][static_cast<idx_t>(i)];
    }
  }
  std::vector<idx_t> ones(as_size(labels), 1);
  const Index size = group_size(labels);
  return groups_from(cut(graph_of(edges, std::move(ones)), (labels + size - 1) / size));
}

Groups groups_in_order(Index labels) {
  const Index size = group_size(labels);
  const Index count = (labels + size - 1) / size;
  std::vector<std::int32_t> of_label;
  for (Index i = 0; i < labels; ++i) {
    of_label.push_back(static_cast<std::int32_t>(i * count / labels));
  }
  return groups_from(std::move(of_label));
}

std::vector<std::int32_t> place_in_order(const Groups& groups, int ranks) {
  std::vector<std::int32_t> rank;
  for (Index g = 0; g < groups.count(); ++g) {
    rank.push_back(static_cast<std::int32_t>(g * ranks / groups.count()));
  }
  return rank;
}

std::vector<std::int32_t> place_groups(const Groups& groups, const CsrMatrix<double>& relations,
                                       int ranks) {
  // Between two groups: the columns that one would send to the other.
  std::vector<std::set<std::pair<idx_t, LabelId>>> wanted(groups.members.size());
  std::vector<std::map<idx_t, idx_t>> edges(groups.members.size());
  std::vector<idx_t> size;
  for (std::size_t g = 0; g < groups.members.size(); ++g) {
    size.push_back(static_cast<idx_t>(groups.members[g].size()));
    for (const LabelId i : groups.members[g]) {
      for (const LabelId j : relations.row_columns(i)) {
        const auto of = static_cast<idx_t>(groups.of_label[as_size(j)]);
        if (of == static_cast<idx_t>(g) || !wanted[g].emplace(of, j).second) continue;
        ++edges[g][of];
        ++edges[as_size(of)][static_cast<idx_t>(g)];
      }
    }
  }
  auto rank = cut(graph_of(edges, size), ranks);
  fill_empty(rank, size, ranks);
  return rank;
}

Index received_columns(const CsrMatrix<double>& relations,
                       const std::vector<std::int32_t>& rank_of_label) {
  std::set<std::pair<std::int32_t, LabelId>> received;
  for (Index i = 0; i < relations.rows(); ++i) {
    const auto here = rank_of_label[as_size(i)];
    for (const LabelId j : relations.row_columns(i)) {
      if (rank_of_label[as_size(j)] != here) received.emplace(here, j);
    }
  }
  return std::ssize(received);
}

}  // namespace mugrad::mpi
