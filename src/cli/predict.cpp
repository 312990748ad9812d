#include "cli/commands.hpp"
#include "cli/job.hpp"
#include "cli/table.hpp"

#include <postage/base/error.hpp>
#include <postage/predict/timeline.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace postage {
namespace {

struct Row {
  std::string collective;
  std::string algorithm;
  Rank ranks = 0;
  Bytes bytes = 0;
  Bytes segment = 0;
  std::string model;
  Prediction prediction;
  bool extrapolated = false;
};

/// True where the model was not fitted to messages of this size. Parameters by hand have no fit.
bool is_extrapolated(const ParameterTable& table, Bytes bytes) {
  return table.fit.points > 0 && (bytes < table.fit.smallest || bytes > table.fit.largest);
}

std::vector<Bytes> sizes_of(const JobOptions& options) {
  if (options.sizes.empty()) {
    if (options.collective == "barrier") {
      return {0};
    }
    throw UsageError("no size: give -m SIZE, like -m 64K or -m 1K:1M:x2");
  }
  return parse_sizes(options.sizes);
}

std::vector<Row> predict_messages(const JobOptions& options, const JobPlatform& platform) {
  const auto limit = platform.map.is_single() ? std::numeric_limits<Rank>::max()
                                              : static_cast<Rank>(platform.map.mapping().capacity());
  if (options.source < 0 || options.target < 0 || options.source >= limit || options.target >= limit ||
      options.source == options.target) {
    throw UsageError(fmt::format("--src {} and --dst {} must be two different ranks from 0 to {}", options.source,
                                 options.target, limit - 1));
  }
  std::vector<Row> rows;
  for (const Bytes bytes : sizes_of(options)) {
    for (const ParameterTable& table : platform.tables) {
      rows.push_back({"p2p", "", 2, bytes, 0, table.model,
                      predict_message(options.source, options.target, bytes, platform.map, table, platform.channels),
                      is_extrapolated(table, bytes)});
    }
  }
  return rows;
}

std::vector<Row> predict_collective(const JobOptions& options, const JobPlatform& platform) {
  const Collective collective = parse_collective(options.collective);
  std::vector<Row> rows;
  for (const Bytes bytes : sizes_of(options)) {
    for (const Algorithm* algorithm : resolve_algorithms(options, collective)) {
      const Bytes segment = algorithm->segmentable ? parse_bytes(options.segment) : 0;
      const Schedule schedule = build_schedule(
          *algorithm, {.ranks = options.ranks, .root = options.root, .bytes = bytes, .segment_bytes = segment});
      for (const ParameterTable& table : platform.tables) {
        rows.push_back({options.collective, std::string(algorithm->name), options.ranks, bytes, segment, table.model,
                        predict(schedule, platform.map, table, platform.channels),
                        is_extrapolated(table, segment > 0 ? std::min(segment, bytes) : bytes) && bytes > 0});
      }
    }
  }
  return rows;
}

nlohmann::json to_json(const Row& row) {
  return {{"collective", row.collective},
          {"algorithm", row.algorithm},
          {"P", row.ranks},
          {"bytes", row.bytes},
          {"segment", row.segment},
          {"model", row.model},
          {"seconds", row.prediction.seconds},
          {"lower", row.prediction.lower},
          {"upper", row.prediction.upper},
          {"extrapolated", row.extrapolated}};
}

void print_rows(const std::vector<Row>& rows) {
  using Align = Table::Align;
  Table table({{"collective"},
               {"algorithm"},
               {"P", Align::kRight},
               {"size", Align::kRight},
               {"segment", Align::kRight},
               {"model"},
               {"time", Align::kRight},
               {"lower", Align::kRight},
               {"upper", Align::kRight},
               {""}});
  bool any_extrapolated = false;
  for (const Row& row : rows) {
    any_extrapolated = any_extrapolated || row.extrapolated;
    table.add_row({row.collective, row.algorithm, std::to_string(row.ranks), format_bytes(row.bytes),
                   row.segment > 0 ? format_bytes(row.segment) : "-", row.model, format_seconds(row.prediction.seconds),
                   format_seconds(row.prediction.lower), format_seconds(row.prediction.upper),
                   row.extrapolated ? "*" : ""});
  }
  fmt::print("{}", table.render(output_width()));
  if (any_extrapolated) {
    fmt::print("* extrapolated: messages of this size were not measured\n");
  }
}

void run(JobOptions options) {
  const JobPlatform platform = resolve_platform(options);
  if (options.ranks == 0 && !platform.map.is_single()) {
    options.ranks = static_cast<Rank>(platform.map.mapping().capacity());
  } else if (options.ranks == 0 && options.collective != "p2p") {
    throw UsageError("no number of ranks: give -P N");
  }
  const std::vector<Row> rows =
      options.collective == "p2p" ? predict_messages(options, platform) : predict_collective(options, platform);
  if (options.json) {
    nlohmann::json list = nlohmann::json::array();
    for (const Row& row : rows) {
      list.push_back(to_json(row));
    }
    fmt::print("{}\n", list.dump(1));
  } else {
    print_rows(rows);
  }
}

}  // namespace

void add_predict_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("predict", "Predict the time of a collective or a message");
  const auto options = std::make_shared<JobOptions>();
  add_job_options(*command, *options);
  command->footer(
      "Examples:\n"
      "  postage predict bcast --platform platform.json -m 1K:1M:x4\n"
      "  postage predict bcast --algorithm binomial -P 64 -m 64K --model loggp --params L=5us,o=1us,g=2us,G=1ns\n"
      "  postage predict p2p --src 0 --dst 1 -m 64K --platform platform.json");
  command->callback([options] { run(*options); });
}

}  // namespace postage
