#include "property/transport/random_rounds.hpp"

namespace postage {
namespace {

bool must_end_with(const RandomRounds& rounds, Rank rank, Index block) {
  switch (rounds.collective) {
    case Collective::kReduce:
    case Collective::kGather:
      return rank == rounds.root;
    case Collective::kScatter:
    case Collective::kReduceScatter:
      return rank == block;
    case Collective::kAlltoall:
      return rank == block % rounds.ranks;
    default:
      return true;
  }
}

/// A round of copies; no block is delivered twice to a rank.
class Copies {
 public:
  explicit Copies(RandomRounds& rounds) : rounds_(rounds), delivered_(rounds.ranks, rounds.blocks) {}

  void deliver(Rank source, Rank target, Index block) {
    if (!delivered_.holds(target, block)) {
      delivered_.hold(target, block);
      messages_[{source, target, Combine::kCopy}].push_back(block);
    }
  }

  void finish(HeldBlocks& held) {
    rounds_.add(messages_);
    for (const auto& [key, blocks] : messages_) {
      for (const Index block : blocks) {
        held.hold(key.target, block);
      }
    }
  }

 private:
  RandomRounds& rounds_;
  HeldBlocks delivered_;
  RandomRounds::Messages messages_;
};

void deliver_the_rest(RandomRounds& rounds, HeldBlocks& held) {
  Copies copies(rounds);
  for (Rank target = 0; target < rounds.ranks; ++target) {
    for (Index block = 0; block < rounds.blocks; ++block) {
      if (must_end_with(rounds, target, block) && !held.holds(target, block)) {
        Rank source = static_cast<Rank>(rounds.below(rounds.ranks));
        while (!held.holds(source, block)) {
          source = (source + 1) % rounds.ranks;
        }
        copies.deliver(source, target, block);
      }
    }
  }
  copies.finish(held);
}

}  // namespace

HeldBlocks initial_blocks(const RandomRounds& rounds) {
  HeldBlocks held(rounds.ranks, rounds.blocks);
  for (Index block = 0; block < rounds.blocks; ++block) {
    switch (rounds.collective) {
      case Collective::kBcast:
      case Collective::kScatter:
        held.hold(rounds.root, block);
        break;
      case Collective::kAlltoall:
        held.hold(static_cast<Rank>(block / rounds.ranks), block);
        break;
      default:
        held.hold(static_cast<Rank>(block), block);
    }
  }
  return held;
}

void spread(RandomRounds& rounds, HeldBlocks held) {
  const Index count = rounds.below(5);
  for (Index round = 0; round < count; ++round) {
    Copies copies(rounds);
    const Index messages = rounds.below(2 * rounds.ranks);
    for (Index message = 0; message < messages; ++message) {
      const auto source = static_cast<Rank>(rounds.below(rounds.ranks));
      const auto target = static_cast<Rank>(rounds.below(rounds.ranks));
      for (Index block = 0; block < rounds.blocks; ++block) {
        if (held.holds(source, block) && rounds.below(3) > 0) {
          copies.deliver(source, target, block);
        }
      }
    }
    copies.finish(held);
  }
  deliver_the_rest(rounds, held);
}

}  // namespace postage
