#include "predict/rounds/iteration_keys.hpp"

#include "predict/rounds/ungrouped.hpp"

#include <algorithm>

namespace postage {
namespace {

/// Messages of an iteration that are compared one by one.
constexpr Index kFewAlike = 4;

/// Numbers values in the order in which they are first met.
class Numbers {
 public:
  Index of(Index value) {
    const auto found = std::find(values_.begin(), values_.end(), value);
    const Index number = found - values_.begin();
    if (found == values_.end()) {
      values_.push_back(value);
    }
    return number;
  }

 private:
  std::vector<Index> values_;
};

/// Who is who among the ends of some messages, what is known of them, and on which nodes they are.
class Ends {
 public:
  explicit Ends(const ChannelMap& channels) : channels_(channels) {}

  void append(Rank rank, IterationKeys::Key& key) {
    key.push_back(ranks_.of(rank));
    if (!channels_.is_single()) {
      key.push_back(nodes_.of(channels_.mapping().placement_of(rank).node));
    }
    key.push_back(channels_.measured_rank(rank));
  }

 private:
  const ChannelMap& channels_;
  Numbers ranks_;
  Numbers nodes_;
};

template <typename Visit>
void for_each_numbered_pattern(const Stage& stage, const Visit& visit) {
  for (std::size_t r = 0; r < stage.rounds.size(); ++r) {
    for (const Pattern& pattern : stage.rounds[r].patterns) {
      visit(r, pattern);
    }
  }
}

bool moves(const Pattern& pattern) {
  return step_of(plain_of(pattern).pairs) != 0;
}

}  // namespace

std::optional<IterationKeys::Key> IterationKeys::of(Index iteration) const {
  bool still = true;
  Index messages = 0;
  for_each_numbered_pattern(schedule_.stages[stage_], [&](std::size_t /*round*/, const Pattern& pattern) {
    const Index count = pair_count(pattern, iteration);
    messages += count;
    still = still && (count == 0 || !moves(pattern));
  });
  if (messages <= kFewAlike) {
    return of_few(iteration);
  }
  return still ? of_still(iteration) : std::nullopt;
}

std::optional<IterationKeys::Key> IterationKeys::of_still(Index iteration) const {
  Key key{0};
  bool alike = true;
  for_each_numbered_pattern(schedule_.stages[stage_], [&](std::size_t r, const Pattern& pattern) {
    const bool active = pair_count(pattern, iteration) > 0;
    const auto bytes =
        active ? common_bytes(schedule_, {stage_, iteration, 0, r}, pattern) : std::optional<Bytes>(Bytes{0});
    alike = alike && bytes;
    key.push_back(active ? 1 : 0);
    key.push_back(static_cast<Index>(bytes.value_or(0)));
  });
  return alike ? std::optional(key) : std::nullopt;
}

std::optional<IterationKeys::Key> IterationKeys::of_few(Index iteration) const {
  Key key{1};
  Ends ends(channels_);
  for_each_numbered_pattern(schedule_.stages[stage_], [&](std::size_t r, const Pattern& pattern) {
    const Index count = pair_count(pattern, iteration);
    key.push_back(count);
    for (Index i = 0; i < count; ++i) {
      const Transfer transfer = transfer_at(schedule_, {stage_, iteration, 0, r}, pattern, i);
      ends.append(transfer.source, key);
      ends.append(transfer.target, key);
      key.push_back(channels_.channel_of(transfer.source, transfer.target));
      key.push_back(static_cast<Index>(transfer.bytes));
    }
  });
  return key;
}

}  // namespace postage
