#include <postage/base/error.hpp>
#include <postage/optimize/mapping/communication.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace postage {
namespace {

bool are_alike(const std::vector<StartedMessage>& a, const std::vector<StartedMessage>& b) {
  return std::ranges::equal(a, b, [](const StartedMessage& x, const StartedMessage& y) {
    return x.source == y.source && x.target == y.target && x.bytes == y.bytes;
  });
}

/// Rounds of one kind that follow one another are one phase.
void add_phase(std::vector<StartedMessage> messages, Communication& communication) {
  if (messages.empty()) {
    return;
  }
  if (!communication.phases.empty() && are_alike(communication.phases.back().messages, messages)) {
    communication.phases.back().times += 1;
    return;
  }
  communication.phases.push_back({std::move(messages), 1});
}

}  // namespace

Communication ring_communication(Rank ranks, Bytes bytes) {
  Communication ring{.name = "ring", .ranks = ranks};
  MessagePhase phase{.times = std::max(1.0, ranks - 1.0)};
  for (Rank rank = 0; rank < ranks && ranks > 1; ++rank) {
    phase.messages.push_back({rank, (rank + 1) % ranks, bytes});
  }
  ring.phases.push_back(std::move(phase));
  return ring;
}

Communication halo_communication(const std::vector<Rank>& lengths, Bytes bytes) {
  Communication halo{.name = fmt::format("halo {}", fmt::join(lengths, "x")), .ranks = 1, .grid = lengths};
  for (const Rank length : lengths) {
    if (length < 1) {
      throw UsageError(fmt::format("the grid {} has a side below 1", fmt::join(lengths, "x")));
    }
    halo.ranks *= length;
  }
  MessagePhase phase;
  for (Rank rank = 0; rank < halo.ranks; ++rank) {
    Rank step = halo.ranks;
    for (const Rank length : lengths) {
      step /= length;
      const Rank at = rank / step % length;
      if (at > 0) {
        phase.messages.push_back({rank, rank - step, bytes});
      }
      if (at + 1 < length) {
        phase.messages.push_back({rank, rank + step, bytes});
      }
    }
  }
  halo.phases.push_back(std::move(phase));
  return halo;
}

std::vector<Rank> grid_lengths(Rank ranks, int dimensions) {
  std::vector<Rank> lengths;
  Rank left = ranks;
  for (int more = dimensions; more > 1; --more) {
    Rank side = 1;
    for (Rank candidate = 1; candidate <= left; ++candidate) {
      std::int64_t volume = 1;
      for (int i = 0; i < more; ++i) {
        volume *= candidate;
      }
      if (volume > left) {
        break;
      }
      side = left % candidate == 0 ? candidate : side;
    }
    lengths.push_back(side);
    left /= side;
  }
  lengths.push_back(left);
  return lengths;
}

Communication alltoall_communication(Rank ranks, Bytes /*bytes*/) {
  return {.name = "alltoall", .ranks = ranks, .phases = {}, .is_uniform = true};
}

Communication communication_of(const Schedule& schedule) {
  Communication communication{.name = fmt::format("{} {}", name_of(schedule.collective), schedule.algorithm),
                              .ranks = schedule.ranks};
  std::int64_t kept = 0;
  for_each_round(schedule, [&](const RoundPosition& position) {
    std::vector<StartedMessage> messages;
    for_each_transfer(schedule, position, [&](const Transfer& transfer) {
      messages.push_back({transfer.source, transfer.target, transfer.bytes});
    });
    const std::size_t phases = communication.phases.size();
    add_phase(std::move(messages), communication);
    if (communication.phases.size() > phases) {
      kept += static_cast<std::int64_t>(communication.phases.back().messages.size());
    }
    if (kept > kMostPhaseMessages) {
      throw UsageError(
          fmt::format("{} on {} ranks has more than {} messages in rounds that differ: take an algorithm "
                      "with fewer, or fewer ranks",
                      communication.name, schedule.ranks, kMostPhaseMessages));
    }
  });
  return communication;
}

Communication communication_of(const Trace& trace) {
  Communication communication{.name = "trace", .ranks = static_cast<Rank>(trace.ranks.size())};
  std::map<std::pair<Rank, Rank>, Bytes> bytes;
  for (std::size_t rank = 0; rank < trace.ranks.size(); ++rank) {
    for (const TraceOperation& operation : trace.ranks[rank].operations) {
      if (operation.kind == TraceKind::kSend) {
        bytes[{static_cast<Rank>(rank), operation.peer}] += operation.bytes;
      }
    }
  }
  MessagePhase phase;
  for (const auto& [pair, sum] : bytes) {
    phase.messages.push_back({pair.first, pair.second, sum});
  }
  communication.phases.push_back(std::move(phase));
  return communication;
}

std::vector<CommunicationEdge> edges_of(const Communication& communication, const ChannelMap& slots,
                                        const Model& model) {
  const auto last = static_cast<Rank>(slots.mapping().capacity()) - 1;
  const ChannelId farthest = slots.channel_of(0, last);
  std::vector<CommunicationEdge> edges;
  for (const MessagePhase& phase : communication.phases) {
    for (const StartedMessage& message : phase.messages) {
      if (message.source == message.target) {
        continue;
      }
      TransferQuestion question{.channel = farthest, .bytes = message.bytes};
      if (model.depends_on_ranks()) {
        question.source = slots.measured_rank(0);
        question.target = slots.measured_rank(last);
      }
      const auto [low, high] = std::minmax(message.source, message.target);
      edges.push_back({low, high, phase.times * model.cost(question).total()});
    }
  }
  std::ranges::stable_sort(edges, {}, [](const CommunicationEdge& edge) { return std::pair(edge.low, edge.high); });
  std::size_t kept = 0;
  for (const CommunicationEdge& edge : edges) {
    if (kept > 0 && edges[kept - 1].low == edge.low && edges[kept - 1].high == edge.high) {
      edges[kept - 1].weight += edge.weight;
    } else {
      edges[kept++] = edge;
    }
  }
  edges.resize(kept);
  return edges;
}

}  // namespace postage
