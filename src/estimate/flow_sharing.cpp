#include "estimate/flow_sharing.hpp"

#include "estimate/transfer_data.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

namespace postage {
namespace {

using Kind = ExperimentKind;

/// Acknowledgements that take less of the way back do not count.
constexpr double kLeastReverseShare = 0.005;
/// Experiments in which one message's bytes alone take less of the time say nothing of sharing.
constexpr double kLeastStream = 0.02;
/// A train whose messages follow one another at up to this much more than one's own bytes take has them share what one
/// alone fills: the rest is what the receiver does between them.
constexpr double kOneAlone = 1.1;

/// What an experiment of several ranks says about a channel of which one message costs `fit`.
class SharingReader {
 public:
  explicit SharingReader(const ScopeFit& fit) : fit_(fit), protocols_(fit.protocols) {}

  /// Nothing for experiments of other kinds, or where bytes take no time.
  [[nodiscard]] std::optional<Sharing> read(const Measurement& m) const {
    const Experiment& e = m.experiment;
    const auto members = static_cast<double>(e.members.size());
    const bool keeps = !fit_.is_eager(e.bytes);
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
    const FlowPiece& piece = fit_.piece_at(bytes);
    const double size = static_cast<double>(bytes);
    const double stream = seconds - piece.latency.value - fit_.start;
    const double alone = size * piece.per_byte.value;
    if (!(alone > kLeastStream * seconds) || !(stream > 0)) {
      return std::nullopt;  // latencies and overheads would drown it
    }
    return Sharing{stream / alone, flows * size / stream};
  }

  const ScopeFit& fit_;
  const FlowProtocols& protocols_;
};

/// How an experiment of several ranks compares with one message alone: the slowest, where pairs differ.
std::optional<Sharing> sharing_in(const Measurement& m, const ChannelFits& fits) {
  std::optional<Sharing> least;
  for (const ScopeFit* fit : fits_for(m.experiment, fits)) {
    const auto sharing = SharingReader(*fit).read(m);
    if (sharing && (!least || sharing->ratio < least->ratio)) {
      least = sharing;
    }
  }
  return least ? least : SharingReader(*fits.front()).read(m);
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

/// What a train of eager messages, the largest measured, adds for each, over what the bytes of one alone take; at
/// most 1. Nothing where either end is what slows it, or something else than bytes.
std::optional<double> share_in_train(const ScopeFit& fit) {
  const FlowProtocols& protocols = fit.protocols;
  const std::map<Bytes, Estimate> intervals = train_intervals(*fit.scope);
  const std::vector<std::pair<Bytes, Estimate>> largest_first(intervals.rbegin(), intervals.rend());
  for (const auto& [bytes, interval] : largest_first) {
    // Messages that are awaited do not overlap: the target posts one receive after the other.
    const bool is_awaited = protocols.awaited_from && bytes >= *protocols.awaited_from;
    if (bytes == 0 || is_awaited || !fit.is_eager(bytes)) {
      continue;
    }
    const double busy = std::max(value_at(protocols.send, bytes), value_at(protocols.receive, bytes));
    const double alone = fit.piece_at(bytes).per_byte.value * static_cast<double>(bytes);
    if (interval.value < kNoticeable * busy || interval.value >= alone * kOneAlone) {
      return std::nullopt;
    }
    return interval.value > alone / kNoticeable ? 1 : interval.value / alone;
  }
  return std::nullopt;
}

}  // namespace

bool is_within(const Limits& limits, const char* symbol, double rate) {
  const auto found = limits.find(symbol);
  return found != limits.end() && rate > found->second.value / kNoticeable;
}

ChannelSharing::ChannelSharing(const CampaignData& campaign, const ChannelFits& fits, const std::string& channel)
    : is_between_nodes_(channel == kInterNode) {
  for (const Measurement& m : campaign.samples.measurements) {
    const auto sharing = m.experiment.channel == channel ? sharing_in(m, fits) : std::nullopt;
    if (sharing) {
      auto& rate = rates_[m.experiment.kind][m.experiment.bytes];
      if (sharing->ratio > kNoticeable) {
        rate = std::max(rate.value_or(0), sharing->rate);
      }
    }
  }
  const Rates& pairs = rates_[Kind::kConcurrentPairs];
  const bool is_seen =
      std::any_of(pairs.begin(), pairs.end(), [](const auto& rate) { return rate.second.has_value(); });
  if (!is_seen && !is_between_nodes_) {
    rates_[Kind::kConcurrentPairs] = rates_[Kind::kButterfly];  // two ranks have no other pair beside them
  }
  if (is_between_nodes_) {
    reverse_share_ = reverse_share(campaign, fits, channel);
  }
}

std::optional<double> ChannelSharing::rate_at(const Rates& rates, const SizeRange& range) {
  const auto first = rates.lower_bound(range.from);
  const auto end = rates.lower_bound(range.end);
  for (auto it = end; it != first;) {
    --it;
    if (it->second) {
      return it->second;
    }
  }
  if (first != end || rates.empty()) {
    return std::nullopt;
  }
  return (end != rates.end() ? end : std::prev(end))->second;
}

Limits ChannelSharing::limits_at(const SizeRange& range) const {
  Limits limits;
  for (const auto& [kind, symbol] : {std::pair{Kind::kConcurrentPairs, "B_node"}, std::pair{Kind::kOutcast, "B_send"},
                                     std::pair{Kind::kIncast, "B_receive"}}) {
    const auto found = rates_.find(kind);
    const auto rate = found == rates_.end() ? std::nullopt : rate_at(found->second, range);
    if (rate && !is_within(limits, "B_node", *rate)) {
      limits[symbol] = Estimate::exactly(*rate);
    }
  }
  if (is_between_nodes_) {
    limits["x"] = Estimate::exactly(reverse_share_);
  }
  return limits;
}

bool ChannelSharing::is_measured(const SizeRange& range) const {
  return std::any_of(rates_.begin(), rates_.end(), [&](const auto& entry) {
    const auto found = entry.second.lower_bound(range.from);
    return found != entry.second.end() && found->first < range.end;
  });
}

std::optional<double> pair_limit(const ScopeFit& fit, const FlowPiece& piece) {
  const auto share = share_in_train(fit);
  return share && piece.per_byte.value > 0 ? std::optional(1 / (*share * piece.per_byte.value)) : std::nullopt;
}

}  // namespace postage
