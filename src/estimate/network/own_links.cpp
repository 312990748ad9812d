#include "estimate/network/own_links.hpp"

#include "estimate/flow/host_rates.hpp"
#include "estimate/network/least.hpp"

#include <postage/estimate/arithmetic.hpp>
#include <postage/model/model.hpp>
#include <postage/predict/flows/scattered_messages.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace postage {
namespace {

/// A host's links are looked for up to so many times more, or less, than was taken for them.
constexpr double kMostMore = 4;
constexpr int kStepsOfMore = 16;
/// Rates that differ by less, as a share, are the same.
constexpr double kSame = 0.01;
/// Outcasts that take so much longer, as a share, take the same.
constexpr double kSameTime = 0.005;
/// Rates are known where the largest that explains an outcast is less than so many times the least.
constexpr double kKnown = 1.1;

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

/// Of the rank's node where it has a limit, else of the rank.
double rate_in(const ParameterGroup& group) {
  for (const char* symbol : {"B_node", "B_send"}) {
    if (const auto found = group.values.find(symbol); found != group.values.end()) {
      return found->second.value;
    }
  }
  return 0;
}

/// The last value between one that is alike and another at which it still is, within kSame.
template <typename IsAlike>
double edge(double alike, double other, const IsAlike& is_alike) {
  if (is_alike(other)) {
    return other;
  }
  while (std::abs(std::log(other / alike)) > kSame) {
    const double middle = std::sqrt(alike * other);
    (is_alike(middle) ? alike : other) = middle;
  }
  return alike;
}

/// What a host's own links carry, B/s, and the least and the most with which its outcast takes the same: where sending
/// keeps its processor longer than its links are busy, they may carry any more.
struct OwnRate {
  double least = 0;
  double best = 0;
  double most = 0;
  [[nodiscard]] bool is_known() const { return best > 0 && most < kKnown * least; }
};

/// Those that their outcasts do not show are like one that its outcast shows, if they can be.
OwnRates with_unshown(const std::vector<OwnRate>& found) {
  OwnRates rates(found.size());
  for (std::size_t host = 0; host < found.size(); ++host) {
    const OwnRate& own = found[host];
    rates[host] = own.best;
    if (own.is_known()) {
      continue;
    }
    double nearest = 0;
    for (const OwnRate& other : found) {
      const bool can_be = other.is_known() && other.best >= own.least * (1 - kSame) && other.best <= own.most;
      nearest = can_be && (nearest == 0 || other.best < nearest) ? other.best : nearest;
    }
    rates[host] = nearest > 0 ? nearest : own.best;
  }
  return rates;
}

/// Plays outcasts of hosts whose own links carry more, or less, than the model says.
class OutcastPlayer {
 public:
  OutcastPlayer(const Platform& platform, const NetworkStructure& network, Flow model)
      : platform_{.channels = platform.channels, .nodes = platform.nodes, .ranks = platform.ranks, .network = network},
        model_(std::move(model)),
        channels_(platform_, Mapping::explicit_placements(platform_.ranks)) {}

  /// Of hosts whose links are as the model says; 0 of one that has none of its own.
  [[nodiscard]] double miss_of(const Measurement& outcast) {
    return model_.processors[at(outcast.experiment.members.front())]
               ? std::log(time_of(outcast.experiment, 1) / outcast.summary.median)
               : 0;
  }

  /// What explains best what the outcast took, of a host whose links were taken to carry `taken`.
  [[nodiscard]] OwnRate rate_of(const Measurement& outcast, double taken) {
    const auto miss_with = [&](double more) {
      return std::abs(std::log(time_of(outcast.experiment, more) / outcast.summary.median));
    };
    const Least best = search(-std::log(kMostMore), std::log(kMostMore), kStepsOfMore,
                              [&](double logarithm, double /*bound*/) { return miss_with(std::exp(logarithm)); });
    const double more = best.value < miss_with(1) ? std::exp(best.at) : 1;
    const Seconds found = time_of(outcast.experiment, more);
    const auto is_alike = [&](double other) {
      return std::abs(time_of(outcast.experiment, other) / found - 1) < kSameTime;
    };
    return {taken * edge(more, 1 / kMostMore, is_alike), taken * more, taken * edge(more, kMostMore, is_alike)};
  }

 private:
  /// Mean over the receivers.
  Seconds time_of(const Experiment& e, double more) {
    std::vector<StartedMessage> messages;
    for (std::size_t i = 1; i < e.members.size(); ++i) {
      messages.push_back({e.members.front(), e.members[i], e.bytes});
    }
    std::optional<FlowProcessor>& root = model_.processors[at(e.members.front())];
    const FlowLimits before = root->limits;
    root->limits.sender /= more;
    root->limits.node /= more;
    // Of messages that vary, most end before the last.
    const Timeline played = play_scattered_messages(messages, static_cast<Rank>(platform_.ranks.size()), channels_,
                                                    model_, static_cast<std::uint64_t>(e.members.front()));
    root->limits = before;
    Seconds sum = 0;
    for (const StartedMessage& message : messages) {
      sum += played.finish[at(message.target)];
    }
    return sum / static_cast<double>(messages.size());
  }

  Platform platform_;
  Flow model_;
  ChannelMap channels_;
};

}  // namespace

bool is_between_nodes(const ParameterGroup& group) {
  return !group.scope.is_processor() && group.values.contains("x");
}

const ParameterGroup* processor_group(const ParameterTable& table, int rank) {
  const std::vector<int>& kinds = table.kind_of_rank;
  const ParameterGroup* of_kind = nullptr;
  for (const ParameterGroup& group : table.groups) {
    if (!group.scope.is_processor()) {
      continue;
    }
    if (group.scope.processor == rank) {
      return &group;
    }
    of_kind =
        of_kind == nullptr && !kinds.empty() && kinds[at(group.scope.processor)] == kinds[at(rank)] ? &group : of_kind;
  }
  return of_kind;
}

OwnRates fit_own_rates(const CampaignData& campaign, const Platform& platform, const NetworkStructure& network,
                       const ParameterTable& table) {
  std::vector<OwnRate> rates(platform.nodes.size());
  const Model model = build_model(table, platform.channels);
  OutcastPlayer player(platform, network, *model.target<Flow>());
  for (const Measurement* outcast : largest_outcasts(campaign)) {
    const int root = outcast->experiment.members.front();
    const ParameterGroup* own = processor_group(table, root);
    if (own != nullptr && rate_in(*own) > 0) {
      rates[at(platform.ranks[at(root)].node)] = player.rate_of(*outcast, rate_in(*own));
    }
  }
  return in_classes(with_unshown(rates));
}

double misses_of_outcasts(const CampaignData& campaign, const Platform& platform, const NetworkStructure& network,
                          const ParameterTable& table) {
  const Model model = build_model(table, platform.channels);
  OutcastPlayer player(platform, network, *model.target<Flow>());
  double sum = 0;
  for (const Measurement* outcast : largest_outcasts(campaign)) {
    const double miss = player.miss_of(*outcast);
    sum += miss * miss;
  }
  return sum;
}

void set_own_rates(ParameterTable& table, const Platform& platform, const OwnRates& rates) {
  std::vector<ParameterGroup> own;
  double of_first = 0;
  double most = 0;
  for (std::size_t rank = 0; rank < platform.ranks.size(); ++rank) {
    const ParameterGroup* group = processor_group(table, static_cast<int>(rank));
    const double rate = rates[at(platform.ranks[rank].node)];
    if (group == nullptr || !(rate > 0) || !(rate_in(*group) > 0)) {
      continue;
    }
    const double more = rate / rate_in(*group);
    of_first = of_first > 0 ? of_first : more;
    most = std::max(most, std::abs(more - 1));
    ParameterGroup& changed = own.emplace_back(*group);
    changed.scope.processor = static_cast<int>(rank);
    for (auto& [symbol, value] : changed.values) {
      value = symbol == "B_receive" ? scaled(value, more / of_first) : scaled(value, more);
    }
  }
  if (most < kSame) {
    return;
  }
  const auto is_changed = [&](const ParameterGroup& group) {
    return std::any_of(own.begin(), own.end(), [&](const ParameterGroup& other) { return other.scope == group.scope; });
  };
  std::erase_if(table.groups, is_changed);
  table.groups.insert(table.groups.end(), own.begin(), own.end());
}

}  // namespace postage
