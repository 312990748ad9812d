#include "estimate/flow/size_votes.hpp"

#include "estimate/data/curves.hpp"
#include "estimate/data/likeness.hpp"
#include "estimate/data/processor_overheads.hpp"

#include <algorithm>
#include <map>

namespace postage {
namespace {

class Poll {
 public:
  void add(Bytes bytes, bool does) {
    auto& [yes, all] = counts_[bytes];
    yes += does ? 1 : 0;
    ++all;
  }
  [[nodiscard]] SizeVotes result() const {
    SizeVotes votes;
    for (const auto& [bytes, count] : counts_) {
      votes.emplace_back(bytes, 2 * count.first > count.second);
    }
    return votes;
  }

 private:
  std::map<Bytes, std::pair<int, int>> counts_;  ///< that do it, and all
};

}  // namespace

SizeVotes kept_by_pairs(const ScopeData& scope) {
  Poll poll;
  for (const PairData* pair : scope.pairs) {
    const TimesBySize one_way = one_way_of(*pair);
    for (const auto& [rank, sends] : one_way.empty() ? std::map<int, TimesBySize>{} : pair->send_overhead) {
      for (const auto& [bytes, time] : sends) {
        poll.add(bytes, time.value >= kWholeSend * value_at(one_way, bytes));
      }
    }
  }
  return poll.result();
}

SizeVotes awaited_by_pairs(const CampaignData& campaign, const ScopeData& scope) {
  const ProcessorOverheads processors(campaign, scope.channel());
  Poll poll;
  for (const PairData* pair : scope.pairs) {
    const TimesBySize one_way = one_way_of(*pair);
    for (const auto& [rank, receives] : one_way.empty() ? std::map<int, TimesBySize>{} : pair->receive_overhead) {
      const TimesBySize sends = processors.of(rank == pair->first ? pair->second : pair->first).send;
      for (const auto& [bytes, time] : sends.empty() ? TimesBySize{} : receives) {
        poll.add(bytes, time.value >= kWholeReceive * (value_at(one_way, bytes) - value_at(sends, bytes)));
      }
    }
  }
  return poll.result();
}

std::size_t first_that_do(const SizeVotes& votes) {
  std::size_t best = votes.size();
  auto fewest = std::count_if(votes.begin(), votes.end(), [](const auto& vote) { return vote.second; });
  auto wrong = fewest;
  for (std::size_t first = votes.size(); first-- > 0;) {
    wrong += votes[first].second ? -1 : 1;
    if (wrong < fewest) {
      fewest = wrong;
      best = first;
    }
  }
  return best;
}

}  // namespace postage
