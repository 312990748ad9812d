#include "parsers.hpp"

#include <postage/base/error.hpp>
#include <postage/base/json.hpp>
#include <postage/base/json_lines.hpp>
#include <postage/base/strides.hpp>
#include <postage/base/units.hpp>
#include <postage/launch/slurm.hpp>
#include <postage/measure/batch.hpp>
#include <postage/measure/choices.hpp>
#include <postage/measure/setting_options.hpp>
#include <postage/model/model.hpp>
#include <postage/model/tau_expression.hpp>
#include <postage/platform/host_list.hpp>
#include <postage/platform/launcher_release.hpp>
#include <postage/platform/levels.hpp>
#include <postage/platform/number_list.hpp>
#include <postage/platform/platform.hpp>
#include <postage/platform/switch_tree.hpp>
#include <postage/predict/traces/goal.hpp>
#include <postage/predict/traces/recording.hpp>
#include <postage/samples/samples.hpp>
#include <postage/schedule/counts.hpp>
#include <postage/tuning/emit.hpp>
#include <postage/tuning/implementation.hpp>
#include <postage/tuning/lint.hpp>
#include <postage/tuning/proof.hpp>
#include <postage/tuning/watch.hpp>

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace postage {
namespace {

constexpr const char* kSource = "input";

[[noreturn]] void give_up(const FuzzedParser& parser, const std::string& why) {
  std::fprintf(stderr, "%s: %s\n", parser.name, why.c_str());
  std::abort();
}

void check(bool holds, const char* what) {
  if (!holds) {
    throw std::logic_error(what);
  }
}

/// Whatever comes of it is right, if it comes at all.
template <typename... Values>
void take(const Values&... /*values*/) {}

void read_json_text(std::string_view text) {
  const Json value = Json::parse(text);
  check(Json::parse(value.dump()) == value, "JSON is written as another value");
}

void read_platform_text(std::string_view text) {
  const Platform platform = platform_from_json(Json::parse(text), kSource);
  check(platform_from_json(Json::parse(to_json(platform).dump()), kSource) == platform,
        "a platform is written as another one");
  for (const ParameterTable& table : platform.models) {
    take(build_model(table, platform.channels));
  }
}

void read_samples_text(std::string_view text) {
  const SampleSet samples = samples_from_json(Json::parse(text), kSource);
  take(samples_from_json(Json::parse(to_json(samples).dump()), kSource));
}

void read_baseline_text(std::string_view text) {
  take(baseline_from_json(Json::parse(text), kSource));
}

void read_decisions_text(std::string_view text) {
  const DecisionTable table = decisions_from_json(Json::parse(text), kSource);
  check(decisions_from_json(Json::parse(to_json(table).dump()), kSource) == table,
        "decisions are written as other ones");
  for (const EmittedFile& file : emit({&table, 1}).files) {
    take(file);
  }
}

/// The first character chooses the format: '0' for the one that is found by the content.
void read_tuning_file(std::string_view text) {
  if (text.empty()) {
    return;
  }
  const int number = text.front() - '1';
  const bool is_given = number >= 0 && number <= static_cast<int>(TuningFormat::kEnvironment);
  const std::string_view rest = text.substr(1);
  const LintReport report = lint(rest, is_given ? std::optional(static_cast<TuningFormat>(number)) : std::nullopt);
  take(lint_text(report, kSource), lint_json(report, kSource).dump());
}

void read_json_lines_text(std::string_view text) {
  take(parse_json_lines(text, false));
  take(parse_json_lines(text, true));
}

void read_goal_text(std::string_view text) {
  const Trace trace = read_goal(text);
  check(read_goal(goal_text(trace)).operations() == trace.operations(), "GOAL is written as another trace");
}

void read_recording_text(std::string_view text) {
  const Recording recording = read_recording(text);
  take(time_independent_texts(recording));
  take(goal_text(trace_of(recording)));
}

void read_topology_conf_text(std::string_view text) {
  const SwitchTree tree = parse_topology_conf(text, kSource);
  std::vector<std::string> hosts;
  for (const SiteSwitch& one : tree.switches) {
    hosts.insert(hosts.end(), one.hosts.begin(), one.hosts.end());
  }
  take(groups_of(tree, hosts));
}

void read_host_list(std::string_view text) {
  const std::vector<std::string> hosts = expand_host_list(text);
  check(expand_host_list(format_host_list(hosts)) == hosts, "a host list is written as another one");
}

/// Every short text, as of an option: the first character says of which.
void read_option(std::string_view text) {
  if (text.empty()) {
    return;
  }
  const std::string_view rest = text.substr(1);
  const std::string whole(rest);
  switch (text.front()) {
    case 's':
      return take(parse_sizes(rest));
    case 'b':
      check(parse_bytes(std::to_string(parse_bytes(rest))) == parse_bytes(rest), "bytes are not what they are");
      return;
    case 't':
      return take(parse_seconds(rest));
    case 'r':
      return take(parse_rate(rest));
    case 'l':
      return take(parse_time_limit(whole));
    case 'n':
      return take(parse_number_list(rest));
    case 'd':
      return take(parse_strides(rest, rest));
    case 'v':
      return take(parse_levels(rest, 8));
    case 'c':
      return take(parse_collective_run(rest));
    case 'B':
      return take(parse_batch(whole, kSource));
    case 'C':
      return take(parse_choices(whole, kSource));
    case 'V':
      return take(format_version(parse_library_version(rest)));
    case 'i':
      return take(library_of(rest));
    case 'L':
      return take(parse_lint_versions(rest, TuningFormat::kMpichJson));
    case 'p':
      return take(parse_trace(rest));
    case 'R':
      return take(release_in(whole).text, end_time_in(rest));
    default:
      return;
  }
}

void read_counts_text(std::string_view text) {
  const std::string whole(text);
  take(parse_counts(whole, kSource, Collective::kAlltoall, 8));
}

void read_counts_lines(std::string_view text) {
  const std::string whole(text);
  take(parse_counts(whole, kSource, Collective::kGather, 1));
}

/// "MODEL PARAMETERS".
void read_parameters_text(std::string_view text) {
  const std::size_t space = text.find(' ');
  if (space == std::string_view::npos) {
    return;
  }
  const ParameterTable table = parse_parameters(text.substr(0, space), text.substr(space + 1));
  std::vector<std::string> channels;
  for (const ParameterGroup& group : table.groups) {
    if (!group.scope.channel.empty()) {
      channels.push_back(group.scope.channel);
    }
  }
  take(build_model(table, channels));
}

void read_tau_expression_text(std::string_view text) {
  static const std::vector<std::string> channels{"shared-cache", "inter-node"};
  static const Model model = build_model(
      parse_parameters("taulop", "[shared-cache] o=1us,L=1us,S=8K,n=2 [inter-node] o=5us,L=5us,S=8K,n=2"), channels);
  take(parse_tau_expression(text, *model.target<TauLop>(), channels));
}

constexpr FuzzedParser kParsers[]{
    {"json", read_json_text},
    {"json-lines", read_json_lines_text},
    {"platform", read_platform_text},
    {"samples", read_samples_text},
    {"baseline", read_baseline_text},
    {"decisions", read_decisions_text},
    {"tuning-file", read_tuning_file},
    {"goal", read_goal_text},
    {"recording", read_recording_text},
    {"topology-conf", read_topology_conf_text},
    {"host-list", read_host_list},
    {"option", read_option},
    {"counts", read_counts_text},
    {"counts-lines", read_counts_lines},
    {"parameters", read_parameters_text},
    {"tau-expression", read_tau_expression_text},
};

}  // namespace

std::span<const FuzzedParser> fuzzed_parsers() {
  return kParsers;
}

bool try_parser(const FuzzedParser& parser, std::string_view text) {
  try {
    parser.read(text);
    return true;
  } catch (const Error& mistake) {
    if (std::string_view(mistake.what()).empty()) {
      give_up(parser, "no reason is given");
    }
  } catch (const std::exception& surprise) {
    give_up(parser, std::string("what is thrown is no Error: ") + surprise.what());
  }
  return false;
}

}  // namespace postage
