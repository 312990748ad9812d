#include "cli/optimize/mapping_measure.hpp"
#include "cli/optimize/mapping_options.hpp"
#include "cli/optimize/subcommands.hpp"
#include "cli/options/output_file.hpp"
#include "cli/options/remark.hpp"
#include "cli/table.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/base/text.hpp>
#include <postage/optimize/mapping/rank_files.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

namespace postage {
namespace {

/// Simulated seconds of block, of today's mapping where it is given, and of the best.
struct Verification {
  Seconds block = 0;
  std::optional<Seconds> today{};
  Seconds best = 0;
};

/// What --verify found, simulated or measured.
struct Verified {
  std::optional<Verification> simulated{};
  std::optional<MeasuredPlacements> measured{};
};

std::optional<Verification> simulate(const MappingAdviceOptions& options, const MappingTask& task,
                                     const MappingAdvice& advice) {
  if (options.virtual_name.empty()) {
    return std::nullopt;
  }
  Verification found;
  for (std::size_t i = 0; i < advice.candidates.size(); ++i) {
    const PlacementCandidate& candidate = advice.candidates[i];
    if (i != 0 && i != advice.best && candidate.name != "today") {
      continue;
    }
    const Seconds seconds = simulated_seconds(options, task.communication, candidate.slot_of_rank);
    found.block = i == 0 ? seconds : found.block;
    found.best = i == advice.best ? seconds : found.best;
    if (candidate.name == "today") {
      found.today = seconds;
    }
  }
  return found;
}

std::optional<MeasuredPlacements> measure(const MappingAdviceOptions& options, const MappingTask& task,
                                          const MappingAdvice& advice, const Mapping& slots, const Platform& platform) {
  if (options.mpi.empty()) {
    return std::nullopt;
  }
  const std::vector<std::string> hosts = host_names(options, platform);
  if (hosts.empty()) {
    throw UsageError("--verify with real ranks needs the hosts' names: give --hosts");
  }
  const auto placements = [&](std::size_t i) {
    return placements_of(advice.candidates[i].slot_of_rank, slots, task.communication.ranks);
  };
  return measure_placements(options, task.communication, placements(0), placements(advice.best), hosts);
}

/// How many times faster `seconds` is than block's; alone on its node a rank sends nothing in no time.
double times_faster(const MappingAdvice& advice, Seconds seconds) {
  const Seconds block = advice.candidates.front().seconds;
  return block == seconds ? 1 : block / seconds;
}

Json to_json(const MappingTask& task, const MappingAdvice& advice, const PlatformModel& model,
             const Verified& verified) {
  Json list = Json::array();
  for (const PlacementCandidate& one : advice.candidates) {
    list.push_back({{"placement", one.name},
                    {"seconds", one.seconds},
                    {"lower", one.lower},
                    {"upper", one.upper},
                    {"times_faster_than_block", times_faster(advice, one.seconds)}});
  }
  Json json{{"pattern", task.communication.name},
            {"ranks", task.communication.ranks},
            {"model", model.name()},
            {"best", advice.candidates[advice.best].name},
            {"slot_of_rank", advice.candidates[advice.best].slot_of_rank},
            {"swaps_tried", advice.swaps},
            {"placements", list}};
  if (const auto& verification = verified.simulated) {
    json["simulated"] = {{"block_seconds", verification->block},
                         {"best_seconds", verification->best},
                         {"times_faster", verification->block / verification->best}};
    if (verification->today) {
      json["simulated"]["today_seconds"] = *verification->today;
    }
  }
  if (const auto& measured = verified.measured) {
    json["measured"] = {
        {"block_seconds", measured->block},
        {"best_seconds", measured->best},
        {"times_faster", measured->times_faster},
        {"times_faster_interval", {measured->times_faster_interval.lower, measured->times_faster_interval.upper}},
        {"pairs", measured->pairs}};
  }
  return json;
}

void print(const MappingTask& task, const MappingAdvice& advice, const PlatformModel& model, const Verified& verified) {
  using Align = Table::Align;
  fmt::print("{} on {} ranks, by {}\n", task.communication.name, task.communication.ranks, model.name());
  if (task.communication.is_uniform) {
    fmt::print("every rank sends as much to every other: no mapping of ranks is better than another\n");
    return;
  }
  Table table({{"placement"},
               {"time", Align::kRight},
               {"lower", Align::kRight},
               {"upper", Align::kRight},
               {"times faster than block", Align::kRight}});
  for (const PlacementCandidate& one : advice.candidates) {
    table.add_row({one.name, format_seconds(one.seconds), format_seconds(one.lower),
                   std::isfinite(one.upper) ? format_seconds(one.upper) : "unknown",
                   fmt::format("{:.2f}", times_faster(advice, one.seconds))});
  }
  fmt::print("{}", table.render(output_width()));
  fmt::print("best: {}; the search tried {} swaps\n", advice.candidates[advice.best].name, advice.swaps);
  if (const auto& measured = verified.measured) {
    fmt::print("measured, {} runs of each: block {}, {} {}, {:.2f} times faster ({:.2f} to {:.2f})\n", measured->pairs,
               format_seconds(measured->block), advice.candidates[advice.best].name, format_seconds(measured->best),
               measured->times_faster, measured->times_faster_interval.lower, measured->times_faster_interval.upper);
  }
  if (const auto& verification = verified.simulated) {
    fmt::print("simulated: block {}, {} {}, {:.2f} times faster\n", format_seconds(verification->block),
               advice.candidates[advice.best].name, format_seconds(verification->best),
               verification->block / verification->best);
    if (verification->today) {
      fmt::print("simulated: today {}, {:.2f} times as long as {}\n", format_seconds(*verification->today),
                 *verification->today / verification->best, advice.candidates[advice.best].name);
    }
  }
}

void write_files(const std::string& folder, const std::vector<RankPlacement>& placements,
                 const std::vector<std::string>& hosts) {
  const RankFiles files = rank_files(placements, hosts);
  const std::filesystem::path path(folder);
  std::filesystem::create_directories(path);
  write_file(path / "mapping", files.mapping);
  print_remark("postage: wrote {}/mapping, for --mapping of postage\n", folder);
  if (hosts.empty()) {
    print_remark("postage: the hosts' names are not known: give --hosts for the files of launchers\n");
    return;
  }
  write_file(path / "rankfile", files.rankfile);
  write_file(path / "hostfile", files.hostfile);
  write_file(path / "slurm-hosts", files.hosts);
  print_remark(
      "postage: wrote {2}/rankfile: mpirun -n {1} --rankfile {0}/rankfile PROGRAM with Open MPI\n"
      "postage: wrote {2}/hostfile: mpiexec -f {0}/hostfile -n {1} -bind-to none PROGRAM with MPICH\n"
      "postage: wrote {2}/slurm-hosts: SLURM_HOSTFILE={0}/slurm-hosts srun --distribution=arbitrary -n {1} "
      "PROGRAM\n",
      shell_word(folder), placements.size(), folder);
  if (!files.keeps_cores) {
    print_remark(
        "postage: this placement needs cores, which only Open MPI's file names: with the others the ranks of a "
        "host may be on other cores\n");
  }
}

void check(const MappingAdviceOptions& options) {
  if (options.job.mapping.nodes < 1 || options.job.mapping.per_node < 1) {
    throw UsageError("give both --nodes and --per-node, each at least 1");
  }
  if (options.verify == (options.virtual_name.empty() && options.mpi.empty())) {
    throw UsageError(
        "--verify simulates on the cluster of --virtual, like multicore4x8, or runs ranks with --mpi, like openmpi: "
        "give "
        "it with one of them");
  }
  if (!options.mpi.empty() && options.mpi != "openmpi" && options.mpi != "mpich") {
    throw UsageError(unknown_name("MPI", options.mpi, "openmpi, mpich"));
  }
  if (!options.lab.empty() && options.mpi.empty()) {
    throw UsageError("--lab says where --verify runs ranks: give --mpi, like openmpi, too");
  }
  constexpr std::int64_t kMostSlots = 1 << 24;
  const std::int64_t slots = std::int64_t{options.job.mapping.nodes} * options.job.mapping.per_node;
  if (slots > kMostSlots) {
    throw UsageError(
        fmt::format("--nodes and --per-node have slots for {} ranks; at most {} are placed", slots, kMostSlots));
  }
  if (options.pattern.empty()) {
    throw UsageError("--pattern is empty: name what ranks send, like ring or 2d-halo");
  }
  if (options.swaps < 0) {
    throw UsageError(fmt::format("--swaps is {}; give 0 or more", options.swaps));
  }
  check_output_folder("--output", options.output);
}

/// A file's trace is played, which flows are not: then another of the platform's models, where none was named.
JobPlatform platform_for(const MappingAdviceOptions& options) {
  JobOptions job = options.job;
  job.mapping.mapping.clear();
  job.plays_trace = std::filesystem::is_regular_file(options.pattern);
  return resolve_platform(job);
}

void run(const MappingAdviceOptions& options) {
  check(options);
  const Mapping slots = Mapping::block(options.job.mapping.nodes, options.job.mapping.per_node);
  const auto count = static_cast<Rank>(slots.capacity());
  const JobPlatform platform = platform_for(options);
  const std::vector<std::string> hosts = host_names(options, platform.source);
  const PlatformModel& model = platform.models.front();
  MappingTask task = mapping_task(options, count, model);
  task.today = todays_slots(options, task.communication.ranks);
  if (task.trace && model.model().properties().has_flows) {
    throw UsageError("the model flow plays no traces: give another by --model");
  }
  const MappingAdvice advice = advise_mapping(task, platform.source, slots, model);
  Verified verified;
  if (options.verify && !task.communication.is_uniform) {
    verified = {simulate(options, task, advice), measure(options, task, advice, slots, platform.source)};
  }
  if (options.json) {
    fmt::print("{}\n", to_json(task, advice, model, verified).dump(1));
  } else {
    print(task, advice, model, verified);
  }
  if (!options.output.empty()) {
    const std::vector<Rank>& best = advice.candidates[advice.best].slot_of_rank;
    write_files(options.output, placements_of(best, slots, task.communication.ranks), hosts);
  }
  print_choice(platform);
}

}  // namespace

void add_optimize_mapping(Command& optimize) {
  Command command = optimize.subcommand("mapping", "Place a program's ranks so that its messages take less time");
  const auto options = std::make_shared<MappingAdviceOptions>();
  command
      .option("--pattern", options->pattern,
              "What ranks send: ring, 2d-halo, 3d-halo, alltoall, a file in GOAL or recorded with POSTAGE_TRACE, or "
              "collectives like allreduce,bcast:binomial")
      .required();
  command.option("--nodes", options->job.mapping.nodes, "Number of nodes").required();
  command.option("--per-node", options->job.mapping.per_node, "Number of ranks on each node").required();
  command.option("-m,--size", options->job.sizes, "Bytes of each message, or of each collective");
  command.option("--mapping", options->job.mapping.mapping,
                 "The job's mapping today, to compare with: a file with a line 'NODE SLOT' for each rank");
  command.option("--platform", options->job.platform, "Platform file");
  command.option("--params", options->job.parameters, "Model parameters instead, as for predict");
  command.option("--levels", options->job.levels, "Of --params: communication levels, as for predict");
  command.option("--model", options->job.model, "A model, or best: the most accurate one").with_default();
  command.option("--hosts", options->hosts, "Names of the nodes: a list like n[1-64], or a file; else the platform's");
  command.option("-o,--output", options->output, "Folder for rank files of Open MPI, MPICH and Slurm");
  command.flag("--verify", options->verify,
               "Simulate block and the best placement on the cluster of --virtual, or run them with --mpi");
  command.option("--mpi", options->mpi, "Of --verify: run them with openmpi or mpich, in turn, by their rank files");
  command.option("--lab", options->lab, "Of --mpi: on the hosts of this lab (postage lab up)");
  command.option("--virtual", options->virtual_name, "Simulated cluster: multicore4x8, multicore8x8, seed:17");
  command.option("--swaps", options->swaps, "Most swaps that the search tries").with_default();
  command.option("--seed", options->seed, "Of the order in which it tries them").with_default();
  command.flag("--json", options->json, "Print JSON");
  command.not_with("--platform", {"--params"});
  command.only_with({"--params"}, {"--levels"});
  command.only_with({"--output", "--mpi"}, {"--hosts"});
  command.only_with({"--verify"}, {"--virtual", "--mpi"});
  command.only_with({"--mpi"}, {"--lab"});
  command.footer(
      "Examples:\n"
      "  postage optimize mapping --platform cluster.json --pattern 2d-halo --nodes 64 --per-node 8 -m 64K -o ranks\n"
      "  postage optimize mapping --platform cluster.json --pattern app.goal --nodes 16 --per-node 8\n"
      "  postage optimize mapping --platform virtual.json --pattern ring --nodes 4 --per-node 8 -m 256K --verify "
      "--virtual multicore4x8");
  command.action([options] { run(*options); });
}

}  // namespace postage
