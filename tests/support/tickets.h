// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mugrad::testing {

/// A support ticket. Its text has words of its topics among others; nothing else depends on them.
struct Ticket {
  std::string id;      ///< T-00001
  std::string text;    ///< of several words
  std::string plan;    ///< free, pro or team
  std::string age;     ///< a whole number; empty in a few tickets
  std::string opened;  ///< 2026-02-28
  std::vector<std::string> topics;
};

/// The same tickets for the same seed. Their texts all differ.
std::vector<Ticket> random_tickets(int count, std::uint64_t seed = 1);

inline constexpr std::string_view kTicketColumns[] = {"id",  "text",   "plan",
                                                      "age", "opened", "topics"};
/// As CSV with columns of these names; topics are separated by semicolons.
std::string tickets_csv(const std::vector<Ticket>& tickets, char delimiter = ',');
/// As JSON lines, where the age is a number or null, and topics are a list.
std::string tickets_jsonl(const std::vector<Ticket>& tickets);

}  // namespace mugrad::testing
