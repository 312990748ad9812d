#pragma once

#include <postage/schedule/algorithms.hpp>

#include <bit>
#include <ostream>
#include <string_view>
#include <tuple>
#include <vector>

namespace postage {

inline std::ostream& operator<<(std::ostream& out, const Traffic& traffic) {
  return out << traffic.messages << " messages, " << traffic.bytes << " bytes, " << traffic.rounds << " rounds";
}

inline Schedule schedule_for(Collective collective, std::string_view name, const ScheduleRequest& request) {
  return build_schedule(find_algorithm(collective, name), request);
}

inline Traffic traffic_for(Collective collective, std::string_view name, const ScheduleRequest& request) {
  return traffic_of(schedule_for(collective, name, request));
}

/// Source, target, bytes.
using Message = std::tuple<Rank, Rank, Bytes>;

inline std::vector<Message> messages_of(const Schedule& schedule) {
  std::vector<Message> all;
  for_each_transfer(schedule,
                    [&](const RoundPosition&, const Transfer& t) { all.emplace_back(t.source, t.target, t.bytes); });
  return all;
}

inline Index floor_log2(Index value) {
  return std::bit_width(static_cast<std::uint64_t>(value)) - 1;
}

inline Index ceil_log2(Index value) {
  return std::bit_width(static_cast<std::uint64_t>(value) - 1);
}

}  // namespace postage
