#include <postage/samples/benchmark_tables.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace postage {
namespace {

/// What a table of OSU's is of: its heading, and the ranks and level below it.
struct TableKey {
  int order = 0;
  std::string heading{};
  std::string remark{};
  auto operator<=>(const TableKey&) const = default;
};

struct TimedSize {
  const Measurement* measurement = nullptr;
  double share = 1;  ///< of the measured time
};

std::string collective_heading(const std::string& name) {
  static const std::map<std::string, std::string> titles{{"bcast", "Broadcast"}, {"reduce_scatter", "Reduce_scatter"}};
  const auto found = titles.find(name);
  std::string title = found == titles.end() ? name : found->second;
  title.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(title.front())));
  return fmt::format("# OSU MPI {} Latency Test", title);
}

/// Roundtrips, trains and collectives; nothing for what OSU has no benchmark for.
std::map<TableKey, std::map<Bytes, TimedSize>> tables_of(const SampleSet& samples) {
  std::map<TableKey, std::map<Bytes, TimedSize>> tables;
  for (const Measurement& m : samples.measurements) {
    const Experiment& e = m.experiment;
    if (e.kind == ExperimentKind::kCollective && e.steps == 0) {
      const std::string segments =
          e.segment_bytes > 0 ? fmt::format(", segments of {}", format_bytes(e.segment_bytes)) : "";
      tables[{3, collective_heading(e.collective), fmt::format("# {} {}{}", e.collective, e.algorithm, segments)}]
            [e.bytes] = {&m, 1};
      continue;
    }
    const bool is_roundtrip = e.kind == ExperimentKind::kRoundtrip && e.bytes == e.reply_bytes;
    const bool is_train = e.kind == ExperimentKind::kTrain && e.delay == 0 && e.bytes > 0;
    if (is_roundtrip || is_train) {
      const auto rank = [&](std::int32_t number) { return samples.ranks[static_cast<std::size_t>(number)]; };
      const std::string pair = fmt::format("# ranks {} and {}, {}", e.source, e.target,
                                           channel_of(samples.nodes, rank(e.source), rank(e.target)));
      const TableKey key =
          is_roundtrip ? TableKey{1, "# OSU MPI Latency Test", pair} : TableKey{2, "# OSU MPI Bandwidth Test", pair};
      tables[key][e.bytes] = {&m, is_roundtrip ? 0.5 : 1};
    }
  }
  return tables;
}

std::vector<double> times_of(const Measurement& measurement) {
  std::vector<double> times;
  for (const std::vector<double>& pass : measurement.passes) {
    times.insert(times.end(), pass.begin(), pass.end());
  }
  return times.empty() ? std::vector<double>{measurement.summary.median} : times;
}

std::string latency_line(Bytes bytes, const TimedSize& timed) {
  const std::vector<double> times = times_of(*timed.measurement);
  const double scale = timed.share * 1e6;
  return fmt::format("{:<10}{:>18.3f}{:>18.3f}{:>18.3f}{:>18.3f}\n", bytes, mean(times) * scale,
                     quantile(times, 0.5) * scale, quantile(times, 0.9) * scale, quantile(times, 0.99) * scale);
}

std::string bandwidth_line(Bytes bytes, const TimedSize& timed) {
  const double sent = static_cast<double>(bytes) * timed.measurement->experiment.messages;
  return fmt::format("{:<10}{:>18.3f}\n", bytes, sent / mean(times_of(*timed.measurement)) / 1e6);
}

}  // namespace

std::string osu_text(const SampleSet& samples, std::string_view version) {
  std::string text;
  for (const auto& [key, sizes] : tables_of(samples)) {
    const bool is_bandwidth = key.order == 2;
    text += fmt::format("{}{} v{}\n{}\n", text.empty() ? "" : "\n", key.heading, version, key.remark);
    text += is_bandwidth ? fmt::format("{:<10}{:>18}\n", "# Size", "Bandwidth (MB/s)")
                         : fmt::format("{:<10}{:>18}{:>18}{:>18}{:>18}\n", "# Size", "Avg Latency(us)",
                                       "P50 Tail Lat(us)", "P90 Tail Lat(us)", "P99 Tail Lat(us)");
    for (const auto& [bytes, timed] : sizes) {
      text += is_bandwidth ? bandwidth_line(bytes, timed) : latency_line(bytes, timed);
    }
  }
  return text;
}

}  // namespace postage
