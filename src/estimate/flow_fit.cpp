#include "estimate/flow_fit.hpp"

#include "estimate/transfer_data.hpp"

#include <postage/base/statistics.hpp>

#include <algorithm>
#include <iterator>
#include <limits>
#include <span>

namespace postage {
namespace {

using Kind = ExperimentKind;

/// Finer differences than this mean nothing.
constexpr double kLeastScatter = 1e-3;
/// Messages so small that what a group takes beyond its messages shows, if it is at least this share of their time.
constexpr Bytes kSmallMessage = 64;
constexpr double kLeastStart = 0.05;

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

/// How far repeated measurements of one message lie apart, as a share of its time. Where that is little, as in
/// simulations, lines that differ by little have different protocols.
double scatter_of(const ScopeData& scope) {
  std::vector<double> shares;
  for (const PairData* pair : scope.pairs) {
    for (const auto& [bytes, point] : pair->curve) {
      shares.push_back((point.one_way.upper - point.one_way.lower) / 2 / point.one_way.value);
    }
  }
  return std::clamp(median(shares), kLeastScatter, kUsualScatter);
}

void append_pieces(std::span<const CurvePoint> points, const ScopeFit& fit, bool is_rendezvous, Bytes from,
                   std::vector<FlowPiece>& pieces) {
  if (points.empty()) {
    return;
  }
  const std::vector<LinePiece> lines = fit_pieces(points, fit.scatter);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Bytes begin = std::max(lines[i].from_bytes, points.front().bytes);
    const Bytes end = i + 1 < lines.size() ? lines[i + 1].from_bytes : points.back().bytes;
    pieces.push_back(without_overheads(lines[i], begin, end, fit.protocols, is_rendezvous));
    pieces.back().from_bytes = i == 0 ? from : lines[i].from_bytes;
  }
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
      scatter(scatter_of(data)),
      protocols(flow_protocols(campaign, data, points)) {
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
    starts.insert(starts.end(), own.begin(), own.end());
  }
  start = starts.empty() ? 0 : median(starts);
}

}  // namespace postage
