#include <postage/measure/collective_data.hpp>
#include <postage/measure/held_out_draw.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>
#include <utility>

namespace postage {
namespace {

constexpr double kSmallest = 16;
constexpr double kLargest = 1 << 20;
constexpr double kBesidePower = 1.0 / 3;
constexpr double kBesideLimit = 1.0 / 2;
constexpr double kFewRanks = 1.0 / 8;

/// Of the buffers of one rank; in simulations, where all ranks are in one process, of all of them.
constexpr Bytes kMostMemory = Bytes{64} << 20;
/// Simulated messages, of one collective and of all, for each rank.
constexpr Index kMostMessages = 300;
constexpr Index kAllMessages = 1500;

/// An algorithm, whole or in segments.
struct Variant {
  const Algorithm* algorithm;
  bool in_segments;
};

std::vector<Variant> all_variants() {
  std::vector<Variant> variants;
  for (const Algorithm& algorithm : algorithms()) {
    variants.push_back({&algorithm, false});
    if (algorithm.segmentable) {
      variants.push_back({&algorithm, true});
    }
  }
  return variants;
}

/// The largest number of ranks up to `most` that the algorithm can do; at least 2 of a group of 2 or more.
Rank ranks_for(const Algorithm& algorithm, Rank most) {
  while (most > 2 && !can_do(algorithm, most)) {
    --most;
  }
  return most;
}

/// The same on every machine, which the distributions of the standard library are not.
class Drawer {
 public:
  Drawer(Rank ranks, const HeldOutDraw& draw) : all_ranks_(ranks), draw_(draw), random_(draw.seed) {}

  std::vector<CollectiveRun> run() {
    std::vector<CollectiveRun> runs;
    std::vector<Variant> variants;
    while (runs.size() < draw_.count) {
      if (variants.empty()) {
        variants = shuffled();
      }
      runs.push_back(draw(variants.back()));
      variants.pop_back();
    }
    return runs;
  }

 private:
  double unit() { return static_cast<double>(random_() >> 11U) * 0x1p-53; }
  std::uint64_t below(std::uint64_t end) { return random_() % end; }

  std::vector<Variant> shuffled() {
    std::vector<Variant> variants = all_variants();
    for (std::size_t left = variants.size(); left > 1; --left) {
      std::swap(variants[left - 1], variants[below(left)]);
    }
    return variants;
  }

  double magnitude(double least, double most) { return least * std::exp2(unit() * std::log2(most / least)); }

  /// Of any magnitude, many of them round; or at a power of two, or a byte beside.
  Bytes draw_size() {
    constexpr int kLeastPower = 11;
    constexpr int kPowers = 8;
    if (!draw_.limits.empty() && unit() < kBesideLimit) {
      const Bytes limit = draw_.limits[below(draw_.limits.size())];
      return std::max<Bytes>(limit - 1 + static_cast<Bytes>(below(3)), 1);
    }
    if (draw_.limits.empty() && unit() < kBesidePower) {
      const Bytes power = Bytes{1} << (kLeastPower + static_cast<int>(below(kPowers)));
      return power - 1 + static_cast<Bytes>(below(3));
    }
    const double size = magnitude(kSmallest, kLargest);
    const bool is_round = unit() < 0.5;
    return is_round ? Bytes{1} << std::lround(std::log2(size)) : static_cast<Bytes>(size);
  }

  CollectiveRun draw(const Variant& variant) {
    const Algorithm& algorithm = *variant.algorithm;
    CollectiveRun run{.collective = algorithm.collective, .algorithm = std::string(algorithm.name)};
    run.bytes = run.collective == Collective::kBarrier ? 0 : draw_size();
    if (variant.in_segments && run.bytes >= 256) {
      run.segment_bytes =
          static_cast<Bytes>(magnitude(static_cast<double>(run.bytes) / 64, static_cast<double>(run.bytes) / 2));
    }
    const auto few = static_cast<Rank>(2 + below(static_cast<std::uint64_t>(all_ranks_ - 1)));
    run.ranks = ranks_for(algorithm, unit() < kFewRanks ? few : all_ranks_);
    const std::uint64_t root = random_();
    while (run.ranks > 2 && !is_affordable(run)) {
      run.ranks = ranks_for(algorithm, std::max(run.ranks * 3 / 4, 2));
    }
    run.root = has_root(run.collective) ? static_cast<Rank>(root % static_cast<std::uint64_t>(run.ranks)) : 0;
    messages_ += traffic_of(schedule_of(run, run.ranks)).messages;
    return run;
  }

  [[nodiscard]] bool is_affordable(const CollectiveRun& run) const {
    const Schedule schedule = schedule_of(run, run.ranks);
    const bool of_pairs = run.collective == Collective::kAlltoall;
    const Bytes of_a_rank = of_pairs ? schedule.layout.total() / run.ranks : schedule.layout.total();
    if (!draw_.is_virtual) {
      return of_a_rank <= kMostMemory;
    }
    const Index messages = traffic_of(schedule).messages;
    return of_a_rank * run.ranks <= kMostMemory && messages <= kMostMessages * all_ranks_ &&
           messages_ + messages <= kAllMessages * all_ranks_;
  }

  Rank all_ranks_;
  const HeldOutDraw& draw_;
  std::mt19937_64 random_;
  Index messages_ = 0;  ///< of what is drawn
};

}  // namespace

std::vector<CollectiveRun> draw_held_out(Rank ranks, const HeldOutDraw& draw) {
  return ranks < 2 ? std::vector<CollectiveRun>{} : Drawer(ranks, draw).run();
}

}  // namespace postage
