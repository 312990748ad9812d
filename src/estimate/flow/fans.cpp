#include "estimate/flow/fans.hpp"

#include "estimate/data/curves.hpp"
#include "estimate/flow/copies.hpp"

#include <postage/base/statistics.hpp>
#include <postage/estimate/arithmetic.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>

namespace postage {
namespace {

using Kind = ExperimentKind;

/// Times by size that are not known more closely than by their medians.
using Seen = std::map<Bytes, Seconds>;

/// The shortest fetched messages move so many times less together where releasing them takes the time.
constexpr double kReleased = 1.5;

/// What a train's messages follow one another by is a processor's work if it is less than so many times an overhead.
constexpr double kMostOfTrain = 2;

/// Calls `visit(bytes, time, messages)` for the channel's fans of a kind that have two messages and more.
template <typename Visit>
void for_fans(const CampaignData& campaign, const ScopeFit& fit, Kind kind, const Visit& visit) {
  for (const Measurement& m : campaign.samples.measurements) {
    const Experiment& e = m.experiment;
    if (e.kind == kind && e.channel == fit.scope->channel() && e.members.size() > 2) {
      visit(e.bytes, m.summary.median, static_cast<double>(e.members.size() - 1));
    }
  }
}

/// What each further message of fans adds. Of those to one: (T - t) / (n - 1), with t alone; of those from one, of
/// which T is the mean of n receivers' times: 2 (T - t) / (n - 1).
Seen slopes_of(const CampaignData& campaign, const ScopeFit& fit, Kind kind, const TimesBySize& one_way) {
  std::map<Bytes, std::vector<double>> all;
  for_fans(campaign, fit, kind, [&](Bytes bytes, Seconds time, double messages) {
    const Seconds longer = time - value_at(one_way, bytes);
    all[bytes].push_back((kind == Kind::kOutcast ? 2 : 1) * longer / (messages - 1));
  });
  Seen slopes;
  for (const auto& [bytes, seconds] : all) {
    slopes[bytes] = std::max(median(seconds), 0.0);
  }
  return slopes;
}

/// Between two sizes as the logarithm of the size goes, beyond them as at the outermost.
double between(const Seen& shares, Bytes bytes) {
  const auto next = shares.lower_bound(bytes);
  if (next == shares.end()) {
    return std::prev(next)->second;
  }
  if (next == shares.begin() || next->first == bytes) {
    return next->second;
  }
  const auto before = std::prev(next);
  const auto log_of = [](Bytes size) { return std::log(static_cast<double>(std::max<Bytes>(size, 1))); };
  const double way = (log_of(bytes) - log_of(before->first)) / (log_of(next->first) - log_of(before->first));
  return before->second + way * (next->second - before->second);
}

/// As shares of what a message alone takes: of the sizes of one protocol, [first, end); of all without any there.
Seen shares_in(const Seen& slopes, const TimesBySize& one_way, Bytes first, Bytes end) {
  Seen inside;
  Seen all;
  for (const auto& [bytes, seconds] : slopes) {
    const double share = seconds / value_at(one_way, bytes);
    all[bytes] = share;
    if (bytes >= first && bytes < end) {
      inside[bytes] = share;
    }
  }
  return inside.empty() ? all : inside;
}

/// At each measured size of one protocol, and at both ends of it.
TimesBySize times_in(const Seen& slopes, const TimesBySize& one_way, Bytes first, Bytes end) {
  TimesBySize times;
  if (slopes.empty() || first >= end) {
    return times;
  }
  const Seen shares = shares_in(slopes, one_way, first, end);
  const auto add = [&](Bytes bytes) {
    times[bytes] = Estimate::exactly(between(shares, bytes) * value_at(one_way, bytes));
  };
  add(first);
  for (const auto& one : one_way) {
    if (one.first >= first && one.first < end) {
      add(one.first);
    }
  }
  if (end <= one_way.rbegin()->first) {
    add(end - 1);
  }
  return times;
}

/// Overheads of eager messages, at least what fans show.
void raise(TimesBySize& overheads, const Seen& slopes, Bytes largest) {
  Seen eager = slopes;
  std::erase_if(eager, [&](const auto& one) { return one.first > largest; });
  if (eager.empty()) {
    return;
  }
  for (auto& [bytes, time] : overheads) {
    const double least = bytes <= largest ? between(eager, bytes) : 0;
    time = least > time.value ? Estimate::exactly(least) : time;
  }
}

/// What both ends do is no more than the whole message: each a share of it.
void limit(FlowProtocols& protocols, const TimesBySize& one_way, Bytes largest) {
  const TimesBySize sends = protocols.send;
  const TimesBySize receives = protocols.receive;
  const auto share_at = [&](Bytes bytes) {
    const Seconds both = value_at(sends, bytes) + value_at(receives, bytes);
    return both > 0 ? std::min(value_at(one_way, bytes) / both, 1.0) : 1;
  };
  for (TimesBySize* times : {&protocols.send, &protocols.receive}) {
    for (auto& [bytes, time] : *times) {
      time = bytes <= largest ? scaled(time, share_at(bytes)) : time;
    }
  }
}

/// Where a train's messages follow one another by more than their sender's overhead, what comes quickly keeps its
/// receiver so long.
void raise_to_trains(TimesBySize& receives, const TimesBySize& sends, const TimesBySize& intervals, Bytes largest) {
  TimesBySize longer;
  for (const auto& [bytes, interval] : intervals) {
    const Seconds send = value_at(sends, bytes);
    const bool is_work = interval.value < kMostOfTrain * std::max(send, value_at(receives, bytes));
    if (bytes <= largest && interval.value > send && is_work) {
      longer[bytes] = interval;
    }
  }
  for (auto& [bytes, time] : receives) {
    const bool is_between = !longer.empty() && bytes >= longer.begin()->first && bytes <= longer.rbegin()->first;
    const Seconds least = is_between ? value_at(longer, bytes) : 0;
    time = least > time.value ? Estimate::exactly(least) : time;
  }
}

}  // namespace

void take_fans(const CampaignData& campaign, ScopeFit& fit) {
  const TimesBySize one_way = times_at(fit.points);
  FlowProtocols& protocols = fit.protocols;
  if (!is_moved_by_processors(campaign, *fit.scope) || one_way.empty() || protocols.send.empty() ||
      protocols.receive.empty()) {
    return;
  }
  const Seen sending = slopes_of(campaign, fit, Kind::kOutcast, one_way);
  const Seen receiving = slopes_of(campaign, fit, Kind::kIncast, one_way);
  const Bytes largest = protocols.rendezvous_above.value_or(one_way.rbegin()->first);
  if (sending.empty() || receiving.empty()) {
    raise_to_trains(protocols.receive, protocols.send, train_intervals(*fit.scope), largest);
    limit(protocols, one_way, largest);
    return;
  }
  raise(protocols.send, sending, largest);
  raise(protocols.receive, receiving, largest);
  limit(protocols, one_way, largest);
  const Bytes from = fetched_from(fit);
  const auto request = protocols.send.upper_bound(largest);
  if (request != protocols.send.end() && from > largest + 1) {
    const Estimate start = request->second;
    protocols.send.erase(request, protocols.send.end());
    protocols.send.merge(times_in(sending, one_way, largest + 1, from));
    protocols.send[from] = protocols.send[2 * from] = start;
  }
}

TimesBySize further_times(const CampaignData& campaign, const ScopeFit& fit) {
  const TimesBySize one_way = times_at(fit.points);
  if (!is_moved_by_processors(campaign, *fit.scope) || !fit.protocols.rendezvous_above || one_way.empty()) {
    return {};
  }
  const Seen slopes = slopes_of(campaign, fit, Kind::kIncast, one_way);
  const Bytes from = fetched_from(fit);
  TimesBySize times = times_in(slopes, one_way, *fit.protocols.rendezvous_above + 1, from);
  times.merge(times_in(slopes, one_way, from, std::numeric_limits<Bytes>::max()));
  return times;
}

std::optional<Releases> releases_of(const CampaignData& campaign, const ScopeFit& fit, Bytes from) {
  const TimesBySize one_way = times_at(fit.points);
  if (!is_moved_by_processors(campaign, *fit.scope) || one_way.empty()) {
    return std::nullopt;
  }
  std::map<Bytes, double> rates;
  for_fans(campaign, fit, Kind::kOutcast, [&](Bytes bytes, Seconds time, double messages) {
    const Seconds moving = bytes >= from ? time - fit.piece_at(bytes).latency.value : 0;
    if (moving > 0) {
      rates[bytes] = messages * static_cast<double>(bytes) / moving;
    }
  });
  if (rates.empty()) {
    return std::nullopt;
  }
  Releases found{.gap = 0, .bytes_per_second = rates.rbegin()->second};
  for (const auto& [bytes, slope] : slopes_of(campaign, fit, Kind::kOutcast, one_way)) {
    const auto rate = rates.find(bytes);
    if (rate != rates.end() && rate->second * kReleased < found.bytes_per_second) {
      found.gap = found.gap > 0 ? std::min(found.gap, slope) : slope;
    }
  }
  return found.gap > 0 ? std::optional(found) : std::nullopt;
}

}  // namespace postage
