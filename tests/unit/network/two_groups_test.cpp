// Two groups of hosts with one cable between their switches: a message that crosses passes one link of the network.
#include "estimate/network/bandwidths.hpp"
#include "estimate/network/candidates/candidates.hpp"
#include "estimate/network/network_fit.hpp"
#include "unit/estimate/synthetic_campaign.hpp"

#include <postage/model/model.hpp>
#include <postage/predict/flows/flows.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace postage {
namespace {

constexpr int kInGroup = 4;
constexpr int kInBoth = 2 * kInGroup;
constexpr double kOwnLink = 1e9;
constexpr Bytes kSent = 1 << 20;
constexpr double kClearly = 2;

bool in_one_group(int a, int b) {
  return a / kInGroup == b / kInGroup;
}

double rate_of_own_link(int host) {
  return host % 3 == 2 ? kOwnLink / 4 : kOwnLink;
}

/// Near messages take 2 us, others 3. Links of some hosts are slow: where all are alike, other shares by latencies do
/// what one link more does.
ParameterTable two_groups_table(double reverse_share = 0) {
  ParameterGroup link{.scope = {.channel = kInterNode}};
  for (const auto& [symbol, value] : {std::pair{"L", 2e-6},
                                      {"G", 1 / kOwnLink},
                                      {"B_send", kOwnLink},
                                      {"B_receive", kOwnLink},
                                      {"x", reverse_share}}) {
    link.values[symbol] = Estimate::exactly(value);
  }
  for (const char* symbol : {"o_s", "o_r"}) {
    link.curves[symbol] = {{0, Estimate::exactly(10e-9)}};
  }
  ParameterTable table{.model = "flow", .groups = {link}};
  for (int second = 0; second < kInBoth; ++second) {
    for (int first = 0; first < second; ++first) {
      ParameterGroup& pair = table.groups.emplace_back(link);
      pair.scope = {.first = first, .second = second};
      pair.values["L"] = Estimate::exactly(in_one_group(first, second) ? 2e-6 : 3e-6);
      pair.values["G"] = Estimate::exactly(1 / std::min(rate_of_own_link(first), rate_of_own_link(second)));
    }
  }
  for (int host = 0; host < kInBoth; ++host) {
    ParameterGroup& own = table.groups.emplace_back(
        ParameterGroup{.scope = {.processor = host}, .from_bytes = 0, .values = {}, .curves = link.curves});
    own.values = {{"B_send", Estimate::exactly(rate_of_own_link(host))},
                  {"B_receive", Estimate::exactly(rate_of_own_link(host))}};
  }
  return table;
}

std::vector<NetworkStructure> networks_of_two_groups() {
  std::vector<double> latencies;
  for (int a = 0; a < kInBoth; ++a) {
    for (int b = 0; b < kInBoth; ++b) {
      latencies.push_back(a == b ? -1 : in_one_group(a, b) ? 2e-6 : 3e-6);
    }
  }
  return possible_networks({kInBoth, latencies, 0});
}

const NetworkStructure* find_joined(const std::vector<NetworkStructure>& networks, GroupJunction junction) {
  const auto found = std::find_if(networks.begin(), networks.end(), [&](const NetworkStructure& network) {
    return network.levels.size() == 1 && network.groups.size() == 2 && network.levels.front().junction == junction;
  });
  return found == networks.end() ? nullptr : &*found;
}

/// Plays outcasts and shifts of hosts that share by latencies and bandwidths.
class TwoGroups {
 public:
  explicit TwoGroups(NetworkStructure network, double share_bytes = 20000, double bandwidth = kOwnLink / 2,
                     bool is_virtual = true)
      : samples_(without_measurements(kInBoth)) {
    samples_.is_virtual = is_virtual;
    network.levels.front().bandwidth = Estimate::exactly(bandwidth);
    platform_ = {.name = "two groups",
                 .implementation = "none",
                 .channels = {kInterNode},
                 .nodes = samples_.nodes,
                 .ranks = samples_.ranks,
                 .network = std::move(network)};
    model_.share_exponent = 1;
    model_.share_bytes = share_bytes;
    for (int host = 0; host < kInBoth; ++host) {
      add_outcast(host);
    }
    for (int step = 1; step < kInGroup; ++step) {
      add_shift(step);
    }
  }

  [[nodiscard]] const SampleSet& samples() const { return samples_; }
  [[nodiscard]] Platform without_network() const {
    Platform platform = platform_;
    platform.network.reset();
    return platform;
  }

 private:
  void add(Experiment experiment, const std::vector<StartedMessage>& messages) {
    experiment.bytes = kSent;
    experiment.channel = kInterNode;
    const Timeline played =
        play_messages(messages, kInBoth, {platform_, Mapping::explicit_placements(platform_.ranks)}, model_);
    std::vector<Seconds> ends;
    for (const StartedMessage& message : messages) {
      ends.push_back(played.finish[static_cast<std::size_t>(message.target)]);
    }
    const bool longest_counts = !samples_.is_virtual && experiment.kind == ExperimentKind::kPermutation;
    const Seconds time = longest_counts
                             ? *std::max_element(ends.begin(), ends.end())
                             : std::accumulate(ends.begin(), ends.end(), Seconds{0}) / static_cast<double>(ends.size());
    samples_.measurements.push_back(repeated(experiment, time, {}, samples_.measurements.size()));
  }

  void add_outcast(int root) {
    Experiment experiment{.kind = ExperimentKind::kOutcast, .members = {root}};
    std::vector<StartedMessage> messages;
    for (int other = 0; other < kInBoth; ++other) {
      if (other != root) {
        experiment.members.push_back(other);
        messages.push_back({root, other, kSent});
      }
    }
    add(std::move(experiment), messages);
  }

  void add_shift(int step) {
    Experiment experiment{.kind = ExperimentKind::kPermutation};
    std::vector<StartedMessage> messages;
    for (int host = 0; host < kInBoth; ++host) {
      experiment.members.push_back((host + step) % kInBoth);
      messages.push_back({host, (host + step) % kInBoth, kSent});
    }
    add(std::move(experiment), messages);
  }

  Flow model_ = *build_model(two_groups_table(), {{kInterNode}}).target<Flow>();
  SampleSet samples_;
  Platform platform_;
};

TEST(TwoGroups, MayBeJoinedByALinkOrBySwitches) {
  const std::vector<NetworkStructure> networks = networks_of_two_groups();
  EXPECT_NE(find_joined(networks, GroupJunction::kSwitch), nullptr);
  EXPECT_NE(find_joined(networks, GroupJunction::kMesh), nullptr);
}

// Both have the same bandwidth; which links a message passes decides what share of others it gets.
TEST(TwoGroups, AreJoinedAsTheSharesOfMessagesSay) {
  const std::vector<NetworkStructure> networks = networks_of_two_groups();
  for (const auto& [truth, other] : {std::pair{GroupJunction::kMesh, GroupJunction::kSwitch},
                                     std::pair{GroupJunction::kSwitch, GroupJunction::kMesh}}) {
    const TwoGroups measured(*find_joined(networks, truth));
    const CampaignData campaign(measured.samples());
    const Model model = build_model(two_groups_table(), {{kInterNode}});
    const Platform hosts = measured.without_network();
    const NetworkJudge judge(campaign, hosts, *model.target<Flow>());
    EXPECT_LT(fit_bandwidths(*find_joined(networks, truth), judge).cost,
              fit_bandwidths(*find_joined(networks, other), judge).cost - kClearly);
  }
}

// Two hosts' exchange seemed to show acknowledgements, and nothing takes what they would: one parameter after the
// other, faster links can make up for them.
TEST(TwoGroups, DoNotGetFasterLinksForTheSakeOfAcknowledgements) {
  const std::vector<NetworkStructure> networks = networks_of_two_groups();
  for (const double believed : {0.01, 0.02, 0.04}) {
    const TwoGroups measured(*find_joined(networks, GroupJunction::kMesh), 0);
    const CampaignData campaign(measured.samples());
    const Model model = build_model(two_groups_table(believed), {{kInterNode}});
    const Platform hosts = measured.without_network();
    const FittedNetwork fitted = fit_bandwidths(*find_joined(networks, GroupJunction::kMesh),
                                                NetworkJudge(campaign, hosts, *model.target<Flow>()));
    EXPECT_NEAR(fitted.competing.reverse_share.value_or(believed), 0, 1e-3) << believed;
    EXPECT_NEAR(fitted.network.levels.front().bandwidth->value, kOwnLink / 2, 1e-3 * kOwnLink) << believed;
    EXPECT_NEAR(fitted.competing.more_sent, 1, 2e-3) << believed;
    EXPECT_NEAR(fitted.competing.share_bytes, 0, 1) << believed;
  }
}

// Of real permutations the longest time counts, and the cable between two switches may be slow beside hosts' own links.
TEST(TwoGroups, OfRealHostsMayShareALinkOfAHundredthOfTheirs) {
  const std::vector<NetworkStructure> networks = networks_of_two_groups();
  const TwoGroups measured(*find_joined(networks, GroupJunction::kSwitch), 0, kOwnLink / 100, false);
  const Model model = build_model(two_groups_table(), {{kInterNode}});
  const Platform hosts = measured.without_network();
  const auto bandwidth = [&](const SampleSet& samples) {
    const CampaignData campaign(samples);
    const NetworkJudge judge(campaign, hosts, *model.target<Flow>());
    return fit_bandwidths(*find_joined(networks, GroupJunction::kSwitch), judge).network.levels.front().bandwidth;
  };
  EXPECT_NEAR(bandwidth(measured.samples())->value, kOwnLink / 100, 1e-3 * kOwnLink / 100);

  // Other things may slow messages down together: a cable carries at least what a message alone gets across it.
  SampleSet with_roundtrip = measured.samples();
  const Experiment roundtrip{
      .kind = ExperimentKind::kRoundtrip, .source = 0, .target = kInGroup, .bytes = kSent, .reply_bytes = kSent};
  with_roundtrip.measurements.push_back(repeated(roundtrip, 2 * static_cast<double>(kSent) / (kOwnLink / 80), {}, 1));
  EXPECT_NEAR(bandwidth(with_roundtrip)->value, kOwnLink / 80, 1e-2 * kOwnLink / 80);
}

// Whether messages share by their latencies is a choice between two: where nothing depends on it, both cost the same.
TEST(SharesOfMessages, ByLatenciesCostNoMoreThanEqualOnes) {
  const std::vector<NetworkStructure> networks = networks_of_two_groups();
  const TwoGroups measured(*find_joined(networks, GroupJunction::kSwitch));
  const CampaignData campaign(measured.samples());
  ParameterTable alike = two_groups_table();
  std::erase_if(alike.groups, [](const ParameterGroup& group) { return group.scope.is_pair(); });
  const Model model = build_model(alike, {{kInterNode}});
  const Platform hosts = measured.without_network();
  const NetworkJudge judge(campaign, hosts, *model.target<Flow>());
  const FittedNetwork equal = fit_from({.network = {}}, {}, judge, 1);
  const FittedNetwork by_latencies = fit_from({.network = {}, .competing = {.share_exponent = 1}}, {}, judge, 1);
  EXPECT_NEAR(by_latencies.cost, equal.cost, 1e-6);
}

}  // namespace
}  // namespace postage
