#include "estimate/flow_sharing.hpp"

#include "estimate/transfer_data.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <vector>

namespace postage {
namespace {

using Kind = ExperimentKind;

/// Acknowledgements that take less of the way back do not count.
constexpr double kLeastReverseShare = 0.005;
/// A train whose messages follow one another at up to this much more than one's own bytes take has them share what one
/// alone fills: the rest is what the receiver does between them.
constexpr double kOneAlone = 1.1;
/// Until the halves are as fine as numbers are.
constexpr int kHalvings = 60;
constexpr Seconds kNever = std::numeric_limits<Seconds>::infinity();

/// Messages of one size from one rank, each begun `apart` after the one before.
struct Outcast {
  int flows = 0;
  double bytes = 0;
  Seconds apart = 0;
  double per_byte = 0;  ///< of a message alone

  /// Mean moment at which one's bytes have come, after the first began, if all together take `shared_per_byte` for
  /// each. O(flows^2).
  [[nodiscard]] Seconds mean_end(double shared_per_byte) const {
    std::vector<double> left(static_cast<std::size_t>(flows), bytes);
    std::size_t first = 0;  // that has not ended; they end in the order in which they began
    std::size_t begun = 0;
    Seconds now = 0;
    Seconds sum = 0;
    while (first < left.size()) {
      const Seconds next = begun < left.size() ? static_cast<double>(begun) * apart : kNever;
      const double slowness = std::max(per_byte, static_cast<double>(begun - first) * shared_per_byte);
      const Seconds end = begun > first ? now + left[first] * slowness : kNever;
      const Seconds until = std::min(next, end);
      for (std::size_t i = first; i < begun; ++i) {
        left[i] -= (until - now) / slowness;
      }
      now = until;
      if (next <= end) {
        ++begun;
      } else {
        ++first;
        sum += now;
      }
    }
    return sum / flows;
  }

  /// What all together take for a byte, if the mean end is `seen`, which is later than without sharing. O(flows^2).
  [[nodiscard]] double shared_per_byte(Seconds seen) const {
    double low = per_byte / flows;
    double high = (seen + flows * apart) / bytes;
    for (int i = 0; i < kHalvings; ++i) {
      const double middle = (low + high) / 2;
      (mean_end(middle) < seen ? low : high) = middle;
    }
    return high;
  }
};

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
        return shared_by_outcast(e.bytes, static_cast<int>(members) - 1, send, m.summary.median - send - receive);
      case Kind::kIncast:
        // All arrive together, and are taken in one after the other.
        return shared(e.bytes, members - 1, m.summary.median - (keeps ? 0 : send) - (members - 1) * receive);
      case Kind::kButterfly:
        return shared(e.bytes, members, m.summary.median - send - receive);
      default:
        return std::nullopt;
    }
  }

 private:
  /// How long bytes took, of the time between overheads; nothing where latencies and overheads would drown it.
  [[nodiscard]] std::optional<Seconds> stream_of(Bytes bytes, Seconds seconds) const {
    const FlowPiece& piece = fit_.piece_at(bytes);
    const Seconds stream = seconds - piece.latency.value - fit_.start;
    const Seconds alone = static_cast<double>(bytes) * piece.per_byte.value;
    return alone > kLeastStream * seconds && stream > 0 ? std::optional(stream) : std::nullopt;
  }

  [[nodiscard]] std::optional<Sharing> shared(Bytes bytes, double flows, Seconds seconds) const {
    const auto stream = stream_of(bytes, seconds);
    if (flows < 2 || !stream) {
      return std::nullopt;  // whatever slows a message alone, it is no sharing
    }
    const auto size = static_cast<double>(bytes);
    return Sharing{*stream / (size * fit_.piece_at(bytes).per_byte.value), flows * size / *stream};
  }

  /// The time is the mean over those that receive.
  [[nodiscard]] std::optional<Sharing> shared_by_outcast(Bytes bytes, int flows, Seconds apart, Seconds seconds) const {
    const auto stream = stream_of(bytes, seconds);
    if (flows < 2 || !stream) {
      return std::nullopt;
    }
    const Outcast outcast{flows, static_cast<double>(bytes), apart, fit_.piece_at(bytes).per_byte.value};
    const double ratio = *stream / outcast.mean_end(0);
    return Sharing{ratio, ratio > kNoticeable ? 1 / outcast.shared_per_byte(*stream) : 0};
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

std::optional<double> ChannelSharing::rate_at(const Rates& rates, const SizeRange& range, double alone) {
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
  const std::optional<double> nearest = (end != rates.end() ? end : std::prev(end))->second;
  return nearest ? std::optional(std::max(*nearest, alone)) : std::nullopt;
}

Limits ChannelSharing::limits_at(const SizeRange& range, double alone) const {
  Limits limits;
  for (const auto& [kind, symbol] : {std::pair{Kind::kConcurrentPairs, "B_node"}, std::pair{Kind::kOutcast, "B_send"},
                                     std::pair{Kind::kIncast, "B_receive"}}) {
    const auto found = rates_.find(kind);
    const auto rate = found == rates_.end() ? std::nullopt : rate_at(found->second, range, alone);
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
