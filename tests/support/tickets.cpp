// SPDX-License-Identifier: MIT
#include "support/tickets.h"

#include <mugrad/core/random.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <array>

namespace mugrad::testing {
namespace {

struct Topic {
  std::string_view name;
  std::array<std::string_view, 6> words;
};
constexpr Topic kTopics[] = {
    {"billing", {"invoice", "refund", "charge", "card", "payment", "twice"}},
    {"bug", {"crash", "error", "screen", "update", "freezes", "button"}},
    {"delivery", {"parcel", "late", "courier", "tracking", "address", "missing"}},
    {"login", {"password", "reset", "account", "locked", "email", "code"}},
    {"praise", {"thanks", "great", "love", "happy", "wonderful", "team"}}};
constexpr std::string_view kOtherWords[] = {"hello", "please", "have", "problem", "with",  "order",
                                            "since", "last",   "week", "can",     "help",  "does",
                                            "work",  "again",  "we",   "need",    "today", "this"};
constexpr std::string_view kPlans[] = {"free", "pro", "team"};

template <class Choices>
std::string_view one_of(const Choices& choices, RandomStream& random) {
  return choices[random.below(std::size(choices))];
}

}  // namespace

std::vector<Ticket> random_tickets(int count, std::uint64_t seed) {
  RandomStream random(seed, "tickets");
  std::vector<Ticket> tickets;
  for (int i = 0; i < count; ++i) {
    Ticket ticket{.id = fmt::format("T-{:05}", i + 1), .text = fmt::format("Ticket {}:", i + 1)};
    for (const Topic& topic : kTopics) {
      if (random.uniform() > 0.35) continue;
      ticket.topics.emplace_back(topic.name);
      for (int word = 0; word < 2; ++word) {
        ticket.text +=
            fmt::format(" {} {}", one_of(topic.words, random), one_of(kOtherWords, random));
      }
    }
    for (int word = 0; word < 8; ++word) {
      ticket.text += fmt::format(" {}", one_of(kOtherWords, random));
    }
    ticket.plan = std::string(one_of(kPlans, random));
    if (i % 40 != 7) ticket.age = fmt::format("{}", 18 + random.below(60));
    ticket.opened = fmt::format("2026-{:02}-{:02}", 1 + random.below(12), 1 + random.below(28));
    tickets.push_back(std::move(ticket));
  }
  return tickets;
}

std::string tickets_csv(const std::vector<Ticket>& tickets, char delimiter) {
  const std::string between(1, delimiter);
  std::string text = fmt::format("{}\n", fmt::join(kTicketColumns, between));
  for (const Ticket& ticket : tickets) {
    const std::vector<std::string> cells = {
        ticket.id,  ticket.text,   ticket.plan,
        ticket.age, ticket.opened, fmt::format("\"{}\"", fmt::join(ticket.topics, ";"))};
    text += fmt::format("{}\n", fmt::join(cells, between));
  }
  return text;
}

std::string tickets_jsonl(const std::vector<Ticket>& tickets) {
  std::string text;
  for (const Ticket& ticket : tickets) {
    nlohmann::ordered_json line = {{"id", ticket.id},         {"text", ticket.text},
                                   {"plan", ticket.plan},     {"age", nullptr},
                                   {"opened", ticket.opened}, {"topics", ticket.topics}};
    if (!ticket.age.empty()) line["age"] = std::stoi(ticket.age);
    text += line.dump() + "\n";
  }
  return text;
}

}  // namespace mugrad::testing
