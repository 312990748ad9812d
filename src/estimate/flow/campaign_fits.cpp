#include "estimate/flow/campaign_fits.hpp"

#include "estimate/flow/copies.hpp"
#include "estimate/flow/like_finest.hpp"

#include <postage/base/statistics.hpp>

#include <algorithm>

namespace postage {
namespace {

using Kind = ExperimentKind;

/// Messages so small that what a group takes beyond its messages shows, if it is at least this share of their time.
constexpr Bytes kSmallMessage = 64;
constexpr double kLeastStart = 0.05;

void append(std::vector<double>& all, const std::vector<double>& further) {
  all.insert(all.end(), further.begin(), further.end());
}

double median_or_zero(const std::vector<double>& values) {
  return values.empty() ? 0 : median(values);
}

/// Eager messages of one experiment between two ranks.
struct EagerMessages {
  Bytes bytes;
  Seconds together;  ///< what the experiment took
  Seconds alone;     ///< what one message takes
  Seconds moving;    ///< how long its bytes take of that
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
    const ScopeFit& fit = *fits_for(campaign, e, fits).front();
    if (fit.is_known() && fit.is_eager(e.bytes)) {
      const Seconds moving = fit.piece_at(e.bytes).per_byte.value * static_cast<double>(e.bytes);
      found.push_back({e.bytes, m.summary.median, fit.alone(e.bytes), moving});
    }
  }
  return found;
}

/// What small messages of a channel took longer that both ranks started together than those that one rank answers to
/// another, in experiments of so many messages one after the other; 0 for those that did not.
template <typename IsKind>
std::vector<double> start_times(const CampaignData& campaign, const ChannelFits& fits, const std::string& channel,
                                const IsKind& is_kind, int messages) {
  std::vector<double> times;
  for (const EagerMessages& m : eager_messages(campaign, fits, channel, is_kind)) {
    const Seconds apart = messages * m.alone;
    if (m.bytes <= kSmallMessage) {
      times.push_back(m.together > apart * (1 + kLeastStart) ? m.together - apart : 0);
    }
  }
  return times;
}

/// What messages took longer where each rank sends one while it receives one, in exchanges that follow one another,
/// beyond the time that the other one's bytes take, where that is a share of the time that one notices. 0 for those
/// that did not.
std::map<Bytes, std::vector<double>> exchange_times(const CampaignData& campaign,
                                                    const std::map<std::string, ChannelFits>& by_channel) {
  const auto is_exchange = [](Kind kind) { return kind == Kind::kButterfly; };
  std::map<Bytes, std::vector<double>> times;
  for (const auto& [channel, fits] : by_channel) {
    if (channel == kInterNode) {
      continue;
    }
    for (const EagerMessages& m : eager_messages(campaign, fits, channel, is_exchange)) {
      if (m.bytes <= kSmallMessage) {
        times[kSmallMessage].push_back(std::max(m.together - m.alone, 0.0));
      } else if (!campaign.samples.is_virtual) {
        const Seconds shared = m.moving < kLeastStream * m.together ? 0 : m.moving;
        times[m.bytes].push_back(std::max(m.together - m.alone - shared, 0.0));
      }
    }
  }
  return times;
}

/// What the small messages of one kind of experiment, whose ranks start together, took longer than `expected` of each;
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
    ChannelFits& known = by_channel[scope.channel()];  // the channel itself comes before its pairs
    known.push_back(&all.emplace_back(campaign, scope, known.empty() ? nullptr : known.front()));
  }
  for (const auto& [channel, fits] : by_channel) {
    take_lines_of_finest(fits);
  }
  find_start(campaign);
  find_waits(campaign);
  find_exchange(campaign);
  find_delays(campaign);
}

void CampaignFits::find_start(const CampaignData& campaign) {
  std::vector<double> starts;
  const auto is_fan = [](Kind kind) { return kind == Kind::kOutcast || kind == Kind::kIncast; };
  // Between hosts of one rank each fans are of all hosts. What an answer takes longer than a message of a rank that has
  // just received one is little there, and counted with it.
  const auto is_answer = [](Kind kind) { return kind == Kind::kAnswer; };
  const bool are_apart = by_channel.size() == 1 && by_channel.contains(kInterNode) && !campaign.samples.is_virtual;
  for (const auto& [channel, fits] : by_channel) {
    const std::vector<double> own = are_apart ? start_times(campaign, fits, channel, is_answer, 2)
                                              : start_times(campaign, fits, channel, is_fan, 1);
    for (ScopeFit* fit : fits) {
      fit->start = median_or_zero(own);
    }
    append(starts, own);
  }
  start = median_or_zero(starts);
}

void CampaignFits::find_waits(const CampaignData& campaign) {
  for (const auto& [channel, fits] : by_channel) {
    const TimesBySize unawaited = unawaited_times(campaign, *fits.front(), false);
    const TimesBySize acknowledged = acknowledged_times(campaign, *fits.front());
    for (ScopeFit* fit : fits) {
      fit->unawaited = unawaited;
      fit->acknowledged = acknowledged;
    }
  }
}

void CampaignFits::find_exchange(const CampaignData& campaign) {
  for (const auto& [bytes, times] : exchange_times(campaign, by_channel)) {
    exchange[bytes] = Estimate::exactly(median(times));
  }
}

void CampaignFits::find_delays(const CampaignData& campaign) {
  std::vector<double> simultaneous;
  std::vector<double> responses;
  const Seconds usual = exchange.empty() ? 0 : exchange.begin()->second.value;
  for (const auto& [channel, fits] : by_channel) {
    const Seconds own_start = fits.front()->start;
    if (!(own_start > 0)) {
      continue;  // messages that start together take no longer than others
    }
    append(simultaneous, times_beyond(campaign, fits, channel, Kind::kSynchronisedExchange,
                                      [&](const EagerMessages& m) { return m.alone + own_start + usual; }));
    append(responses, times_beyond(campaign, fits, channel, Kind::kAnswer,
                                   [&](const EagerMessages& m) { return 2 * m.alone + own_start; }));
  }
  simultaneous_start = median_or_zero(simultaneous);
  first_response = median_or_zero(responses);
}

}  // namespace postage
