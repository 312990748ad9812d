#include <postage/estimate/estimate.hpp>
#include <postage/validate/refinement.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

namespace postage {
namespace {

std::string list_of_sizes(const std::vector<Bytes>& sizes) {
  return sizes.empty() ? "none" : fmt::format("{}", fmt::join(sizes, ","));
}

/// Of the pairs that were measured in full, those of the first so many ranks; all pairs where all were measured.
std::vector<std::string> same_pairs(const SampleSet& samples) {
  if (samples.pair_probes.empty()) {
    return {"--all-pairs"};
  }
  const int ranks = refining_ranks(samples);
  std::set<RankPair> pairs;
  for (const Measurement& m : samples.measurements) {
    const Experiment& e = m.experiment;
    if (e.kind == ExperimentKind::kRoundtrip && e.reply_bytes > 0 && std::max(e.source, e.target) < ranks) {
      pairs.insert(std::minmax(e.source, e.target));
    }
  }
  std::string words;
  for (const auto& [a, b] : pairs) {
    words += fmt::format("{}{}-{}", words.empty() ? "" : ",", a, b);
  }
  return words.empty() ? std::vector<std::string>{"--all-pairs"} : std::vector<std::string>{"--pairs", words};
}

std::vector<std::string> refinements_for(const UnresolvedSizes& sizes) {
  const std::string groups = list_of_sizes(sizes.groups);
  return {"--sizes",
          list_of_sizes(sizes.roundtrips),
          "--overhead-sizes",
          list_of_sizes(sizes.overheads),
          "--concurrent-sizes",
          groups,
          "--fan-sizes",
          groups,
          "--butterfly-sizes",
          groups,
          "--train-sizes",
          "none",
          "--control-sizes",
          "none"};
}

}  // namespace

SampleSet refine_samples(SampleSet samples, const MeasureWords& measure, int most) {
  for (int i = 0; i < most && !samples.interrupted; ++i) {
    const UnresolvedSizes sizes = unresolved_sizes(samples);
    if (sizes.is_empty()) {
      break;
    }
    std::vector<std::string> words = refinements_for(sizes);
    std::ranges::move(same_pairs(samples), std::back_inserter(words));
    SampleSet more = measure(words);
    more.nodes = samples.nodes;
    more.ranks = samples.ranks;
    samples = merge_samples({std::move(samples), std::move(more)});
  }
  return samples;
}

int refining_ranks(const SampleSet& samples) {
  constexpr std::ptrdiff_t kEnough = 8;
  const auto beyond = std::find_if(samples.ranks.begin(), samples.ranks.end(),
                                   [&](const RankPlacement& rank) { return rank.node > 1; });
  const std::ptrdiff_t of_two_hosts = beyond - samples.ranks.begin();
  return static_cast<int>(std::min(std::max(of_two_hosts, kEnough), std::ssize(samples.ranks)));
}

}  // namespace postage
