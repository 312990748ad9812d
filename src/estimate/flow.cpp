#include "estimate/flow_protocols.hpp"
#include "estimate/reduction.hpp"
#include "estimate/transfer_data.hpp"

#include <postage/base/statistics.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace postage {
namespace {

using Kind = ExperimentKind;

/// What hinders by less than this does not count as sharing.
constexpr double kNoticeable = 1.05;
/// Acknowledgements that take less of the way back do not count.
constexpr double kLeastReverseShare = 0.005;
/// Experiments in which one message's bytes alone take less of the time say nothing of sharing.
constexpr double kLeastStream = 0.02;
/// A train whose messages follow one another at up to this much more than one's own bytes take has them share what one
/// alone fills: the rest is what the receiver does between them.
constexpr double kOneAlone = 1.1;
/// Messages so small that what a group takes beyond its messages shows, if it is at least this share of their time.
constexpr Bytes kSmallMessage = 64;
constexpr double kLeastStart = 0.05;

/// Writing that makes no message longer by more than this share is of no matter.
constexpr double kLeastWritten = 0.05;

/// Latencies that stand out from a message's time, and the share of one that a train's messages must wait for.
constexpr double kVisibleLatency = 0.1;
constexpr double kMostOfLatency = 0.5;

/// As it is; zero where nothing was measured.
ParameterCurve curve_or_zero(const TimesBySize& times) {
  return times.empty() ? ParameterCurve{{0, Estimate::exactly(0)}} : to_curve(times);
}

/// What messages that each rank passes on as it received them take longer than those of which nothing was written
/// since: nothing where no size shows any.
ParameterCurve written_times(const ScopeData& scope) {
  const TimesBySize one_way = one_way_times(scope);
  std::map<Bytes, std::vector<Estimate>> passed_on;
  for (const PairData* pair : scope.pairs) {
    for (const Measurement* m : pair->measurements) {
      if (m->experiment.kind == Kind::kEcho && one_way.count(m->experiment.bytes) > 0) {
        passed_on[m->experiment.bytes].push_back(estimate_of(*m, 0.5));
      }
    }
  }
  TimesBySize longer;
  bool shows = false;
  for (const auto& [bytes, estimates] : passed_on) {
    const Estimate& before = one_way.at(bytes);
    const Estimate difference = minus(median_estimate(estimates), before);
    shows = shows || difference.value > kLeastWritten * before.value;
    longer[bytes] = at_least_zero(difference);
  }
  return shows ? to_curve(longer) : ParameterCurve{};
}

/// One message's cost from a size on.
struct FlowPiece {
  Bytes from_bytes = 0;
  Estimate latency;
  Estimate per_byte;
};

Estimate around(double value, const Estimate& like) {
  return at_least_zero({value, value - (like.value - like.lower), value + (like.upper - like.value)});
}

/// What the line leaves when both overheads are taken off it between its first and its last size.
FlowPiece without_overheads(const LinePiece& line, Bytes first, Bytes last, const FlowProtocols& protocols,
                            bool is_rendezvous) {
  const auto wire = [&](Bytes bytes) {
    const double whole = line.intercept.value + line.slope.value * static_cast<double>(bytes);
    return is_rendezvous ? whole : whole - value_at(protocols.send, bytes) - value_at(protocols.receive, bytes);
  };
  const double per_byte =
      last > first ? std::max((wire(last) - wire(first)) / static_cast<double>(last - first), 0.0) : 0;
  return {line.from_bytes, around(wire(first) - per_byte * static_cast<double>(first), line.intercept),
          around(per_byte, line.slope)};
}

void append_pieces(std::span<const CurvePoint> points, const FlowProtocols& protocols, bool is_rendezvous, Bytes from,
                   std::vector<FlowPiece>& pieces) {
  if (points.empty()) {
    return;
  }
  const std::vector<LinePiece> lines = fit_pieces(points);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Bytes begin = std::max(lines[i].from_bytes, points.front().bytes);
    const Bytes end = i + 1 < lines.size() ? lines[i + 1].from_bytes : points.back().bytes;
    pieces.push_back(without_overheads(lines[i], begin, end, protocols, is_rendezvous));
    pieces.back().from_bytes = i == 0 ? from : lines[i].from_bytes;
  }
}

std::vector<FlowPiece> pieces_of(const std::vector<CurvePoint>& points, const FlowProtocols& protocols) {
  std::vector<FlowPiece> pieces;
  const Bytes limit = protocols.rendezvous_above.value_or(std::numeric_limits<Bytes>::max());
  const auto first = std::find_if(points.begin(), points.end(), [&](const CurvePoint& p) { return p.bytes > limit; });
  const auto eager = static_cast<std::size_t>(first - points.begin());
  append_pieces(std::span(points).first(eager), protocols, false, 0, pieces);
  const bool from_the_start = eager == 0 || eager == points.size();
  append_pieces(std::span(points).subspan(eager), protocols, true, from_the_start ? 0 : limit + 1, pieces);
  return pieces;
}

const FlowPiece& piece_at(const std::vector<FlowPiece>& pieces, Bytes bytes) {
  const auto next = std::upper_bound(pieces.begin(), pieces.end(), bytes,
                                     [](Bytes size, const FlowPiece& piece) { return size < piece.from_bytes; });
  return *std::prev(next);
}

/// Groups that were active at once over a channel: how long their bytes took, against those of one alone.
struct Sharing {
  double ratio = 1;
  double rate = 0;  ///< bytes per second, all together
};

class SharingReader {
 public:
  /// `start` is what groups need to begin together.
  SharingReader(const std::vector<FlowPiece>& pieces, const FlowProtocols& protocols, Seconds start)
      : pieces_(pieces), protocols_(protocols), start_(start) {}

  /// Nothing for experiments of other kinds, or where bytes take no time.
  [[nodiscard]] std::optional<Sharing> read(const Measurement& m) const {
    const Experiment& e = m.experiment;
    const auto members = static_cast<double>(e.members.size());
    const bool keeps = protocols_.rendezvous_above && e.bytes > *protocols_.rendezvous_above;
    const double send = value_at(protocols_.send, e.bytes);
    const double receive = keeps ? 0 : value_at(protocols_.receive, e.bytes);
    switch (e.kind) {
      case Kind::kConcurrentPairs:
        return shared(e.bytes, members / 2, m.summary.median / 2 - (keeps ? 0 : send) - receive);
      case Kind::kOutcast:
        return shared_or_serial(e.bytes, members - 1, m.summary.median - send - receive, (members / 2 - 1) * send);
      case Kind::kIncast:
        return shared_or_serial(e.bytes, members - 1, m.summary.median - (keeps ? 0 : send) - receive,
                                (members - 2) * receive);
      case Kind::kButterfly:
        return shared(e.bytes, members, m.summary.median - send - receive);
      default:
        return std::nullopt;
    }
  }

 private:
  /// Of one rank with many: where its processor's further work explains the time, nothing is shared; where bytes take
  /// longer, that work goes on while they move.
  [[nodiscard]] std::optional<Sharing> shared_or_serial(Bytes bytes, double flows, double seconds, double work) const {
    const auto serial = shared(bytes, flows, seconds - work);
    return serial && serial->ratio <= kNoticeable ? serial : shared(bytes, flows, seconds);
  }

  [[nodiscard]] std::optional<Sharing> shared(Bytes bytes, double flows, double seconds) const {
    if (flows < 2) {
      return std::nullopt;  // whatever slows a message alone, it is no sharing
    }
    const FlowPiece& piece = piece_at(pieces_, bytes);
    const double size = static_cast<double>(bytes);
    const double stream = seconds - piece.latency.value - start_;
    const double alone = size * piece.per_byte.value;
    if (!(alone > kLeastStream * seconds) || !(stream > 0)) {
      return std::nullopt;  // latencies and overheads would drown it
    }
    return Sharing{stream / alone, flows * size / stream};
  }

  const std::vector<FlowPiece>& pieces_;
  const FlowProtocols& protocols_;
  Seconds start_;
};

/// The limits of what messages over a channel share, by the parameters' symbols.
using Limits = std::map<std::string, Estimate>;

/// What one message of a scope costs.
struct ScopeFit {
  const ScopeData* scope;
  std::vector<CurvePoint> points;
  FlowProtocols protocols;
  std::vector<FlowPiece> pieces;
  ParameterCurve written;
  Seconds start = 0;  ///< what groups of its channel need to begin together

  ScopeFit(const CampaignData& campaign, const ScopeData& data)
      : scope(&data), points(curve_of(data)), protocols(flow_protocols(campaign, data, points)) {
    pieces = pieces_of(points, protocols);
    written = written_times(data);
  }
  [[nodiscard]] bool is_known() const { return !protocols.send.empty() || protocols.rendezvous_above.has_value(); }
  /// One eager message, sent as an answer.
  [[nodiscard]] Seconds alone(Bytes bytes) const {
    const FlowPiece& piece = piece_at(pieces, bytes);
    return value_at(protocols.send, bytes) + piece.latency.value + piece.per_byte.value * static_cast<double>(bytes) +
           value_at(protocols.receive, bytes);
  }
  [[nodiscard]] bool is_eager(Bytes bytes) const {
    return !protocols.rendezvous_above || bytes <= *protocols.rendezvous_above;
  }
  [[nodiscard]] std::optional<Sharing> read(const Measurement& m) const {
    return SharingReader(pieces, protocols, start).read(m);
  }
};

/// The scopes of one channel: itself, and its pairs where these differ.
using ChannelFits = std::vector<ScopeFit*>;

/// True where messages pass between the pair's ranks in the experiment: in fans only to or from the first.
bool has_part(const ScopeData& scope, const Experiment& e) {
  const auto has = [&](int rank) { return std::find(e.members.begin(), e.members.end(), rank) != e.members.end(); };
  const int first = scope.pairs.front()->first;
  const int second = scope.pairs.front()->second;
  const bool is_fan = e.kind == Kind::kOutcast || e.kind == Kind::kIncast;
  return has(first) && has(second) && (!is_fan || first == e.members.front() || second == e.members.front());
}

/// The fits of the pairs that take part in an experiment, where pairs differ, else the channel's.
ChannelFits fits_for(const Experiment& e, const ChannelFits& fits) {
  ChannelFits pairs;
  std::copy_if(fits.begin(), fits.end(), std::back_inserter(pairs), [&](const ScopeFit* fit) {
    return fit->scope->scope.is_pair() && fit->is_known() && has_part(*fit->scope, e);
  });
  return pairs.empty() ? ChannelFits{fits.front()} : pairs;
}

/// What single small messages of a channel took longer that both ranks began together than those that one rank answers
/// to another; 0 for those that did not.
std::vector<double> start_times(const CampaignData& campaign, const ChannelFits& fits, const std::string& channel) {
  std::vector<double> times;
  for (const Measurement& m : campaign.samples.measurements) {
    const Experiment& e = m.experiment;
    const bool is_one_message = (e.kind == Kind::kOutcast || e.kind == Kind::kIncast) && e.members.size() == 2;
    if (!is_one_message || e.channel != channel || e.bytes > kSmallMessage) {
      continue;
    }
    const ScopeFit& fit = *fits_for(e, fits).front();
    if (fit.is_known() && fit.is_eager(e.bytes)) {
      const Seconds alone = fit.alone(e.bytes);
      times.push_back(m.summary.median > alone * (1 + kLeastStart) ? m.summary.median - alone : 0);
    }
  }
  return times;
}

/// How an experiment of several ranks compares with one message alone: the slowest, where pairs differ.
std::optional<Sharing> sharing_in(const Measurement& m, const ChannelFits& fits) {
  std::optional<Sharing> least;
  for (const ScopeFit* fit : fits_for(m.experiment, fits)) {
    const auto sharing = fit->read(m);
    if (sharing && (!least || sharing->ratio < least->ratio)) {
      least = sharing;
    }
  }
  return least ? least : fits.front()->read(m);
}

/// The highest rate of those experiments of one kind in which messages hindered one another, at the largest size.
std::optional<double> limit_seen(const CampaignData& campaign, const ChannelFits& fits, const std::string& channel,
                                 Kind kind) {
  std::optional<double> limit;
  Bytes largest = 0;
  for (const Measurement& m : campaign.samples.measurements) {
    if (m.experiment.kind != kind || m.experiment.channel != channel || m.experiment.bytes < largest) {
      continue;
    }
    const auto sharing = sharing_in(m, fits);
    if (sharing && sharing->ratio > kNoticeable) {
      limit = m.experiment.bytes > largest ? sharing->rate : std::max(limit.value_or(0), sharing->rate);
      largest = m.experiment.bytes;
    }
  }
  return limit;
}

double reverse_share(const CampaignData& campaign, const ChannelFits& fits, const std::string& channel) {
  double share = 0;
  Bytes largest = 0;
  for (const Measurement& m : campaign.samples.measurements) {
    if (m.experiment.kind == Kind::kButterfly && m.experiment.channel == channel && m.experiment.members.size() == 2 &&
        m.experiment.bytes > largest) {
      largest = m.experiment.bytes;
      const auto sharing = sharing_in(m, fits);
      share = sharing ? sharing->ratio - 1 : 0;
    }
  }
  return share >= kLeastReverseShare && share < 1 ? share : 0;
}

bool is_within(const Limits& limits, const char* symbol, double rate) {
  const auto found = limits.find(symbol);
  return found != limits.end() && rate > found->second.value / kNoticeable;
}

Limits limits_of(const CampaignData& campaign, const ChannelFits& fits, const std::string& channel) {
  Limits limits;
  auto rate_of_all = limit_seen(campaign, fits, channel, Kind::kConcurrentPairs);
  if (!rate_of_all && channel != kInterNode) {
    rate_of_all = limit_seen(campaign, fits, channel, Kind::kButterfly);  // two ranks have no other pair beside them
  }
  if (rate_of_all) {
    limits["B_node"] = Estimate::exactly(*rate_of_all);
  }
  for (const auto& [kind, symbol] : {std::pair{Kind::kOutcast, "B_send"}, std::pair{Kind::kIncast, "B_receive"}}) {
    const auto rate = limit_seen(campaign, fits, channel, kind);
    if (rate && !is_within(limits, "B_node", *rate)) {
      limits[symbol] = Estimate::exactly(*rate);
    }
  }
  if (channel == kInterNode) {
    limits["x"] = Estimate::exactly(reverse_share(campaign, fits, channel));
  }
  return limits;
}

/// Of messages from one rank to another: what a train of eager ones, the largest measured, adds for each, where neither
/// end is what slows it. Where the bytes of one message alone go faster, those of the train waited for something else:
/// its messages, not their bytes, take that time.
std::optional<double> pair_limit(const ScopeData& scope, const FlowProtocols& protocols,
                                 const std::vector<FlowPiece>& pieces) {
  const std::map<Bytes, Estimate> intervals = train_intervals(scope);
  const std::vector<std::pair<Bytes, Estimate>> largest_first(intervals.rbegin(), intervals.rend());
  for (const auto& [bytes, interval] : largest_first) {
    // Messages that are awaited do not overlap: the target posts one receive after the other.
    const bool is_awaited = protocols.awaited_from && bytes >= *protocols.awaited_from;
    if (bytes == 0 || is_awaited || (protocols.rendezvous_above && bytes > *protocols.rendezvous_above)) {
      continue;
    }
    const double busy = std::max(value_at(protocols.send, bytes), value_at(protocols.receive, bytes));
    if (interval.value < kNoticeable * busy) {
      return std::nullopt;
    }
    const double alone = piece_at(pieces, bytes).per_byte.value * static_cast<double>(bytes);
    if (interval.value >= alone * kOneAlone) {
      return std::nullopt;  // more than one alone takes for its bytes: what is between messages is not their bytes
    }
    return static_cast<double>(bytes) / (interval.value > alone / kNoticeable ? alone : interval.value);
  }
  return std::nullopt;
}

/// True where a train's messages, each a rendezvous, take turns: what each adds holds most of its latency too, which a
/// network's would spend at the same time.
bool takes_in_one(const ScopeFit& fit) {
  if (!fit.protocols.rendezvous_above) {
    return false;
  }
  std::vector<double> shares;
  for (const auto& [bytes, interval] : train_intervals(*fit.scope)) {
    const FlowPiece& piece = piece_at(fit.pieces, bytes);
    const double of_bytes = piece.per_byte.value * static_cast<double>(bytes);
    if (bytes > *fit.protocols.rendezvous_above && piece.latency.value > kVisibleLatency * of_bytes) {
      shares.push_back((interval.value - of_bytes) / piece.latency.value);
    }
  }
  return !shares.empty() && median(shares) > kMostOfLatency;
}

/// `values`: the limits of its channel.
std::vector<ParameterGroup> groups_of(const ScopeFit& fit, Limits values) {
  if (!fit.is_known()) {
    return {};
  }
  const ScopeData& scope = *fit.scope;
  const FlowProtocols& protocols = fit.protocols;
  const std::vector<FlowPiece>& pieces = fit.pieces;
  const auto pair = pair_limit(scope, protocols, pieces);
  if (pair && !is_within(values, "B_node", *pair) && !is_within(values, "B_send", *pair)) {
    values["B_pair"] = Estimate::exactly(*pair);
  }
  if (protocols.rendezvous_above) {
    values["S"] = Estimate::exactly(static_cast<double>(std::max<Bytes>(*protocols.rendezvous_above, 0)));
  }
  if (takes_in_one(fit)) {
    values["R"] = Estimate::exactly(1);
  }
  if (protocols.awaited_from) {
    values["E"] = Estimate::exactly(static_cast<double>(*protocols.awaited_from));
  }
  std::vector<ParameterGroup> groups;
  for (const FlowPiece& piece : pieces) {
    ParameterGroup& group = groups.emplace_back();
    group.scope = scope.scope;
    group.from_bytes = piece.from_bytes;
    group.values = values;
    group.values["L"] = piece.latency;
    group.values["G"] = piece.per_byte;
    group.curves["o_s"] = curve_or_zero(protocols.send);
    group.curves["o_r"] = curve_or_zero(protocols.receive);
    if (!fit.written.empty()) {
      group.curves["w"] = fit.written;
    }
  }
  return groups;
}

/// Each rank's own overheads, where pairs differ: at sizes that keep no sender.
void append_processors(const CampaignData& campaign, ParameterTable& table) {
  for (const auto& [key, overheads] : campaign.overheads) {
    ParameterGroup& group = table.groups.emplace_back();
    group.scope.processor = key.second;
    const auto channel = std::find_if(table.groups.begin(), table.groups.end(),
                                      [&name = key.first](const ParameterGroup& g) { return g.scope.channel == name; });
    const auto limit = channel->values.find("S");
    const auto eager = [&](const TimesBySize& times) {
      TimesBySize some;
      for (const auto& [bytes, time] : times) {
        if (limit == channel->values.end() || static_cast<double>(bytes) <= limit->second.value) {
          some[bytes] = time;
        }
      }
      return curve_or_zero(some);
    };
    group.curves["o_s"] = eager(overheads.send);
    group.curves["o_r"] = channel->values.count("E") > 0 ? curve_or_zero({}) : eager(overheads.receive);
  }
}

}  // namespace

ParameterTable estimate_flow(const CampaignData& campaign) {
  ParameterTable table{.model = "flow", .groups = {}, .fit = {}};
  std::vector<ScopeFit> fits;
  fits.reserve(campaign.scopes.size());
  std::map<std::string, ChannelFits> by_channel;  // each channel's own scope comes before its pairs'
  for (const ScopeData& scope : campaign.scopes) {
    by_channel[scope.channel()].push_back(&fits.emplace_back(campaign, scope));
  }
  std::map<std::string, Limits> limits;
  std::vector<double> starts;
  for (const auto& [channel, list] : by_channel) {
    const std::vector<double> own = start_times(campaign, list, channel);
    for (ScopeFit* fit : list) {
      fit->start = own.empty() ? 0 : median(own);
    }
    starts.insert(starts.end(), own.begin(), own.end());
    limits[channel] = limits_of(campaign, list, channel);
  }
  for (const ScopeFit& fit : fits) {
    const std::vector<ParameterGroup> groups = groups_of(fit, limits.at(fit.scope->channel()));
    table.groups.insert(table.groups.end(), groups.begin(), groups.end());
  }
  const bool has_pairs = std::any_of(table.groups.begin(), table.groups.end(),
                                     [](const ParameterGroup& group) { return group.scope.is_pair(); });
  if (has_pairs && campaign.channels.size() == 1) {
    append_processors(campaign, table);
  }
  if (!starts.empty() && median(starts) > 0) {
    add_to_platform_group(table, "t_0", Estimate::exactly(median(starts)));
  }
  return table;
}

}  // namespace postage
