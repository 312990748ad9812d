#include "predict/timeline/kind_messages.hpp"

namespace postage {
namespace {

/// The pattern in whose place pattern p stands where ranks are taken for one another: the halves of a butterfly are two
/// patterns, in one of which a rank sends and in the other of which it receives.
std::size_t stands_for(const std::vector<Pattern>& patterns, std::size_t p) {
  const auto* half = std::get_if<TiledPairs>(&patterns[p].pairs);
  for (std::size_t other = 0; half != nullptr && other < p; ++other) {
    const auto* tiled = std::get_if<TiledPairs>(&patterns[other].pairs);
    if (tiled != nullptr && tiled->width == half->width) {
      return other;
    }
  }
  return p;
}

const std::vector<Pattern>& patterns_at(const Schedule& schedule, const RoundPosition& position) {
  return schedule.stages[position.stage].rounds[position.round].patterns;
}

}  // namespace

KindMessages::KindMessages(const Schedule& schedule, const RankKinds& kinds, TransferCosts& costs)
    : schedule_(schedule), kinds_(kinds), costs_(costs), received_(static_cast<std::size_t>(kinds.count())) {}

void KindMessages::load(const RoundPosition& position) {
  const std::size_t patterns = patterns_at(schedule_, position).size();
  messages_.clear();
  first_.assign(patterns * received_.size(), 0);
  for (std::size_t p = 0; p < patterns; ++p) {
    for (Rank kind = 0; kind < kinds_.count(); ++kind) {
      send(position, p, kind);
    }
  }
  for (Rank kind = 0; kind < kinds_.count(); ++kind) {
    receive(position, kind);
  }
}

void KindMessages::send(const RoundPosition& position, std::size_t number, Rank rank) {
  const std::vector<Pattern>& patterns = patterns_at(schedule_, position);
  const Pattern& pattern = patterns[number];
  const auto v = virtual_of(pattern.numbering, rank);
  const PairIndices own = v ? pairs_from(pattern.pairs, *v, position.iteration) : PairIndices{};
  if (own.count > 0) {
    first_of(stands_for(patterns, number), static_cast<std::size_t>(rank)) = messages_.size();
  }
  for (Index k = 0; k < own.count; ++k) {
    const Transfer transfer = transfer_at(schedule_, position, pattern, own.at(k));
    const bool to_itself = transfer.target == rank;
    messages_.push_back({.source = rank,
                         .bytes = transfer.bytes,
                         .channel = to_itself ? ChannelId{0} : costs_.channel_of(rank, transfer.target),
                         .form = form_of(pattern),
                         .to_itself = to_itself});
  }
}

void KindMessages::receive(const RoundPosition& position, Rank rank) {
  const std::vector<Pattern>& patterns = patterns_at(schedule_, position);
  std::vector<std::size_t>& received = received_[static_cast<std::size_t>(rank)];
  received.clear();
  for (std::size_t p = 0; p < patterns.size(); ++p) {
    const auto v = virtual_of(patterns[p].numbering, rank);
    const PairIndices own = v ? pairs_to(patterns[p].pairs, *v, position.iteration) : PairIndices{};
    for (Index k = 0; k < own.count; ++k) {
      const Pair pair = pair_at(patterns[p].pairs, own.at(k), position.iteration);
      if (pair.source == pair.target) {
        continue;
      }
      const auto source = static_cast<Rank>(rank_of(patterns[p].numbering, pair.source));
      const PairIndices sources = pairs_from(patterns[p].pairs, pair.source, position.iteration);
      const auto place = static_cast<std::size_t>((own.at(k) - sources.first) / sources.stride);
      received.push_back(first_of(stands_for(patterns, p), kinds_.of(source)) + place);
      messages_[received.back()].target = rank;
    }
  }
}

}  // namespace postage
