#include "estimate/network/envelope.hpp"

#include "estimate/network/host_distances.hpp"

#include <postage/model/model.hpp>

#include <cmath>

namespace postage {
namespace {

constexpr Bytes kSmallestOfFans = 1;
constexpr double kMissBeside = 0.005;
/// Of the logarithm of the number of experiments: what an envelope must be worth.
constexpr double kWorth = 2;

}  // namespace

double fit_envelope(const CampaignData& campaign, const Platform& platform, const FittedNetwork& found,
                    const ParameterTable& table) {
  const Model model = build_model(table, platform.channels);
  const NetworkJudge judge(campaign, platform, *model.target<Flow>(), kSmallestOfFans);
  const auto count = static_cast<double>(judge.experiments());
  const auto cost_of = [&](int envelope) {
    CompetingMessages competing = found.competing;
    competing.more_sent = 1;  // the table has them
    competing.more_received = 1;
    competing.envelope = envelope;
    return count * std::log(judge.misses(found.network, competing) / count + kMissBeside * kMissBeside);
  };
  double least = cost_of(0) - kWorth * std::log(count);
  int best = 0;
  for (int envelope = kEnvelopeStep; envelope <= kMostEnvelope; envelope += kEnvelopeStep) {
    if (const double cost = cost_of(envelope); cost < least) {
      least = cost;
      best = envelope;
    }
  }
  return best;
}

}  // namespace postage
