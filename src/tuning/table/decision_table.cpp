#include <postage/base/error.hpp>
#include <postage/tuning/decision_table.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace postage {
namespace {

auto place_of(const DecisionRule& rule) {
  return std::tuple(rule.collective, rule.communicators.nodes, rule.communicators.ranks, rule.bytes);
}

std::string describe(const DecisionRule& rule) {
  return fmt::format("{} on {} to {} nodes, {} to {} ranks, {} to {} bytes", name_of(rule.collective),
                     rule.communicators.nodes.first, rule.communicators.nodes.last, rule.communicators.ranks.first,
                     rule.communicators.ranks.last, rule.bytes.first, rule.bytes.last);
}

template <typename Number>
bool is_empty(const Span<Number>& span) {
  return span.last < span.first;
}

template <typename Number>
bool overlap(const Span<Number>& a, const Span<Number>& b) {
  return a.first <= b.last && b.first <= a.last;
}

/// Neighbours in the order of place_of.
bool may_follow(const DecisionRule& a, const DecisionRule& b) {
  if (a.collective != b.collective) {
    return true;
  }
  if (a.communicators.nodes != b.communicators.nodes) {
    return !overlap(a.communicators.nodes, b.communicators.nodes);
  }
  if (a.communicators.ranks != b.communicators.ranks) {
    return !overlap(a.communicators.ranks, b.communicators.ranks);
  }
  return !overlap(a.bytes, b.bytes);
}

void check(const std::vector<DecisionRule>& rules) {
  for (std::size_t i = 0; i < rules.size(); ++i) {
    const DecisionRule& rule = rules[i];
    if (is_empty(rule.communicators.nodes) || is_empty(rule.communicators.ranks) || is_empty(rule.bytes)) {
      throw Error(fmt::format("a rule holds nowhere: {}", describe(rule)));
    }
    if (i > 0 && !may_follow(rules[i - 1], rule)) {
      throw Error(fmt::format("two rules overlap: {}, and {}", describe(rules[i - 1]), describe(rule)));
    }
  }
}

/// Those of the sorted rules whose span, which `span_of` gives, contains `x`: the spans are equal or disjoint.
template <typename Number, typename SpanOf>
std::span<const DecisionRule> narrow(std::span<const DecisionRule> rules, Number x, const SpanOf& span_of) {
  const auto end =
      std::partition_point(rules.begin(), rules.end(), [&](const DecisionRule& r) { return span_of(r).first <= x; });
  if (end == rules.begin() || !span_of(*(end - 1)).contains(x)) {
    return {};
  }
  const Number first = span_of(*(end - 1)).first;
  const auto begin =
      std::partition_point(rules.begin(), end, [&](const DecisionRule& r) { return span_of(r).first < first; });
  return {begin, end};
}

bool counts_by_rank(Collective collective) {
  switch (collective) {
    case Collective::kGather:
    case Collective::kScatter:
    case Collective::kAllgather:
    case Collective::kAlltoall:
      return true;
    default:
      return false;
  }
}

}  // namespace

DecisionTable::DecisionTable(TuningTarget target, LibraryVersion version, std::vector<DecisionRule> rules)
    : target_(target), version_(version), rules_(std::move(rules)) {
  std::sort(rules_.begin(), rules_.end(),
            [](const DecisionRule& a, const DecisionRule& b) { return place_of(a) < place_of(b); });
  check(rules_);
  for (std::size_t c = 0; c <= kCollectives; ++c) {
    const auto first = std::partition_point(rules_.begin(), rules_.end(), [&](const DecisionRule& rule) {
      return static_cast<std::size_t>(rule.collective) < c;
    });
    first_[c] = static_cast<std::size_t>(first - rules_.begin());
  }
}

std::span<const DecisionRule> DecisionTable::rules_of(Collective collective) const {
  const auto c = static_cast<std::size_t>(collective);
  return std::span(rules_).subspan(first_[c], first_[c + 1] - first_[c]);
}

const DecisionRule* DecisionTable::lookup(Collective collective, Rank ranks, std::int32_t nodes, Bytes bytes) const {
  const auto on = narrow(rules_of(collective), nodes, [](const DecisionRule& r) { return r.communicators.nodes; });
  const auto among = narrow(on, ranks, [](const DecisionRule& r) { return r.communicators.ranks; });
  const auto found = narrow(among, bytes, [](const DecisionRule& r) { return r.bytes; });
  return found.empty() ? nullptr : &found.front();
}

Bytes total_bytes(Collective collective, Rank ranks, Bytes bytes) {
  return counts_by_rank(collective) ? bytes * ranks : bytes;
}

Bytes by_rank(Collective collective, Rank ranks, Bytes total) {
  return counts_by_rank(collective) ? total / ranks : total;
}

}  // namespace postage
