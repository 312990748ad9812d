#include "estimate/network/find_network.hpp"
#include "estimate/network/own_links.hpp"
#include "unit/estimate/synthetic_campaign.hpp"

#include <postage/model/model.hpp>
#include <postage/predict/flows/flows.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace postage {
namespace {

constexpr int kCards = 8;
constexpr double kFastCard = 1e9;
constexpr Bytes kToAll = 1 << 20;
constexpr FlowPenalties kOfCards{.sending = 0.925, .receiving = 0.965, .crossing = 1.35};

/// Every third host has a link of half the rate.
double rate_of_card(int host) {
  return host % 3 == 2 ? kFastCard / 2 : kFastCard;
}

/// What messages take alone, and with which rates of hosts' own links they share.
ParameterTable cards_with(const OwnRates& own) {
  ParameterGroup link{.scope = {.channel = kInterNode}};
  for (const auto& [symbol, value] : {std::pair{"L", 1e-6}, {"G", 1 / kFastCard}, {"x", 0.0}}) {
    link.values[symbol] = Estimate::exactly(value);
  }
  for (const char* symbol : {"o_s", "o_r"}) {
    link.curves[symbol] = {{0, Estimate::exactly(10e-9)}};
  }
  ParameterTable table{.model = "flow", .groups = {link}};
  for (int first = 0; first < kCards; ++first) {
    for (int second = first + 1; second < kCards; ++second) {
      ParameterGroup& pair = table.groups.emplace_back(link);
      pair.scope = {.first = first, .second = second};
      pair.values["G"] = Estimate::exactly(1 / std::min(rate_of_card(first), rate_of_card(second)));
    }
  }
  for (std::size_t host = 0; host < own.size(); ++host) {
    ParameterGroup& processor = table.groups.emplace_back(
        ParameterGroup{.scope = {.processor = static_cast<int>(host)}, .values = {}, .curves = link.curves});
    processor.values = {{"B_send", Estimate::exactly(own[host])}, {"B_receive", Estimate::exactly(own[host])}};
  }
  return table;
}

Flow penalised_cards() {
  OwnRates own;
  for (int host = 0; host < kCards; ++host) {
    own.push_back(1.05 * rate_of_card(host));
  }
  const Model model = build_model(cards_with(own), {{kInterNode}});
  Flow flow = *model.target<Flow>();
  flow.penalties = kOfCards;
  return flow;
}

/// Plays experiments on hosts whose messages slow one another down.
class PenalisedCampaign {
 public:
  PenalisedCampaign() : samples_(without_measurements(kCards)) {
    samples_.is_virtual = true;
    for (int host = 0; host < kCards; ++host) {
      add_fan(ExperimentKind::kHostOutcast, host);
      add_fan(ExperimentKind::kIncast, host);
    }
    for (int step = 1; step < kCards; ++step) {
      add_permutation(step);
    }
    add_mesh();
  }

  [[nodiscard]] const SampleSet& samples() const { return samples_; }

  [[nodiscard]] Platform platform(ParameterTable table) const {
    return {.name = "cards",
            .implementation = "none",
            .channels = {kInterNode},
            .nodes = samples_.nodes,
            .ranks = samples_.ranks,
            .models = {std::move(table)}};
  }

  /// What each host's outcast seems to say of its links.
  [[nodiscard]] OwnRates sent_at_once() const {
    OwnRates rates(kCards);
    for (const Measurement& m : samples_.measurements) {
      if (m.experiment.kind == ExperimentKind::kHostOutcast) {
        rates[static_cast<std::size_t>(m.experiment.members.front())] =
            static_cast<double>(kToAll) * (kCards - 1) / m.summary.median;
      }
    }
    return rates;
  }

 private:
  void add(ExperimentKind kind, const std::vector<int>& members, const std::vector<StartedMessage>& messages,
           const std::vector<int>& of) {
    Experiment experiment{.kind = kind, .bytes = kToAll, .channel = kInterNode};
    experiment.members = members;
    const Platform hosts = platform({});
    const Timeline played = play_messages(messages, kCards, {hosts, Mapping::explicit_placements(hosts.ranks)}, model_);
    Seconds sum = 0;
    for (const int rank : of) {
      sum += played.finish[static_cast<std::size_t>(rank)];
    }
    samples_.measurements.push_back(
        repeated(experiment, sum / static_cast<double>(of.size()), {}, samples_.measurements.size()));
  }

  void add_fan(ExperimentKind kind, int root) {
    const bool leaves = kind == ExperimentKind::kHostOutcast;
    std::vector<int> members{root};
    std::vector<StartedMessage> messages;
    for (int other = 0; other < kCards; ++other) {
      if (other != root) {
        members.push_back(other);
        messages.push_back(leaves ? StartedMessage{root, other, kToAll} : StartedMessage{other, root, kToAll});
      }
    }
    add(kind, members, messages, leaves ? std::vector<int>(members.begin() + 1, members.end()) : std::vector{root});
  }

  void add_permutation(int step) {
    std::vector<int> members;
    std::vector<int> all(kCards);
    std::vector<StartedMessage> messages;
    std::iota(all.begin(), all.end(), 0);
    for (const int host : all) {
      members.push_back((host + step) % kCards);
      messages.push_back({host, members.back(), kToAll});
    }
    add(ExperimentKind::kPermutation, members, messages, all);
  }

  void add_mesh() {
    const std::vector<int> members{0, 2, 3, 5};
    std::vector<StartedMessage> messages;
    for (std::size_t from = 0; from < members.size(); ++from) {
      for (std::size_t by = 1; by < members.size(); ++by) {
        messages.push_back({members[from], members[(from + by) % members.size()], kToAll});
      }
    }
    add(ExperimentKind::kMesh, members, messages, members);
  }

  SampleSet samples_;
  Flow model_ = penalised_cards();
};

// What hosts send at once says too little of their links where they are penalised for it, and not in proportion.
TEST(Penalties, AreFoundOnHostsWhoseLinksDiffer) {
  const PenalisedCampaign penalised;
  Platform platform = penalised.platform(cards_with(penalised.sent_at_once()));
  find_network(CampaignData(penalised.samples()), platform);
  const ParameterTable& table = platform.models.front();
  const auto of_all = std::find_if(table.groups.begin(), table.groups.end(),
                                   [](const ParameterGroup& group) { return group.values.contains("beta_s"); });
  ASSERT_NE(of_all, table.groups.end());
  EXPECT_NEAR(of_all->values.at("beta_s").value, kOfCards.sending, 0.02);
  EXPECT_NEAR(of_all->values.at("beta_e").value, kOfCards.receiving, 0.02);
  EXPECT_NEAR(of_all->values.at("gamma_s").value, kOfCards.crossing, 0.03);
  for (int host = 0; host < kCards; ++host) {
    const double found = processor_group(table, host)->values.at("B_send").value;
    EXPECT_NEAR(found / processor_group(table, 0)->values.at("B_send").value, rate_of_card(host) / kFastCard, 0.01);
  }
}

}  // namespace
}  // namespace postage
