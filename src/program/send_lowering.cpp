#include "program/send_lowering.hpp"

#include <postage/base/error.hpp>

#include <fmt/format.h>

#include <numeric>

namespace postage {

void SendLowering::find_sources(const RankRound& round) {
  outgoing_.clear();
  for (auto& memory : being_sent_) {
    memory.clear();
  }
  const Schedule& schedule = state_.schedule;
  for (const Transfer& transfer : round.sends) {
    if (transfer.source == transfer.target) {
      continue;
    }
    const IovecSegments segments = iovec_of(state_.values, ranges_of(schedule, round.position, transfer));
    if (!all_assigned(segments)) {
      throw Error(fmt::format("{} {}: rank {} sends blocks to rank {} that it does not have",
                              name_of(schedule.collective), schedule.algorithm, state_.rank, transfer.target));
    }
    outgoing_.push_back({transfer.target, regions_of(segments), transfer.pattern->protocol});
    for (const Region& source : outgoing_.back().sources) {
      being_sent_[index_of(source)].assign(source.at.offset, source.at.offset + source.bytes, true);
    }
  }
}

bool SendLowering::is_being_sent(const Region& region) const {
  return being_sent_[index_of(region)].meets(region.at.offset, region.at.offset + region.bytes);
}

void SendLowering::append_sends(Step& step) {
  for (const Outgoing& message : outgoing_) {
    step.sends.push_back({message.target, packed(step, message.sources), message.protocol});
  }
  for (const Region& region : packed_) {
    state_.scratch.retire(region);
  }
  packed_.clear();
}

Region SendLowering::packed(Step& step, const std::vector<Region>& sources) {
  if (sources.size() == 1) {
    return sources.front();
  }
  const Bytes bytes = std::accumulate(sources.begin(), sources.end(), Bytes{0},
                                      [](Bytes sum, const Region& source) { return sum + source.bytes; });
  packed_.push_back(state_.scratch.allocate(bytes));
  Address at = packed_.back().at;
  for (const Region& source : sources) {
    step.before_sends.push_back({source, at});
    at = advanced(at, source.bytes);
  }
  return packed_.back();
}

}  // namespace postage
