#include "measure/campaign/probing.hpp"

#include "measure/campaign/control_points.hpp"
#include "measure/messages.hpp"

#include <postage/samples/samples_json.hpp>

#include <algorithm>
#include <array>
#include <iterator>

namespace postage {
namespace {

constexpr std::array<Bytes, 2> kProbedSizes{1, Bytes{64} << 10};
/// Fewer repetitions have no interval of 95 %.
constexpr int kLeastRepetitions = 6;
constexpr int kMostRepetitions = 20;
constexpr double kShareOfBudget = 0.2;
/// Until when pairs whose messages take longer than their part of that are still made on real machines, at least once:
/// those that are not probed are taken for ones of other classes.
constexpr double kMostShareOfBudget = 0.5;
constexpr int kTokenTag = 22;
constexpr int kFinishedTag = 23;

MeasureSettings for_probing(MeasureSettings settings, bool is_virtual) {
  settings.passes = 1;
  settings.warm_up = std::min(settings.warm_up, 1);
  settings.least_repetitions = is_virtual ? std::min(settings.least_repetitions, kLeastRepetitions) : kLeastRepetitions;
  settings.most_repetitions = std::min(settings.most_repetitions, kMostRepetitions);
  settings.keep_values = false;
  return settings;
}

/// A rank's part in probing pairs.
class Prober {
 public:
  Prober(TaskContext& context, const RankPlacements& placements, const MeasureSettings& settings)
      : context_(context),
        placements_(placements),
        hosts_(placements.host_of()),
        settings_(for_probing(settings, context.transport.is_virtual())),
        end_(context.transport.now() + kShareOfBudget * settings.budget),
        last_end_(context.transport.is_virtual() ? end_
                                                 : context.transport.now() + kMostShareOfBudget * settings.budget) {
    for (const Bytes bytes : kProbedSizes) {
      stage_.shapes.push_back({.kind = ExperimentKind::kRoundtrip, .bytes = bytes, .reply_bytes = bytes});
    }
  }

  /// On rank 0 all pairs' times, of those that were made in time.
  PairProbes probe(const std::vector<RankPair>& pairs) {
    std::vector<RankGroup> groups;
    groups.reserve(pairs.size());
    for (const RankPair& pair : pairs) {
      groups.push_back({pair.first, pair.second});
    }
    PairProbes own{.sizes = {kProbedSizes.begin(), kProbedSizes.end()}};
    settings_.serial ? one_after_another(groups, own) : at_the_same_time(groups, own);
    return gathered(own);
  }

 private:
  /// Ranks wait for one another after each set: others of their hosts would disturb the next one's pairs.
  void at_the_same_time(const std::vector<RankGroup>& groups, PairProbes& own) {
    const std::vector<ConcurrentSet> sets = pack_into_sets(groups, hosts_);
    for (std::size_t i = 0; i < sets.size(); ++i) {
      make(sets[i], sets.size() - i, own);
      context_.transport.barrier();
    }
  }

  /// The leader of each pair tells that of the next one when both have finished. Those without further pairs wait: what
  /// they send to rank 0 would disturb the pairs of others.
  void one_after_another(const std::vector<RankGroup>& groups, PairProbes& own) {
    const Rank rank = context_.transport.rank();
    for (std::size_t i = 0; i < groups.size(); ++i) {
      const Rank leader = groups[i].front();
      if (i > 0 && rank == leader && groups[i - 1].front() != leader) {
        context_.transport.receive({}, groups[i - 1].front(), kTokenTag);
      }
      make({groups[i]}, groups.size() - i, own);
      const Rank follower = groups[i].back();
      if (rank == follower) {
        context_.transport.send({}, leader, kFinishedTag);
      } else if (rank == leader) {
        context_.transport.receive({}, follower, kFinishedTag);
      }
      if (i + 1 < groups.size() && rank == leader && groups[i + 1].front() != leader) {
        context_.transport.send({}, groups[i + 1].front(), kTokenTag);
      }
    }
    context_.transport.barrier();
  }

  /// With the time of one of `left` sets; in simulations nobody waits.
  void make(const ConcurrentSet& set, std::size_t left, PairProbes& own) {
    SeriesStore store;
    const Seconds now = context_.transport.now();
    const Seconds share =
        context_.transport.is_virtual() ? settings_.budget : std::max(end_ - now, 0.0) / static_cast<double>(left);
    run_slot(context_, stage_, set, store, {settings_, share, settings_.budget, last_end_, 0, [this] {
                                              return context_.transport.now() > last_end_;
                                            }});
    if (store.series.size() != stage_.shapes.size()) {
      return;
    }
    PairProbe& probe = own.pairs.emplace_back();
    probe.ranks = std::minmax(store.group[0], store.group[1]);
    for (const Experiment& shape : stage_.shapes) {
      const Series& series = store.series.at(shape);
      const Interval interval = series.interval(settings_);
      probe.times.push_back({series.time(), interval.lower, interval.upper});
    }
  }

  PairProbes gathered(const PairProbes& own) {
    PairProbes all{.sizes = own.sizes};
    const std::filesystem::path source = "a rank's probes";
    for (const std::string& text : gather_texts(context_.transport, to_json(own).dump())) {
      const Json received = Json::parse(text);
      PairProbes one = read_pair_probes(JsonField(received, source), placements_.count());
      std::ranges::move(one.pairs, std::back_inserter(all.pairs));
    }
    return all;
  }

  TaskContext& context_;
  const RankPlacements& placements_;
  std::vector<int> hosts_;
  MeasureSettings settings_;
  Seconds end_;
  Seconds last_end_;
  CampaignStage stage_;
};

Json to_json(const std::vector<RankPair>& pairs) {
  Json list = Json::array();
  for (const auto& [a, b] : pairs) {
    list.push_back(a);
    list.push_back(b);
  }
  return list;
}

std::vector<RankPair> read_pairs(const Json& list) {
  std::vector<RankPair> pairs;
  for (std::size_t i = 0; i + 1 < list.size(); i += 2) {
    pairs.emplace_back(static_cast<int>(list[i].integer()), static_cast<int>(list[i + 1].integer()));
  }
  return pairs;
}

Representatives everyone(Rank count) {
  Representatives all;
  for (Rank second = 0; second < count; ++second) {
    for (Rank first = 0; first < second; ++first) {
      all.pairs.emplace_back(first, second);
    }
    all.ranks.push_back(second);
  }
  return all;
}

/// What rank 0 says to all.
Representatives shared(Transport& transport, const Representatives& own) {
  const Json text{{"pairs", to_json(own.pairs)}, {"ranks", Json(std::vector<int>(own.ranks.begin(), own.ranks.end()))}};
  const Json received = Json::parse(share_text(transport, text.dump()));
  Representatives all{read_pairs(received["pairs"]), {}};
  for (const Json& rank : received["ranks"]) {
    all.ranks.push_back(static_cast<Rank>(rank.integer()));
  }
  return all;
}

}  // namespace

std::optional<ProbedRanks> probe_ranks(TaskContext& context, const RankPlacements& placements,
                                       const MeasureSettings& settings) {
  const Rank count = placements.count();
  const bool in_series = settings.serial && !context.transport.is_virtual();
  if (settings.all_pairs || !are_pairs_probed(placements.host_of(), in_series)) {
    return std::nullopt;
  }
  Transport& transport = context.transport;
  const bool is_first = transport.rank() == 0;
  Prober prober(context, placements, settings);
  ProbedRanks found;
  std::vector<RankPair> pairs_first = pairs_to_probe(count);
  std::ranges::move(pairs_of_other_channels(pairs_first, placements.nodes, placements.ranks),
                    std::back_inserter(pairs_first));
  found.probes = prober.probe(pairs_first);
  const double within_nodes = least_difference_within_nodes(transport.is_virtual());
  PairStructure structure;
  if (is_first) {
    structure = find_pair_structure(found.probes, placements.nodes, placements.ranks, within_nodes);
  }
  for (int round = 0; round < most_rounds(count); ++round) {
    const std::vector<RankPair> wanted =
        is_first ? pairs_to_check(count, found.probes.pairs, round) : std::vector<RankPair>{};
    const std::vector<RankPair> pairs = read_pairs(Json::parse(share_text(transport, to_json(wanted).dump())));
    const PairProbes checks = prober.probe(pairs);
    std::array<std::int32_t, 1> surprised{0};
    if (is_first) {
      const std::size_t wrong = surprises(structure, checks.pairs, placements.nodes, placements.ranks, within_nodes);
      surprised[0] = static_cast<double>(wrong) > kMostSurprises * static_cast<double>(checks.pairs.size()) ? 1 : 0;
      found.probes.pairs.insert(found.probes.pairs.end(), checks.pairs.begin(), checks.pairs.end());
      structure = find_pair_structure(found.probes, placements.nodes, placements.ranks, within_nodes);
    }
    agree_on_largest(transport, surprised);
    if (surprised[0] == 0) {
      break;
    }
  }
  found.representatives =
      have_all_pairs_measured(placements.host_of(), in_series)
          ? everyone(count)
          : shared(transport, is_first ? representatives_of(structure, placements.host_of()) : Representatives{});
  return found;
}

}  // namespace postage
