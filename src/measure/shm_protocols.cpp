#include "measure/shm_timer.hpp"

#include <postage/base/error.hpp>
#include <postage/base/statistics.hpp>
#include <postage/measure/shm_protocols.hpp>
#include <postage/platform/topology.hpp>
#include <postage/shm/fork.hpp>

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

namespace postage {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// Half of a ring is the most that one message may take.
constexpr Bytes kMostThroughRing = 32 << 10;
/// Other programs on the cores only add time, so that less than half of the repetitions may be undisturbed.
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

/// Thresholds that send every message by one protocol, as far as it can go there.
ThresholdTable only(ShmProtocol protocol) {
  constexpr Bytes kNever = ProtocolThresholds::kNever;
  const bool single = protocol == ShmProtocol::kSingleCopy || protocol == ShmProtocol::kCooperative;
  return ThresholdTable::uniform({.eager = protocol == ShmProtocol::kEager ? kNever : 0,
                                  .single_copy = single ? 0 : kNever,
                                  .cooperative = protocol == ShmProtocol::kCooperative ? 0 : kNever,
                                  .skewed_single_copy = single ? 0 : kNever,
                                  .bidirectional_single_copy = single ? 0 : kNever,
                                  .pool_window = protocol == ShmProtocol::kBufferedWindow});
}

bool can_take(ShmProtocol protocol, Bytes bytes) {
  return protocol != ShmProtocol::kEager || bytes <= kMostThroughRing;
}

enum class ShmExperiment { kPingPong, kStream, kSendrecv };
constexpr std::array<ShmExperiment, 3> kExperiments{ShmExperiment::kPingPong, ShmExperiment::kStream,
                                                    ShmExperiment::kSendrecv};
constexpr std::array<BufferUse, 2> kBufferUses{BufferUse::kRewritten, BufferUse::kReused};

/// Where the time of one experiment, buffer use, protocol, size and repetition stands among all.
struct TimesLayout {
  std::size_t sizes;
  std::size_t repetitions;

  [[nodiscard]] std::size_t count() const {
    return sizes * repetitions * kShmProtocols.size() * kExperiments.size() * kBufferUses.size();
  }
  [[nodiscard]] std::size_t at(std::size_t size, ShmProtocol protocol, ShmExperiment experiment,
                               BufferUse buffers) const {
    const std::size_t row = size * kShmProtocols.size() + static_cast<std::size_t>(protocol);
    const std::size_t column =
        static_cast<std::size_t>(experiment) * kBufferUses.size() + static_cast<std::size_t>(buffers);
    return (row * kExperiments.size() * kBufferUses.size() + column) * repetitions;
  }
};

/// Repetitions that take about `batch` on a machine of today: the same number on both ranks, whatever they measure.
int repetitions(Bytes bytes, Seconds batch) {
  constexpr Seconds kLeast = 1e-6;
  constexpr double kRate = 10e9;
  return static_cast<int>(std::clamp(batch / (kLeast + static_cast<double>(bytes) / kRate), 2.0, 1000.0));
}

Seconds time_of(ProtocolTimer& timer, ShmExperiment experiment, Bytes bytes, int count, bool rewrites) {
  switch (experiment) {
    case ShmExperiment::kPingPong:
      return timer.ping_pong(bytes, count, rewrites);
    case ShmExperiment::kStream:
      return timer.stream(bytes, count, rewrites);
    case ShmExperiment::kSendrecv:
      break;
  }
  return timer.sendrecv(bytes, count, rewrites);
}

/// Rank 0 records.
void time_protocols(ShmEndpoint& endpoint, const ShmProtocolSettings& settings, const TimesLayout& numbering,
                    std::span<double> times) {
  ProtocolTimer timer(endpoint, settings.sizes);
  const auto time_all = [&](std::size_t size, ShmProtocol protocol, std::optional<std::size_t> repetition) {
    const Bytes bytes = settings.sizes[size];
    endpoint.use_thresholds(only(protocol));
    static_cast<void>(timer.ping_pong(bytes, 1, true));
    for (const ShmExperiment experiment : kExperiments) {
      for (const BufferUse buffers : kBufferUses) {
        const Seconds seconds =
            time_of(timer, experiment, bytes, repetitions(bytes, settings.batch), buffers == BufferUse::kRewritten);
        if (repetition && endpoint.rank() == 0) {
          times[numbering.at(size, protocol, experiment, buffers) + *repetition] = seconds;
        }
      }
    }
  };
  // A repetition that does not count comes first.
  for (std::size_t repetition = 0; repetition <= numbering.repetitions; ++repetition) {
    for (std::size_t size = 0; size < numbering.sizes; ++size) {
      for (const ShmProtocol protocol : kShmProtocols) {
        if (can_take(protocol, settings.sizes[size])) {
          time_all(size, protocol, repetition > 0 ? std::optional(repetition - 1) : std::nullopt);
        }
      }
    }
  }
}

/// Lower quartiles over the repetitions, geometric mean over the experiments.
Seconds combine(std::span<const double> times, const TimesLayout& numbering, std::size_t size, ShmProtocol protocol,
                std::span<const ShmExperiment> experiments, BufferUse buffers) {
  double product = 1;
  for (const ShmExperiment experiment : experiments) {
    const std::size_t at = numbering.at(size, protocol, experiment, buffers);
    product *= quantile(times.subspan(at, numbering.repetitions), kQuartile);
  }
  return std::pow(product, 1.0 / static_cast<double>(experiments.size()));
}

std::vector<ProtocolTimes> table_of(std::span<const double> times, const TimesLayout& numbering,
                                    const std::vector<Bytes>& sizes, std::span<const ShmExperiment> experiments,
                                    BufferUse buffers, bool single_copy) {
  std::vector<ProtocolTimes> table;
  for (std::size_t size = 0; size < sizes.size(); ++size) {
    ProtocolTimes& at = table.emplace_back();
    at.bytes = sizes[size];
    for (const ShmProtocol protocol : kShmProtocols) {
      const bool is_refused =
          !single_copy && (protocol == ShmProtocol::kSingleCopy || protocol == ShmProtocol::kCooperative);
      at.by(protocol) = is_refused || !can_take(protocol, at.bytes)
                            ? kInfinity
                            : combine(times, numbering, size, protocol, experiments, buffers);
    }
  }
  return table;
}

LevelTimes measure_between(const Core& a, const Core& b, const ShmProtocolSettings& settings) {
  const TimesLayout numbering{settings.sizes.size(), static_cast<std::size_t>(settings.repetitions)};
  const SharedNumbers times(numbering.count() + 1);
  double& refused = times.all().back();
  ForkOptions how;
  how.pus = {a.pu, b.pu};
  how.endpoint.warn = [](const std::string&) {};  // the caller says it
  const auto work = [&](ShmEndpoint& endpoint) {
    time_protocols(endpoint, settings, numbering, times.all());
    if (endpoint.connection(1 - endpoint.rank()).single_copy_refused) {
      refused = 1;
    }
    return 0;
  };
  if (run_forked(2, work, how) != 0) {
    throw Error(fmt::format("measuring shared memory between hardware threads {} and {} failed", a.pu, b.pu));
  }
  LevelTimes result{.level = level_between(a, b), .pus = {a.pu, b.pu}, .single_copy = refused == 0};
  const auto traffic = [&](BufferUse buffers) {
    const auto table = [&](std::span<const ShmExperiment> experiments) {
      return table_of(times.all(), numbering, settings.sizes, experiments, buffers, result.single_copy);
    };
    return TrafficTimes{.one_way = table(std::span(kExperiments).first(2)),
                        .bidirectional = table(std::span(kExperiments).last(1))};
  };
  result.rewritten = traffic(BufferUse::kRewritten);
  result.reused = traffic(BufferUse::kReused);
  return result;
}

ShmProtocolSettings with_sizes(ShmProtocolSettings settings) {
  if (settings.sizes.empty()) {
    settings.sizes = parse_sizes("64:4M:x2");
  }
  return settings;
}

}  // namespace

std::vector<LevelTimes> measure_shm_protocols(const ShmProtocolSettings& settings) {
  const std::vector<Core> cores = discover_topology().cores;
  if (cores.size() < 2) {
    throw UsageError("shared-memory protocols are measured between two cores, and this machine lets us use one");
  }
  std::vector<LevelTimes> measured;
  for (const LocalityLevel level : kLocalityLevels) {
    for (std::size_t other = 1; other < cores.size(); ++other) {
      if (level_between(cores.front(), cores[other]) == level) {
        measured.push_back(measure_between(cores.front(), cores[other], with_sizes(settings)));
        break;
      }
    }
  }
  return measured;
}

}  // namespace postage
