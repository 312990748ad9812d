#pragma once

#include <postage/platform/levels.hpp>
#include <postage/samples/samples.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace postage {

/// A table that another benchmark printed, by message size.
struct BenchmarkTable {
  enum class Kind {
    kLatency,    ///< seconds one way of one message: osu_latency, IMB PingPong
    kBandwidth,  ///< bytes per second of kWindow messages after one another: osu_bw
    kOther,      ///< anything else, of which nothing is estimated
  };
  struct Row {
    Bytes bytes = 0;
    double value = 0;
    double rounding = 0;  ///< half a unit of the last digit that was printed
    bool operator==(const Row&) const = default;
  };

  /// Messages that osu_bw sends before it waits for a reply.
  static constexpr int kWindow = 64;

  std::string name;  ///< as it calls itself: "OSU MPI Latency Test", "IMB PingPong"
  Kind kind = Kind::kOther;
  std::string source;  ///< the file
  std::vector<Row> rows{};
};

/// What the OSU micro-benchmarks print ("# OSU MPI Latency Test v7.4", then lines of a size and a value), one table or
/// several. Lines that start with no digit are passed over. `source` names the text in messages. Throws UsageError
/// naming the line that cannot be read, and where there is no table.
[[nodiscard]] std::vector<BenchmarkTable> parse_osu(std::string_view text, const std::string& source);

/// The same of what the Intel MPI Benchmarks print ("# Benchmarking PingPong").
[[nodiscard]] std::vector<BenchmarkTable> parse_imb(std::string_view text, const std::string& source);

/// A table of messages between two ranks over a level.
struct LevelTable {
  std::string level;
  BenchmarkTable table;
};

/// The tables as samples of two nodes with the cores that `levels` give each: a roundtrip for each size of the
/// latencies and, where a level has bandwidths too, a train, known as closely as they were printed. `remarks` name
/// tables that are of no use. `levels` name built-in channels, the last one inter-node. Throws UsageError where a level
/// has no latencies, or is none of `levels`.
[[nodiscard]] SampleSet samples_of(const std::vector<LevelTable>& tables, const std::vector<ChannelLevel>& levels);

/// What was measured in the shape of OSU's tables, with percentiles (osu_latency -z): latencies and bandwidths of each
/// pair of ranks, and collectives; of all repetitions where the samples keep them. `version` stands in OSU's place.
[[nodiscard]] std::string osu_text(const SampleSet& samples, std::string_view version);

}  // namespace postage
