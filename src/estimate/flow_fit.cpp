#include "estimate/flow_fit.hpp"

#include "estimate/transfer_data.hpp"

#include <postage/base/statistics.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numbers>
#include <span>

namespace postage {
namespace {

using Kind = ExperimentKind;

/// Finer differences than this mean nothing.
constexpr double kLeastScatter = 1e-3;
/// Messages so small that what a group takes beyond its messages shows, if it is at least this share of their time.
constexpr Bytes kSmallMessage = 64;
constexpr double kLeastStart = 0.05;

/// Lines may miss points by this share of their time, and by so many times their interval's half width.
constexpr double kLeastMiss = 0.05;
constexpr double kNoiseOfMiss = 2;

Estimate around(double value, const Estimate& like) {
  return at_least_zero({value, value - (like.value - like.lower), value + (like.upper - like.value)});
}

/// What both processors do for an eager message.
Seconds busy_time(const FlowProtocols& protocols, Bytes bytes) {
  return value_at(protocols.send, bytes) + value_at(protocols.receive, bytes);
}

/// What the line leaves when both overheads are taken off it between its first and its last size.
FlowPiece without_overheads(const LinePiece& line, Bytes first, Bytes last, const FlowProtocols& protocols,
                            bool is_rendezvous) {
  const auto wire = [&](Bytes bytes) {
    const Seconds whole = line.intercept.value + line.slope.value * static_cast<double>(bytes);
    return is_rendezvous ? whole : whole - busy_time(protocols, bytes);
  };
  const double per_byte =
      last > first ? std::max((wire(last) - wire(first)) / static_cast<double>(last - first), 0.0) : 0;
  return {line.from_bytes, around(wire(first) - per_byte * static_cast<double>(first), line.intercept),
          around(per_byte, line.slope)};
}

/// How far repeated measurements of one message lie apart, as a share of its time. Where that is little, as in
/// simulations, lines that differ by little have different protocols.
double finest_scatter_of(const ScopeData& scope) {
  std::vector<double> shares;
  for (const PairData* pair : scope.pairs) {
    for (const auto& [bytes, point] : pair->curve) {
      shares.push_back((point.one_way.upper - point.one_way.lower) / 2 / point.one_way.value);
    }
  }
  return std::clamp(median(shares), kLeastScatter, kUsualScatter);
}

/// What both processors do for an eager message is not the way's.
Seconds on_the_way(const CurvePoint& point, const FlowProtocols& protocols, bool is_rendezvous) {
  return is_rendezvous ? point.seconds : std::max(point.seconds - busy_time(protocols, point.bytes), 0.0);
}

/// The line through two points, as far as neither latency nor rate becomes negative.
FlowPiece between(const CurvePoint& a, const CurvePoint& b, const LinePiece& like, const FlowProtocols& protocols,
                  bool is_rendezvous) {
  const Seconds first = on_the_way(a, protocols, is_rendezvous);
  const Seconds last = on_the_way(b, protocols, is_rendezvous);
  const auto size_of = [](const CurvePoint& point) { return static_cast<double>(point.bytes); };
  double per_byte = std::max((last - first) / (size_of(b) - size_of(a)), 0.0);
  double latency = first - per_byte * size_of(a);
  if (latency < 0) {
    latency = 0;
    per_byte = (first / size_of(a) + last / size_of(b)) / 2;
  }
  return {a.bytes, around(latency, like.intercept), around(per_byte, like.slope)};
}

/// Points of one line of a scope's curve.
class LinePoints {
 public:
  LinePoints(const ScopeFit& fit, std::span<const CurvePoint> points, bool is_rendezvous)
      : fit_(fit), points_(points), is_rendezvous_(is_rendezvous), times_(one_way_times(*fit.scope)) {}

  /// True where a point in [from, end) lies off the piece by more than its noise.
  [[nodiscard]] bool are_missed(const FlowPiece& piece, Bytes from, Bytes end) const {
    return std::any_of(points_.begin(), points_.end(), [&](const CurvePoint& point) {
      const auto time = times_.find(point.bytes);
      if (point.bytes < from || point.bytes >= end || time == times_.end()) {
        return false;
      }
      const double noise = (time->second.upper - time->second.lower) / 2;
      const double modelled = piece.latency.value + piece.per_byte.value * static_cast<double>(point.bytes);
      return std::abs(modelled - on_the_way(point, fit_.protocols, is_rendezvous_)) >
             std::max(kLeastMiss * point.seconds, kNoiseOfMiss * noise);
    });
  }

  /// From each point in [from, end) to the one after it.
  void append_chain(const LinePiece& line, Bytes from, Bytes end, std::vector<FlowPiece>& pieces) const {
    for (std::size_t i = 0; i + 1 < points_.size(); ++i) {
      if (points_[i].bytes >= from && points_[i].bytes < end) {
        pieces.push_back(between(points_[i], points_[i + 1], line, fit_.protocols, is_rendezvous_));
      }
    }
  }

 private:
  const ScopeFit& fit_;
  std::span<const CurvePoint> points_;
  bool is_rendezvous_;
  TimesBySize times_;
};

/// Lines where messages follow lines; inside a node, where caches bend the curve, from point to point.
void append_pieces(std::span<const CurvePoint> points, const ScopeFit& fit, bool is_rendezvous, Bytes from,
                   std::vector<FlowPiece>& pieces) {
  if (points.empty()) {
    return;
  }
  const std::size_t first_piece = pieces.size();
  const LinePoints of_lines(fit, points, is_rendezvous);
  const std::vector<LinePiece> lines = fit_pieces(points, fit.finest_scatter);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const bool is_last = i + 1 == lines.size();
    const Bytes begin = std::max(lines[i].from_bytes, points.front().bytes);
    const Bytes end = is_last ? points.back().bytes : lines[i + 1].from_bytes;
    const FlowPiece piece = without_overheads(lines[i], begin, end, fit.protocols, is_rendezvous);
    const std::size_t before = pieces.size();
    if (fit.scope->channel() != kInterNode && of_lines.are_missed(piece, begin, is_last ? end + 1 : end)) {
      of_lines.append_chain(lines[i], begin, end, pieces);
    }
    if (pieces.size() == before) {
      pieces.push_back(piece);
    }
  }
  pieces[first_piece].from_bytes = from;
}

std::vector<FlowPiece> pieces_of(const ScopeFit& fit) {
  std::vector<FlowPiece> pieces;
  const std::span<const CurvePoint> points = fit.points;
  const Bytes limit = fit.protocols.rendezvous_above.value_or(std::numeric_limits<Bytes>::max());
  const auto first = std::find_if(points.begin(), points.end(), [&](const CurvePoint& p) { return p.bytes > limit; });
  const auto eager = static_cast<std::size_t>(first - points.begin());
  append_pieces(points.first(eager), fit, false, 0, pieces);
  const bool from_the_start = eager == 0 || eager == points.size();
  append_pieces(points.subspan(eager), fit, true, from_the_start ? 0 : limit + 1, pieces);
  return pieces;
}

/// Standard deviations of what one message takes, by size: roundtrips are two messages.
std::map<Bytes, Seconds> deviations_of(const ScopeData& scope) {
  std::map<Bytes, std::vector<double>> by_size;
  for (const PairData* pair : scope.pairs) {
    for (const Measurement* m : pair->measurements) {
      const bool is_symmetric =
          m->experiment.kind == Kind::kRoundtrip && m->experiment.bytes == m->experiment.reply_bytes;
      if (is_symmetric && m->inner == 1) {
        by_size[m->experiment.bytes].push_back(m->summary.standard_deviation / std::numbers::sqrt2);
      }
    }
  }
  std::map<Bytes, Seconds> deviations;
  for (const auto& [bytes, list] : by_size) {
    deviations[bytes] = median(list);
  }
  return deviations;
}

/// True where messages pass between the pair's ranks in the experiment: in fans only to or from the first.
bool has_part(const ScopeData& scope, const Experiment& e) {
  const auto has = [&](int rank) { return std::find(e.members.begin(), e.members.end(), rank) != e.members.end(); };
  const int first = scope.pairs.front()->first;
  const int second = scope.pairs.front()->second;
  const bool is_fan = e.kind == Kind::kOutcast || e.kind == Kind::kIncast;
  return has(first) && has(second) && (!is_fan || first == e.members.front() || second == e.members.front());
}

}  // namespace

ScopeFit::ScopeFit(const CampaignData& campaign, const ScopeData& data)
    : scope(&data),
      points(curve_of(data)),
      finest_scatter(finest_scatter_of(data)),
      protocols(flow_protocols(campaign, data, points)),
      deviations(campaign.samples.is_virtual ? deviations_of(data) : std::map<Bytes, Seconds>{}) {
  pieces = pieces_of(*this);
}

const FlowPiece& ScopeFit::piece_at(Bytes bytes) const {
  const auto next = std::upper_bound(pieces.begin(), pieces.end(), bytes,
                                     [](Bytes size, const FlowPiece& piece) { return size < piece.from_bytes; });
  return *std::prev(next);
}

SizeRange ScopeFit::range_of(std::size_t piece) const {
  return piece + 1 < pieces.size() ? SizeRange{pieces[piece].from_bytes, pieces[piece + 1].from_bytes}
                                   : SizeRange{pieces[piece].from_bytes};
}

double ScopeFit::scatter_in(const SizeRange& range) const {
  std::vector<double> inside;
  std::vector<double> all;
  for (const auto& [bytes, deviation] : deviations) {
    const FlowPiece& piece = piece_at(bytes);
    // Latency and bytes vary each for itself.
    const double way = std::hypot(piece.latency.value, piece.per_byte.value * static_cast<double>(bytes));
    if (way > 0) {
      all.push_back(deviation / way);
    }
    if (way > 0 && bytes >= range.from && bytes < range.end) {
      inside.push_back(deviation / way);
    }
  }
  const double middle = all.empty() ? 0 : median(inside.empty() ? all : inside);
  return middle >= kLeastScatter ? middle : 0;
}

Seconds ScopeFit::alone(Bytes bytes) const {
  const FlowPiece& piece = piece_at(bytes);
  return value_at(protocols.send, bytes) + piece.latency.value + piece.per_byte.value * static_cast<double>(bytes) +
         value_at(protocols.receive, bytes);
}

ChannelFits fits_for(const Experiment& e, const ChannelFits& fits) {
  ChannelFits pairs;
  std::copy_if(fits.begin(), fits.end(), std::back_inserter(pairs), [&](const ScopeFit* fit) {
    return fit->scope->scope.is_pair() && fit->is_known() && has_part(*fit->scope, e);
  });
  return pairs.empty() ? ChannelFits{fits.front()} : pairs;
}

namespace {

void append(std::vector<double>& all, const std::vector<double>& further) {
  all.insert(all.end(), further.begin(), further.end());
}

/// Eager messages of one experiment between two ranks.
struct EagerMessages {
  Bytes bytes;
  Seconds together;  ///< what the experiment took
  Seconds alone;     ///< what one message takes
  Seconds moving;    ///< for how long of that its bytes are on the way
};

/// Those of a channel's experiments of some kinds.
template <typename IsKind>
std::vector<EagerMessages> eager_messages(const CampaignData& campaign, const ChannelFits& fits,
                                          const std::string& channel, const IsKind& is_kind) {
  std::vector<EagerMessages> found;
  for (const Measurement& m : campaign.samples.measurements) {
    const Experiment& e = m.experiment;
    if (!is_kind(e.kind) || e.members.size() != 2 || e.channel != channel) {
      continue;
    }
    const ScopeFit& fit = *fits_for(e, fits).front();
    if (fit.is_known() && fit.is_eager(e.bytes)) {
      const Seconds moving = fit.piece_at(e.bytes).per_byte.value * static_cast<double>(e.bytes);
      found.push_back({e.bytes, m.summary.median, fit.alone(e.bytes), moving});
    }
  }
  return found;
}

/// What single small messages of a channel took longer that both ranks began together than those that one rank answers
/// to another; 0 for those that did not.
std::vector<double> start_times(const CampaignData& campaign, const ChannelFits& fits, const std::string& channel) {
  const auto is_fan = [](Kind kind) { return kind == Kind::kOutcast || kind == Kind::kIncast; };
  std::vector<double> times;
  for (const EagerMessages& m : eager_messages(campaign, fits, channel, is_fan)) {
    if (m.bytes <= kSmallMessage) {
      times.push_back(m.together > m.alone * (1 + kLeastStart) ? m.together - m.alone : 0);
    }
  }
  return times;
}

/// What messages took longer where each rank sends one while it receives one, in exchanges that follow one another; 0
/// for those that did not.
std::map<Bytes, std::vector<double>> exchange_times(const CampaignData& campaign,
                                                    const std::map<std::string, ChannelFits>& by_channel) {
  const auto is_exchange = [](Kind kind) { return kind == Kind::kButterfly; };
  std::map<Bytes, std::vector<double>> times;
  for (const auto& [channel, fits] : by_channel) {
    if (channel == kInterNode) {
      continue;
    }
    for (const EagerMessages& m : eager_messages(campaign, fits, channel, is_exchange)) {
      const bool is_small = m.bytes <= kSmallMessage;
      if (is_small || (!campaign.samples.is_virtual && m.moving < kLeastStream * m.together)) {
        times[is_small ? kSmallMessage : m.bytes].push_back(std::max(m.together - m.alone, 0.0));
      }
    }
  }
  return times;
}

/// What the small messages of one kind of experiment, whose ranks begin together, took longer than `expected` of each;
/// 0 for those that did not.
template <typename Expected>
std::vector<double> times_beyond(const CampaignData& campaign, const ChannelFits& fits, const std::string& channel,
                                 Kind kind, const Expected& expected) {
  std::vector<double> times;
  for (const EagerMessages& m : eager_messages(campaign, fits, channel, [&](Kind other) { return other == kind; })) {
    if (m.bytes <= kSmallMessage) {
      times.push_back(std::max(m.together - expected(m), 0.0));
    }
  }
  return times;
}

}  // namespace

CampaignFits::CampaignFits(const CampaignData& campaign) {
  all.reserve(campaign.scopes.size());
  for (const ScopeData& scope : campaign.scopes) {
    by_channel[scope.channel()].push_back(&all.emplace_back(campaign, scope));
  }
  std::vector<double> starts;
  for (const auto& [channel, fits] : by_channel) {
    const std::vector<double> own = start_times(campaign, fits, channel);
    for (ScopeFit* fit : fits) {
      fit->start = own.empty() ? 0 : median(own);
    }
    append(starts, own);
  }
  start = starts.empty() ? 0 : median(starts);
  for (const auto& [bytes, times] : exchange_times(campaign, by_channel)) {
    exchange[bytes] = Estimate::exactly(median(times));
  }
  std::vector<double> meetings;
  std::vector<double> answers;
  for (const auto& [channel, fits] : by_channel) {
    const Seconds own_start = fits.front()->start;
    if (!(own_start > 0)) {
      continue;  // messages that begin together take no longer than others
    }
    const Seconds usual = exchange.empty() ? 0 : exchange.begin()->second.value;
    append(meetings, times_beyond(campaign, fits, channel, Kind::kSynchronisedExchange,
                                  [&](const EagerMessages& m) { return m.alone + own_start + usual; }));
    append(answers, times_beyond(campaign, fits, channel, Kind::kAnswer,
                                 [&](const EagerMessages& m) { return 2 * m.alone + own_start; }));
  }
  first_exchange = meetings.empty() ? 0 : median(meetings);
  answer = answers.empty() ? 0 : median(answers);
}

}  // namespace postage
