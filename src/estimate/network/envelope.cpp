#include "estimate/network/envelope.hpp"

#include "estimate/network/host_distances.hpp"

#include <postage/model/model.hpp>

namespace postage {
namespace {

constexpr Bytes kSmallestOfFans = 1;
/// An envelope must be worth so many parameters.
constexpr double kWorth = 2;

}  // namespace

double fit_envelope(const CampaignData& campaign, const Platform& platform, const FittedNetwork& found,
                    const ParameterTable& table) {
  const Model model = build_model(table, platform.channels);
  const NetworkJudge judge(campaign, platform, *model.target<Flow>(), kSmallestOfFans);
  CompetingMessages competing = with_corrected_limits(found.competing);
  const auto cost_of = [&](int envelope) {
    competing.envelope = envelope;
    return judge.cost_of(judge.misses(found.network, competing), envelope > 0 ? kWorth : 0);
  };
  double least = cost_of(0);
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
