#include "predict/formulas/job_links.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace postage {
namespace {

/// Ranks among which every pair is looked at; of others only the pairs with these.
constexpr Rank kAllPairs = 64;

std::string channel_name(const FormulaJob& job, ChannelId channel) {
  return job.platform.channel_names()[channel];
}

std::int64_t node_of(const FormulaJob& job, Rank rank) {
  return job.platform.channels().mapping().placement_of(rank).node;
}

}  // namespace

ChannelId only_channel(const FormulaJob& job) {
  if (job.platform.channels().is_single() || job.ranks < 2) {
    return 0;
  }
  const ChannelId channel = channel_between(job, 0, 1);
  for (Rank first = 0; first < std::min(job.ranks, kAllPairs); ++first) {
    for (Rank second = first + 1; second < job.ranks; ++second) {
      const ChannelId other = channel_between(job, first, second);
      if (other != channel) {
        throw UsageError(fmt::format(
            "it is for ranks that are all joined by one channel: {} joins ranks 0 and 1, {} joins ranks {} and {}",
            channel_name(job, channel), channel_name(job, other), first, second));
      }
    }
  }
  return channel;
}

bool is_on_one_node(const FormulaJob& job) {
  if (job.platform.channels().is_single()) {
    return true;
  }
  const std::int64_t node = node_of(job, 0);
  for (Rank rank = 1; rank < job.ranks; ++rank) {
    if (node_of(job, rank) != node) {
      return false;
    }
  }
  return true;
}

FullNodes full_nodes(const FormulaJob& job, Mapping::Kind kind) {
  const Mapping& mapping = job.platform.channels().mapping();
  const bool fits = !job.platform.channels().is_single() && mapping.kind() == kind && mapping.nodes() > 1 &&
                    mapping.per_node() > 1 && mapping.capacity() == job.ranks;
  if (!fits) {
    throw UsageError(fmt::format(
        "it is for P = M*Q ranks on M > 1 full nodes of Q > 1 ranks: give --nodes M --per-node Q --mapping {}",
        kind == Mapping::Kind::kBlock ? "block" : "cyclic"));
  }
  const bool block = kind == Mapping::Kind::kBlock;
  return {.nodes = mapping.nodes(),
          .per_node = mapping.per_node(),
          .within = channel_between(job, 0, block ? 1 : mapping.nodes()),
          .between = channel_between(job, 0, block ? mapping.per_node() : 1)};
}

Index setting_or(const FormulaJob& job, std::string_view name, Index otherwise) {
  const auto found = job.settings.find(name);
  return found == job.settings.end() ? otherwise : found->second;
}

Bytes part_of_vector(const FormulaJob& job) {
  if (job.bytes % job.ranks != 0) {
    throw UsageError(fmt::format("it has a vector of P parts of m bytes each: {} bytes are not P = {} equal parts",
                                 job.bytes, job.ranks));
  }
  return job.bytes / job.ranks;
}

}  // namespace postage
