#include "estimate/flow/scope_fit.hpp"

#include "estimate/data/curves.hpp"
#include "estimate/flow/fans.hpp"
#include "estimate/flow/line_pieces.hpp"

#include <postage/base/statistics.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

namespace postage {
namespace {

using Kind = ExperimentKind;

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

/// Standard deviations of what one message takes, by size, over those of all pairs and repetitions: a few alone show
/// too little of disturbances that are rare and long. As shares of the pair's own time, since pairs may differ; where
/// most pairs' times repeat exactly, others' were disturbed by what was measured beside them, and count for nothing. A
/// roundtrip is two messages, and a repetition of several roundtrips is their mean.
std::map<Bytes, Seconds> deviations_of(const ScopeData& scope) {
  struct Deviations {
    std::vector<double> shares{};  ///< [pair]
    double squares = 0;
    double degrees = 0;
  };
  std::map<Bytes, Deviations> by_size;
  for (const PairData* pair : scope.pairs) {
    for (const Measurement* m : pair->measurements) {
      const Experiment& e = m->experiment;
      if (e.kind == Kind::kRoundtrip && e.bytes == e.reply_bytes && m->summary.count > 1 && m->summary.median > 0) {
        Deviations& of_size = by_size[e.bytes];
        const auto degrees = static_cast<double>(m->summary.count - 1);
        const double share = std::sqrt(2.0 * m->inner) * m->summary.standard_deviation / m->summary.median;
        of_size.shares.push_back(share);
        of_size.squares += share * share * degrees;
        of_size.degrees += degrees;
      }
    }
  }
  const TimesBySize one_way = one_way_times(scope);
  std::map<Bytes, Seconds> deviations;
  for (const auto& [bytes, all] : by_size) {
    if (const auto time = one_way.find(bytes); time != one_way.end()) {
      const bool scatters = median(all.shares) >= kLeastScatter;
      deviations[bytes] = scatters ? time->second.value * std::sqrt(all.squares / all.degrees) : 0;
    }
  }
  return deviations;
}

/// True where messages pass between the ranks of one of the scope's pairs in the experiment: in fans only to or from
/// the first.
bool has_part(const ScopeData& scope, const Experiment& e) {
  const auto has = [&](int rank) { return std::find(e.members.begin(), e.members.end(), rank) != e.members.end(); };
  const bool is_fan = e.kind == Kind::kOutcast || e.kind == Kind::kIncast;
  return std::any_of(scope.pairs.begin(), scope.pairs.end(), [&](const PairData* pair) {
    const bool has_first = pair->first == e.members.front() || pair->second == e.members.front();
    return has(pair->first) && has(pair->second) && (!is_fan || has_first);
  });
}

/// Between which messages pass in the experiment: in fans to or from the first, else by twos.
std::vector<RankPair> pairs_of(const Experiment& e) {
  const bool is_fan = e.kind == Kind::kOutcast || e.kind == Kind::kIncast;
  std::vector<RankPair> pairs;
  for (std::size_t i = 1; i < e.members.size(); i += is_fan ? 1 : 2) {
    pairs.emplace_back(is_fan ? e.members.front() : e.members[i - 1], e.members[i]);
  }
  return pairs;
}

/// Those of the classes that the experiment's pairs are of.
ChannelFits fits_like(const PairStructure& structure, const Experiment& e, const ChannelFits& fits) {
  std::set<std::size_t> classes;
  for (const auto& [a, b] : pairs_of(e)) {
    classes.insert(structure.class_of(e.channel, a, b));
  }
  ChannelFits like;
  std::copy_if(fits.begin(), fits.end(), std::back_inserter(like), [&](const ScopeFit* fit) {
    const PairData& pair = *fit->scope->pairs.front();
    return fit->scope->scope.is_pair() && fit->is_known() &&
           classes.count(structure.class_of(pair.channel, pair.first, pair.second)) > 0;
  });
  return like;
}

}  // namespace

ScopeFit::ScopeFit(const CampaignData& campaign, const ScopeData& data, const ScopeFit* channel)
    : scope(&data),
      points(curve_of(data)),
      finest_scatter(finest_scatter_of(data)),
      protocols(flow_protocols(campaign, data, points, channel == nullptr ? nullptr : &channel->protocols)),
      deviations(campaign.samples.is_virtual ? deviations_of(data) : std::map<Bytes, Seconds>{}) {
  take_fans(campaign, *this);
  pieces = pieces_of(*this);
}

const FlowPiece& piece_at(const std::vector<FlowPiece>& pieces, Bytes bytes) {
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
    const double wire = std::hypot(piece.latency.value, piece.per_byte.value * static_cast<double>(bytes));
    if (wire > 0) {
      all.push_back(deviation / wire);
    }
    if (wire > 0 && bytes >= range.from && bytes < range.end) {
      inside.push_back(deviation / wire);
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

Seconds ScopeFit::rendezvous(Bytes bytes) const {
  const Seconds late = unawaited.empty() ? 0 : value_at(unawaited, bytes);
  return start + value_at(one_way_times(*scope), bytes) + late;
}

Seconds ScopeFit::acknowledgement(Bytes bytes) const {
  return acknowledged.empty() || is_eager(bytes) ? 0 : value_at(acknowledged, bytes);
}

ChannelFits fits_for(const CampaignData& campaign, const Experiment& e, const ChannelFits& fits) {
  ChannelFits pairs;
  std::copy_if(fits.begin(), fits.end(), std::back_inserter(pairs), [&](const ScopeFit* fit) {
    return fit->scope->scope.is_pair() && fit->is_known() && has_part(*fit->scope, e);
  });
  if (pairs.empty() && !campaign.structure->empty() && fits.size() > 1) {
    pairs = fits_like(*campaign.structure, e, fits);
  }
  return pairs.empty() ? ChannelFits{fits.front()} : pairs;
}

}  // namespace postage
