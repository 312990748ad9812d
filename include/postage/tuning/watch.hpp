#pragma once

#include <postage/base/json.hpp>
#include <postage/samples/samples.hpp>

#include <cstddef>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace postage {

/// A machine as it was when it was well: the same small campaign, several times.
struct Baseline {
  std::vector<SampleSet> runs;  ///< at least one, of the same ranks
};

inline constexpr int kBaselineVersion = 1;
inline constexpr const char* kBaselineFormat = "postage-baseline";

[[nodiscard]] Json to_json(const Baseline& baseline);
/// Throws Error naming `source` and the first field that is missing or wrong.
[[nodiscard]] Baseline baseline_from_json(const Json& value, const std::filesystem::path& source);
[[nodiscard]] Baseline read_baseline(const std::filesystem::path& path);

/// The campaign, as arguments of a measuring program: messages of small, middle and large sizes, and the library's
/// collectives.
[[nodiscard]] std::vector<std::string> watch_experiments();

/// What has changed where times have.
enum class Layer {
  kPlacement,  ///< ranks are on other hosts or cores, or over other channels
  kLatency,    ///< small messages over a channel
  kProtocol,   ///< messages of middle sizes: the eager limit, or what comes after it
  kRate,       ///< large messages over a channel
  kAlgorithm,  ///< a collective, beyond what its messages' change explains
};

/// "placement", "latency", "eager limit", "rate", "algorithm".
[[nodiscard]] std::string_view name_of(Layer layer);

/// What the times of one layer say together.
struct LayerState {
  Layer layer = Layer::kLatency;
  std::string where;            ///< "inter-node", "allreduce, small", or what is placed differently
  std::size_t experiments = 0;  ///< that it was found by
  /// Time now over time then: the median over the experiments of the medians over the runs.
  double factor = 1;
  /// How far each of the baseline's runs is from the others, as a standard deviation of the factor's logarithm (1.4826
  /// times the median, which does not feel one bad run): the mean of this layer's and of the median layer's.
  double spread = 0;
  /// Slower, or faster, by more than the tolerance and more than three times the spread.
  bool slower = false;
  bool faster = false;
};

/// Compares runs with a baseline.
class Watch {
 public:
  /// `tolerance`: how much slower, as a share, is no change. O(experiments * runs^2).
  Watch(Baseline baseline, double tolerance);

  /// Every layer, worst first; those of another placement before all others. A collective's factor is what remains of
  /// it beside the worst of the factors of the messages' layers, so that a slower network is not blamed on the library.
  /// Experiments that only one side has are left out. Throws Error where the number of ranks differs. O(experiments *
  /// runs).
  [[nodiscard]] std::vector<LayerState> compare(std::span<const SampleSet> runs) const;

 private:
  Baseline baseline_;
  double tolerance_;
  std::map<Experiment, Seconds> medians_;
  std::map<std::pair<Layer, std::string>, double> spreads_;
};

/// One run that deviates is not believed: so much of the tolerance is a reason to measure twice more.
inline constexpr double kSuspicious = 0.5;

/// True where the runs should be repeated: some layer is slower by kSuspicious of the tolerance.
[[nodiscard]] bool is_suspicious(const std::vector<LayerState>& layers, double tolerance);

[[nodiscard]] Json to_json(const LayerState& state);

}  // namespace postage
