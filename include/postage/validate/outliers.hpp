#pragma once

#include <postage/platform/platform.hpp>
#include <postage/samples/samples.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace postage {

/// What one message takes between two hosts, or within one, one way.
struct HostPairTime {
  int first = 0;  ///< indices into HostPairTimes::hosts
  int second = 0;
  std::string channel;
  Bytes bytes = 0;
  Estimate time;  ///< seconds
};

/// What is known of a platform's pairs of hosts.
struct HostPairTimes {
  std::vector<std::string> hosts;
  std::optional<NetworkStructure> network{};
  std::vector<HostPairTime> times{};
};

/// The measured points of a platform file: of many pairs that are alike it holds a few only.
[[nodiscard]] HostPairTimes host_pair_times(const Platform& platform);
/// All roundtrips of a campaign, those that tell which pairs are alike among them.
[[nodiscard]] HostPairTimes host_pair_times(const SampleSet& samples);

struct OutlierSettings {
  double least = 0.05;         ///< slower by less than this share is none
  double false_alarms = 5e-3;  ///< probability of any on a platform where all are alike
};

/// Something that is slower than those that should be as fast.
struct Outlier {
  enum class Kind {
    kHost,   ///< every message to and from it, or within it: its processors, its network card or its cable
    kGroup,  ///< every message into and out of a group of hosts: its switch or the switch's cables
    kPair,   ///< messages between two hosts, though neither is slow otherwise: the cables between them
  };
  Kind kind = Kind::kHost;
  std::vector<std::string> names;  ///< of the host, the group or both hosts
  bool is_inside = false;          ///< messages within the host
  Bytes smallest = 0;              ///< sizes at which it was slow
  Bytes largest = 0;
  Estimate slower;         ///< 0.2: its messages take 20 % longer; 95 % interval
  std::size_t pairs = 0;   ///< of hosts, that it was seen on
  std::size_t others = 0;  ///< pairs that it was compared with
  Seconds usual = 0;       ///< what messages of the largest size take between others, median
};

struct OutlierReport {
  std::vector<Outlier> outliers;        ///< the clearest first
  std::vector<std::string> untested{};  ///< hosts that fewer than two pairs or too few others tell of
  std::size_t pairs = 0;                ///< of hosts, that were measured
  bool too_many = false;                ///< more than a quarter of the hosts seem slow: they are another kind of hosts
};

/// Names what is slower than others of its class: pairs over the same channel whose hosts meet on the same level of the
/// network, or are as many steps apart in a torus.
///
/// Times are compared by their logarithms, over small messages (at most twice as long as the smallest) and over larger
/// ones. A host's figure is by how much the median over its pairs is above that of the pairs without it; its
/// uncertainty follows from the scatter (median absolute deviation) of pairs about these medians, from the pairs' own
/// intervals, and from how much the hosts' figures scatter. The same is done of each group of hosts and of each pair.
/// What is clearest beyond Student's t, with Bonferroni's correction for all that are tested, is taken first; its pairs
/// are corrected by it, and the rest is tested again. A single pair must also be beyond what the tail of the other
/// pairs lets expect, as if that were exponential, since a few repetitions that were disturbed make pairs look slow.
///
/// O(outliers * candidates * pairs). Throws UsageError where there are fewer than four hosts to compare.
[[nodiscard]] OutlierReport find_outliers(const HostPairTimes& times, const OutlierSettings& settings = {});

/// "host h7", "group s1", "between h3 and h9".
[[nodiscard]] std::string describe(const Outlier& outlier);

}  // namespace postage
