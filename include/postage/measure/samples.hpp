#pragma once

#include <postage/base/statistics.hpp>
#include <postage/base/units.hpp>
#include <postage/platform/platform.hpp>

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace postage {

/// What was timed. Fields that a kind does not use keep their defaults and are not written.
struct Experiment {
  /// "roundtrip": source sends `bytes`, target replies `reply_bytes`; value = time at the source.
  /// "train": source sends `messages` messages of `bytes` back to back with `delay` seconds between their
  ///          starts' overheads, target replies 0 bytes after the last; value = time at the source (PRTT(n, d, s)).
  /// "send-overhead": the time that one of a short train of sends keeps the source.
  /// "delayed-receive": the time of a receive posted after the message is certainly there.
  /// "collective": an algorithm run by postage's executor; value = the time of its slowest rank.
  std::string kind;
  std::int32_t source = 0;
  std::int32_t target = 0;
  Bytes bytes = 0;
  Bytes reply_bytes = 0;
  int messages = 1;
  Seconds delay = 0;
  std::string collective;
  std::string algorithm;
  Bytes segment_bytes = 0;
  std::int32_t root = 0;
  std::int32_t ranks = 0;
  /// How a collective was timed: "global-clock" or "barrier".
  std::string method;
  bool operator==(const Experiment&) const = default;
};

/// One experiment, repeated.
struct Measurement {
  Experiment experiment;
  Summary summary;             ///< seconds
  bool precise = false;        ///< the interval met the precision asked for before the budget ended
  std::vector<double> values;  ///< every repetition in order; empty unless they were asked for
};

/// How measurements were made.
struct MeasureSettings {
  double precision = 0.025;  ///< half width of the interval over the median
  double confidence = 0.95;
  Seconds budget = 30;  ///< for the whole campaign
  int warm_up = 5;      ///< unrecorded repetitions of each experiment
  int least_repetitions = 8;
  int most_repetitions = 5000;
  bool keep_values = false;
  bool operator==(const MeasureSettings&) const = default;
};

/// Everything that one campaign saw: the file between measuring and estimating.
struct SampleSet {
  std::string implementation;
  bool is_virtual = false;
  std::string created;
  MeasureSettings settings;
  /// The hosts, in order of their first rank, with the topology that a rank on each of them saw (under a simulator: as
  /// many cores as ranks, in one socket).
  std::vector<Node> nodes;
  std::vector<RankPlace> ranks;
  std::vector<Measurement> measurements;
  /// Of the intra-node channel, where that is what was measured.
  std::vector<MeasuredThresholds> channel_thresholds{};
};

inline constexpr int kSamplesVersion = 1;
inline constexpr const char* kSamplesFormat = "postage-samples";

[[nodiscard]] nlohmann::json to_json(const SampleSet& samples);
/// Throws Error naming `source` and the first field that is missing or wrong.
[[nodiscard]] SampleSet samples_from_json(const nlohmann::json& value, const std::filesystem::path& source);

}  // namespace postage
