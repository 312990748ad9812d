#include <postage/base/error.hpp>
#include <postage/base/statistics.hpp>
#include <postage/measure/shm_protocols.hpp>
#include <postage/platform/topology.hpp>
#include <postage/shm/fork.hpp>

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <limits>

namespace postage {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int kWindow = 64;
/// A window of large messages has fewer of them, so that it takes milliseconds rather than seconds.
constexpr Bytes kMostInWindow = Bytes{16} << 20;
constexpr int kTag = 1;
/// Half of a ring is the most that one message may take (endpoint.cpp).
constexpr Bytes kMostThroughRing = 32 << 10;
/// Other programs on the cores only add time, so that less than half of the rounds may be undisturbed.
constexpr double kQuartile = 0.25;

/// Memory that forked processes share with their parent, all zero at first.
class SharedNumbers {
 public:
  explicit SharedNumbers(std::size_t count) : bytes_(count * sizeof(double)), count_(count) {
    void* memory = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
      throw Error(fmt::format("cannot share {} bytes with a child process ({})", bytes_, std::strerror(errno)));
    }
    first_ = static_cast<double*>(memory);
  }
  ~SharedNumbers() { munmap(first_, bytes_); }
  SharedNumbers(const SharedNumbers&) = delete;
  SharedNumbers& operator=(const SharedNumbers&) = delete;

  [[nodiscard]] std::span<double> all() const { return {first_, count_}; }

 private:
  std::size_t bytes_;
  std::size_t count_;
  double* first_ = nullptr;
};

/// Thresholds that send every message one way, as far as it can go there.
ThresholdTable only(ShmProtocol way) {
  constexpr Bytes kNever = ProtocolThresholds::kNever;
  ProtocolThresholds forced{.eager = kNever, .single_copy = kNever, .joint_copy = kNever, .skewed_single_copy = kNever};
  if (way != ShmProtocol::kRing) {
    forced.eager = 0;
  }
  if (way == ShmProtocol::kSingleCopy || way == ShmProtocol::kJointCopy) {
    forced.single_copy = forced.skewed_single_copy = 0;
  }
  if (way == ShmProtocol::kJointCopy) {
    forced.joint_copy = 0;
  }
  return ThresholdTable::uniform(forced);
}

bool can_take(ShmProtocol way, Bytes bytes) {
  return way != ShmProtocol::kRing || bytes <= kMostThroughRing;
}

/// One of two ranks that send each other messages.
class WayTimer {
 public:
  WayTimer(ShmEndpoint& channel, Bytes largest)
      : channel_(channel),
        out_(static_cast<std::size_t>(largest), std::byte{1}),
        in_(static_cast<std::size_t>(largest), std::byte{2}) {}

  /// Seconds one way; both ranks call it.
  [[nodiscard]] Seconds ping_pong(Bytes bytes, int rounds, bool fresh) {
    const auto size = static_cast<std::size_t>(bytes);
    const Seconds begin = now();
    for (int i = 0; i < rounds; ++i) {
      if (channel_.rank() == 0) {
        send(size, fresh);
        receive(size);
      } else {
        receive(size);
        send(size, fresh);
      }
    }
    return (now() - begin) / (2 * rounds);
  }

  /// Seconds from one message to the next, in windows that rank 1 acknowledges.
  [[nodiscard]] Seconds stream(Bytes bytes, int rounds) {
    const auto size = static_cast<std::size_t>(bytes);
    const int window = static_cast<int>(std::clamp<Bytes>(kMostInWindow / bytes, 4, kWindow));
    const Seconds begin = now();
    for (int i = 0; i < std::max(rounds / window, 1); ++i) {
      for (int k = 0; k < window; ++k) {
        requests_.push_back(channel_.rank() == 0 ? channel_.start_send(std::span(out_).first(size), 1, kTag)
                                                 : channel_.start_receive(std::span(in_).first(size), 0, kTag));
      }
      channel_.wait_all(requests_);
      requests_.clear();
      if (channel_.rank() == 0) {
        receive(0);
      } else {
        send(0, false);
      }
    }
    return (now() - begin) / (std::max(rounds / window, 1) * window);
  }

 private:
  [[nodiscard]] static Seconds now() {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return static_cast<Seconds>(time.tv_sec) + 1e-9 * static_cast<Seconds>(time.tv_nsec);
  }
  void send(std::size_t bytes, bool fresh) {
    if (fresh) {
      std::memset(out_.data(), ++written_, bytes);
    }
    channel_.send(std::span(out_).first(bytes), 1 - channel_.rank(), kTag);
  }
  void receive(std::size_t bytes) { channel_.receive(std::span(in_).first(bytes), 1 - channel_.rank(), kTag); }

  ShmEndpoint& channel_;
  std::vector<std::byte> out_;
  std::vector<std::byte> in_;
  std::vector<ShmRequest> requests_;
  int written_ = 0;
};

constexpr std::size_t kExperiments = 3;

/// Where the time of one experiment, way, size and round stands among all.
struct Numbering {
  std::size_t sizes;
  std::size_t rounds;

  [[nodiscard]] std::size_t count() const { return sizes * rounds * kChannelWays.size() * kExperiments; }
  [[nodiscard]] std::size_t at(std::size_t size, ShmProtocol way, std::size_t experiment) const {
    return ((size * kChannelWays.size() + static_cast<std::size_t>(way)) * kExperiments + experiment) * rounds;
  }
};

/// Repetitions that take about `batch` on a machine of today: the same number on both ranks, whatever they measure.
int repetitions(Bytes bytes, Seconds batch) {
  constexpr Seconds kLeast = 1e-6;
  constexpr double kRate = 10e9;
  return static_cast<int>(std::clamp(batch / (kLeast + static_cast<double>(bytes) / kRate), 2.0, 1000.0));
}

void time_ways(ShmEndpoint& channel, const ThresholdSettings& settings, const Numbering& numbering,
               std::span<double> times) {
  WayTimer timer(channel, settings.sizes.back());
  const bool records = channel.rank() == 0;
  // A round that does not count comes first.
  for (std::size_t round = 0; round <= numbering.rounds; ++round) {
    for (std::size_t size = 0; size < numbering.sizes; ++size) {
      const Bytes bytes = settings.sizes[size];
      const int count = repetitions(bytes, settings.batch);
      for (const ShmProtocol way : kChannelWays) {
        if (!can_take(way, bytes)) {
          continue;
        }
        channel.use_thresholds(only(way));
        static_cast<void>(timer.ping_pong(bytes, 1, true));
        const std::array<Seconds, kExperiments> measured{
            timer.ping_pong(bytes, count, false), timer.ping_pong(bytes, count, true), timer.stream(bytes, count)};
        for (std::size_t experiment = 0; records && round > 0 && experiment < kExperiments; ++experiment) {
          times[numbering.at(size, way, experiment) + round - 1] = measured[experiment];
        }
      }
    }
  }
}

/// Lower quartiles over the rounds, geometric mean over the experiments.
Seconds combine(std::span<const double> times, const Numbering& numbering, std::size_t size, ShmProtocol way) {
  double product = 1;
  for (std::size_t experiment = 0; experiment < kExperiments; ++experiment) {
    product *= quantile(times.subspan(numbering.at(size, way, experiment), numbering.rounds), kQuartile);
  }
  return std::pow(product, 1.0 / kExperiments);
}

MeasuredDistance measure_between(const Core& a, const Core& b, const ThresholdSettings& settings) {
  const Numbering numbering{settings.sizes.size(), static_cast<std::size_t>(settings.rounds)};
  const SharedNumbers times(numbering.count() + 1);
  double& refused = times.all().back();
  ForkOptions how;
  how.pus = {a.pu, b.pu};
  how.channel.warn = [](const std::string&) {};  // it is told from what was measured
  const auto work = [&](ShmEndpoint& channel) {
    time_ways(channel, settings, numbering, times.all());
    if (channel.connection(1 - channel.rank()).single_copy_refused) {
      refused = 1;
    }
    return 0;
  };
  if (run_forked(2, work, how) != 0) {
    throw Error(fmt::format("measuring the channel between hardware threads {} and {} failed", a.pu, b.pu));
  }
  MeasuredDistance result{.distance = distance_between(a, b), .pus = {a.pu, b.pu}, .single_copy = refused == 0};
  for (std::size_t size = 0; size < settings.sizes.size(); ++size) {
    WayTimes& at = result.times.emplace_back();
    at.bytes = settings.sizes[size];
    for (const ShmProtocol way : kChannelWays) {
      const bool is_closed = (way == ShmProtocol::kSingleCopy || way == ShmProtocol::kJointCopy) && !result.single_copy;
      at.by(way) = is_closed || !can_take(way, at.bytes) ? kInfinity : combine(times.all(), numbering, size, way);
    }
  }
  result.thresholds = choose_thresholds(result.times, SegmentOptions{}.pool_bytes);
  return result;
}

ThresholdSettings with_sizes(ThresholdSettings settings) {
  if (settings.sizes.empty()) {
    settings.sizes = parse_sizes("64:4M:x2");
  }
  return settings;
}

}  // namespace

std::vector<MeasuredDistance> measure_channel_thresholds(const ThresholdSettings& settings) {
  const std::vector<Core> cores = discover_topology().cores;
  if (cores.size() < 2) {
    throw UsageError("the channel's thresholds are measured between two cores, and this machine lets us use one");
  }
  std::vector<MeasuredDistance> measured;
  for (const LocalityLevel distance : kLocalityLevels) {
    for (std::size_t other = 1; other < cores.size(); ++other) {
      if (distance_between(cores.front(), cores[other]) == distance) {
        measured.push_back(measure_between(cores.front(), cores[other], with_sizes(settings)));
        break;
      }
    }
  }
  return measured;
}

}  // namespace postage
