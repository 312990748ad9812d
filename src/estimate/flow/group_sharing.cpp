#include "estimate/flow/group_sharing.hpp"

#include "estimate/data/curves.hpp"
#include "estimate/data/processor_overheads.hpp"
#include "estimate/flow/outcast.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace postage {
namespace {

using Kind = ExperimentKind;

/// A train whose messages follow one another at up to this much more than one's own bytes take has them share what one
/// alone fills: the rest is what the receiver does between them.
constexpr double kOneAlone = 1.1;

/// What an experiment of several ranks says about a channel of which one message costs `fit`.
class SharingReader {
 public:
  SharingReader(const CampaignData& campaign, const ScopeFit& fit)
      : campaign_(campaign), fit_(fit), protocols_(fit.protocols) {}

  /// Nothing for experiments of other kinds, or where bytes take no time.
  [[nodiscard]] std::optional<Sharing> read(const Measurement& m) const {
    const Experiment& e = m.experiment;
    const auto members = static_cast<double>(e.members.size());
    const bool keeps = !fit_.is_eager(e.bytes);
    const auto [send, receive] = overheads_in(e);
    if (e.kind == Kind::kConcurrentPairs) {
      return shared(m, members / 2, m.summary.median / 2 - (keeps ? 0 : send) - receive);
    }
    if (e.kind == Kind::kOutcast) {
      return shared_by_outcast(m, static_cast<int>(members) - 1, send, m.summary.median - send - receive);
    }
    if (e.kind == Kind::kIncast) {
      // All arrive together, and are taken in one after the other. Where that takes longer than what they share, those
      // that arrive before others are taken in meanwhile: the rest says too little of a bandwidth.
      const Seconds taken_in = (members - 1) * receive;
      const Seconds before = m.summary.median - (keeps ? 0 : send) - taken_in;
      const bool is_between_nodes = fit_.scope->channel() == kInterNode;
      return is_between_nodes && taken_in > before ? std::nullopt : shared(m, members - 1, before);
    }
    if (e.kind == Kind::kButterfly) {
      const Seconds late = keeps && !fit_.unawaited.empty() ? value_at(fit_.unawaited, e.bytes) : 0;
      return shared(m, members, m.summary.median - send - receive - late - fit_.acknowledgement(e.bytes));
    }
    return std::nullopt;
  }

 private:
  struct Ends {
    Seconds send = 0;
    Seconds receive = 0;
  };

  /// What a message keeps its sender and its receiver for; in fans the mean of those that are several, where ranks
  /// differ.
  [[nodiscard]] Ends overheads_in(const Experiment& e) const {
    Ends ends{value_at(protocols_.send, e.bytes), 0};
    if (!fit_.is_eager(e.bytes)) {
      return ends;
    }
    ends.receive = value_at(protocols_.receive, e.bytes);
    const bool is_fan = e.kind == Kind::kOutcast || e.kind == Kind::kIncast;
    const bool is_awaited = protocols_.awaited_from && e.bytes >= *protocols_.awaited_from;
    if (!is_fan || is_awaited || !fit_.scope->scope.is_pair() || ends.receive <= 0) {
      return ends;
    }
    const ProcessorOverheads processors(campaign_, e.channel);
    const RankOverheads root = processors.of(e.members.front());
    Ends others;
    for (std::size_t i = 1; i < e.members.size(); ++i) {
      const RankOverheads other = processors.of(e.members[i]);
      if (root.send.empty() || root.receive.empty() || other.send.empty() || other.receive.empty()) {
        return ends;
      }
      others.send += value_at(other.send, e.bytes) / static_cast<double>(e.members.size() - 1);
      others.receive += value_at(other.receive, e.bytes) / static_cast<double>(e.members.size() - 1);
    }
    return e.kind == Kind::kOutcast ? Ends{value_at(root.send, e.bytes), others.receive}
                                    : Ends{others.send, value_at(root.receive, e.bytes)};
  }

  /// How far the time may be off inside a real node, where noise moves medians; else 0.
  [[nodiscard]] Seconds noise_of(const Measurement& m) const {
    const Interval& interval = m.summary.median_interval;
    return is_moved_by_processors(campaign_, *fit_.scope) ? (interval.upper - interval.lower) / 2 : 0;
  }

  /// How long bytes took, of the time between overheads; nothing where latencies and overheads, or noise, would drown
  /// it. Of many messages that share, one's bytes are a small part.
  [[nodiscard]] std::optional<Seconds> stream_of(const Measurement& m, double flows, Seconds seconds) const {
    const FlowPiece& piece = fit_.piece_at(m.experiment.bytes);
    const Seconds stream = seconds - piece.latency.value - fit_.start;
    const Seconds alone = static_cast<double>(m.experiment.bytes) * piece.per_byte.value;
    const Seconds least = std::max(kLeastStream * seconds, noise_of(m));
    return flows * alone > least && stream > least ? std::optional(stream) : std::nullopt;
  }

  [[nodiscard]] std::optional<Sharing> shared(const Measurement& m, double flows, Seconds seconds) const {
    const auto stream = stream_of(m, flows, seconds);
    if (flows < 2 || !stream) {
      return std::nullopt;  // whatever slows a message alone, it is no sharing
    }
    const auto size = static_cast<double>(m.experiment.bytes);
    return Sharing{*stream / (size * fit_.piece_at(m.experiment.bytes).per_byte.value), flows * size / *stream};
  }

  /// The time is the mean over those that receive.
  [[nodiscard]] std::optional<Sharing> shared_by_outcast(const Measurement& m, int flows, Seconds apart,
                                                         Seconds seconds) const {
    const auto stream = stream_of(m, flows, seconds);
    if (flows < 2 || !stream) {
      return std::nullopt;
    }
    const Outcast outcast{flows, static_cast<double>(m.experiment.bytes), apart,
                          fit_.piece_at(m.experiment.bytes).per_byte.value};
    const double ratio = *stream / outcast.mean_end(0);
    return Sharing{ratio, ratio > kNoticeable ? 1 / outcast.shared_per_byte(*stream) : 0};
  }

  const CampaignData& campaign_;
  const ScopeFit& fit_;
  const FlowProtocols& protocols_;
};

/// What a train of eager messages, the largest measured, adds for each, over what the bytes of one alone take; at
/// most 1. Nothing where either end is what slows it, or something else than bytes, or where it adds nothing: memory
/// that carries any number of messages at once, as simulated hosts may have it.
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
    const bool adds_nothing = interval.value <= 0;
    if (adds_nothing || interval.value < kNoticeable * busy || interval.value >= alone * kOneAlone) {
      return std::nullopt;
    }
    return interval.value > alone / kNoticeable ? 1 : interval.value / alone;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Sharing> sharing_in(const CampaignData& campaign, const Measurement& m, const ChannelFits& fits) {
  std::optional<Sharing> least;
  for (const ScopeFit* fit : fits_for(campaign, m.experiment, fits)) {
    const auto sharing = SharingReader(campaign, *fit).read(m);
    if (sharing && (!least || sharing->ratio < least->ratio)) {
      least = sharing;
    }
  }
  return least ? least : SharingReader(campaign, *fits.front()).read(m);
}

std::optional<double> pair_limit(const ScopeFit& fit, const FlowPiece& piece) {
  const auto share = share_in_train(fit);
  return share && piece.per_byte.value > 0 ? std::optional(1 / (*share * piece.per_byte.value)) : std::nullopt;
}

}  // namespace postage
