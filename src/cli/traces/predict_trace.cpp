#include "cli/traces/predict_trace.hpp"

#include "cli/table.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/base/json.hpp>
#include <postage/predict/traces/goal.hpp>
#include <postage/predict/traces/play_trace.hpp>
#include <postage/predict/traces/recording.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>

namespace postage {
namespace {

/// A file for each rank, and the list of them that smpirun takes, as smpirun -trace-ti writes them.
void write_smpi_trace(const std::filesystem::path& list, const Recording& recording) {
  const std::filesystem::path folder = std::filesystem::absolute(list).concat("_files");
  std::filesystem::create_directories(folder);
  std::string names;
  const std::vector<std::string> texts = time_independent_texts(recording);
  for (std::size_t rank = 0; rank < texts.size(); ++rank) {
    const std::filesystem::path file = folder / fmt::format("{}.txt", rank);
    write_file(file, texts[rank]);
    names += file.string() + "\n";
  }
  write_file(list, names);
}

/// GOAL, or a recording, which may be written in SMPI's language too.
Trace parse_trace(const JobCommand& options, const std::string& text) {
  if (!is_recording(text)) {
    if (!options.to_smpi.empty()) {
      throw UsageError(
          "--to-smpi needs a recording of the preload library (POSTAGE_TRACE): GOAL does not tell collectives and "
          "requests");
    }
    return read_goal(text);
  }
  const Recording recording = read_recording(text);
  if (!options.to_smpi.empty()) {
    write_smpi_trace(options.to_smpi, recording);
  }
  return trace_of(recording);
}

Trace read_trace(const JobCommand& options) {
  const std::string text = read_file(options.trace);
  try {
    return parse_trace(options, text);
  } catch (const UsageError&) {
    throw;
  } catch (const Error& error) {
    throw UsageError(fmt::format("{}: {}", options.trace, error.what()));
  }
}

/// A trace is played with the costs of single messages and how many share a wire; flows are of schedules.
JobPlatform platform_that_plays(JobOptions options) {
  options.plays_trace = true;
  JobPlatform platform = resolve_platform(options);
  if (std::ranges::any_of(platform.models, [](const auto& one) { return one.model().properties().has_flows; })) {
    throw UsageError("the model flow plays no traces: give another by --model");
  }
  return platform;
}

struct PlayedTrace {
  std::string model;
  TraceTimes times;
  std::string what_if{};
  std::optional<Seconds> before{};  ///< of what_if: on the platform's own machine
};

std::vector<PlayedTrace> play_all(const JobPlatform& platform, const Trace& trace) {
  std::vector<PlayedTrace> played;
  for (const PlatformModel& model : platform.models) {
    played.push_back({model.name(), play_trace(trace, platform.map, model.model())});
  }
  return played;
}

/// The same on another machine, by the models that know what is changed of it.
void add_what_if(const JobOptions& options, const std::string& text, const Trace& trace,
                 std::vector<PlayedTrace>& played) {
  std::vector<PlayedTrace> others = play_all(platform_that_plays(with_what_if(options, text)), trace);
  for (PlayedTrace& other : others) {
    const auto same = std::ranges::find_if(
        played, [&](const PlayedTrace& one) { return one.what_if.empty() && one.model == other.model; });
    other.what_if = text;
    if (same != played.end()) {
      other.before = same->times.seconds();
    }
  }
  std::ranges::move(others, std::back_inserter(played));
}

Seconds mean(const std::vector<Seconds>& values) {
  Seconds sum = 0;
  for (const Seconds value : values) {
    sum += value;
  }
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

Json to_json(const std::vector<PlayedTrace>& played, const Trace& trace) {
  Json rows = Json::array();
  for (const auto& [model, times, what_if, before] : played) {
    Json row{{"model", model},
             {"ranks", trace.ranks.size()},
             {"operations", trace.operations()},
             {"seconds", times.seconds()},
             {"computing_seconds", mean(times.computing)},
             {"longest_computing_seconds", times.longest_computing()},
             {"communication_seconds", times.seconds() - mean(times.computing)}};
    if (before) {
      row["what_if"] = what_if;
      row["times_faster"] = *before / times.seconds();
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

void print(const std::vector<PlayedTrace>& played, const Trace& trace) {
  using Align = Table::Align;
  std::vector<Table::Column> columns{{"model"},
                                     {"ranks", Align::kRight},
                                     {"time", Align::kRight},
                                     {"computing", Align::kRight},
                                     {"communication", Align::kRight}};
  const bool any_what_if = std::ranges::any_of(played, [](const PlayedTrace& one) { return one.before.has_value(); });
  if (any_what_if) {
    columns.insert(columns.end(), {{"times faster", Align::kRight}, {"what if"}});
  }
  Table table(columns);
  for (const auto& [model, times, what_if, before] : played) {
    const Seconds computing = mean(times.computing);
    const Seconds communication = times.seconds() - computing;
    const double share = times.seconds() > 0 ? 100 * communication / times.seconds() : 0;
    std::vector<std::string> cells{model, std::to_string(trace.ranks.size()), format_seconds(times.seconds()),
                                   format_seconds(computing),
                                   fmt::format("{} ({:.0f} %)", format_seconds(communication), share)};
    if (any_what_if) {
      cells.push_back(before ? fmt::format("{:.2f}", *before / times.seconds()) : "");
      cells.push_back(what_if);
    }
    table.add_row(std::move(cells));
  }
  fmt::print("{}", table.render(output_width()));
}

}  // namespace

void predict_trace(const JobCommand& options) {
  if (!options.collective.empty()) {
    throw UsageError("--trace says what is to be predicted: leave out " + options.collective);
  }
  const Trace trace = read_trace(options);
  if (!options.to_goal.empty()) {
    write_file(options.to_goal, goal_text(trace));
  }
  const bool only_writes = !options.to_goal.empty() || !options.to_smpi.empty();
  if (only_writes && options.platform.empty() && options.parameters.empty()) {
    return;
  }
  const JobPlatform platform = platform_that_plays(options);
  std::vector<PlayedTrace> played = play_all(platform, trace);
  for (const std::string& text : options.what_ifs) {
    add_what_if(options, text, trace, played);
  }
  if (options.json) {
    fmt::print("{}\n", with_choice(to_json(played, trace), platform).dump(1));
  } else {
    print(played, trace);
    print_choice(platform);
  }
}

}  // namespace postage
