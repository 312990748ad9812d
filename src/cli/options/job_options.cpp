#include "cli/options/job_options.hpp"

#include "cli/options/remark.hpp"

#include <fmt/format.h>

namespace postage {
namespace {

void add_collective_options(Command& command, JobOptions& options, JobUse use) {
  Option collective =
      command.option("collective", options.collective, "A collective like bcast or scatterv, or p2p for one message");
  if (use != JobUse::kPredict) {  // which may play a trace instead
    collective.required();
  }
  add_algorithm_options(command, options.algorithm, "An algorithm of the collective, or all");
  add_request_options(command, options);
  command.option("--set", options.settings, "Parameter of the algorithm, like radix=4; may be repeated");
  command
      .option("--calls", options.calls,
              "How ranks call MPI. overlapping: receives a round ahead, no wait for sends whose memory is not needed; "
              "blocking-sends: waits for them in their round, as in Open MPI's trees; blocking: every round by itself, "
              "as in most other algorithms of stock libraries; receives-first: all before the first send. Model flow "
              "tells them apart")
      .with_default();
  add_stride_options(command, options.strides);
  command.flag("--by-hand", options.strides.by_hand,
               "Of strided messages: the program packs and unpacks them (l_hand), and not a datatype of MPI's (l_mw)");
  command.only_with({"--stride"}, {"--by-hand"});
}

/// Of predict and explain: what a comparison of algorithms tries by itself, or cannot.
void add_single_job_options(Command& command, JobOptions& options) {
  command
      .option(
          "--segment", options.segment,
          "Segment size in bytes, of the algorithms that have segments and of a p2p message; 0 sends whole messages")
      .with_default();
  add_node_aware_options(command, options.node_aware);
  command.option("--src", options.source, "Sending rank of p2p").with_default();
  command.option("--dst", options.target, "Receiving rank of p2p").with_default();
  command
      .option("--evaluator", options.evaluator,
              "timeline: rank by rank, without contention; rounds: round by round, with contention; flows: messages "
              "that share links and memory, portions: the same faster, about (both of model flow only); auto: the most "
              "accurate one that is fast enough")
      .with_default();
}

}  // namespace

void add_algorithm_options(Command& command, std::string& algorithm, const std::string& meaning) {
  command.option("algorithm", algorithm, "The same as --algorithm");
  command.option("--algorithm", algorithm, meaning).with_default();
  command.not_with("algorithm", {"--algorithm"});
}

void add_request_options(Command& command, JobOptions& options) {
  command.option("-P,--ranks", options.ranks, "Number of ranks; by default those of the platform").range(1, 1 << 30);
  command.option("-m,--size", options.sizes, "Message sizes in bytes: 64K or 1K,64K or 1K:1M:x2");
  add_count_options(command, options.counts);
  command.option("--root", options.root, "Root rank").with_default();
}

void add_model_options(Command& command, JobOptions& options) {
  command
      .option("--model", options.model,
              "A model, several like loggp,lmo, all, or best: the most accurate one that the platform has")
      .with_default();
  command.option("--platform", options.platform, "Platform file written by postage measure");
  command.option(
      "--params", options.parameters,
      "Model parameters instead of a platform file, like L=5us,o=1us,g=2us,G=1ns; see postage models --help");
  command.option("--levels", options.levels,
                 "Of --params: the communication levels, nearest first, each with the number of consecutive cores that "
                 "it joins, like shared-cache:2,inter-socket:8,switch:64,inter-node");
  command.not_with("--platform", {"--params"});
  command.only_with({"--params"}, {"--levels"});
}

void add_count_options(Command& command, CountOptions& options) {
  command.option(
      "--counts", options.file,
      "File with the counts of scatterv, gatherv, allgatherv, alltoallv or reduce_scatter, instead of --size: "
      "one a line for each rank, alltoallv's P lines of P; or the same as JSON");
  command.option("--element", options.element, "Bytes of one element that --counts counts").with_default();
  command.only_with({"--counts"}, {"--element"});
}

void add_mapping_options(Command& command, MappingOptions& options) {
  command.option("--nodes", options.nodes, "Number of nodes").range(1, 1 << 24);
  command.option("--per-node", options.per_node, "Number of ranks on each node").range(1, 1 << 16);
  command.option("--mapping", options.mapping,
                 "Mapping of ranks to cores: block, cyclic, or a file with a line 'NODE SLOT' for each rank");
}

void add_node_aware_options(Command& command, NodeAwareOptions& options) {
  command.option("--within", options.within,
                 "Node-aware composition: algorithm within nodes, or two, towards the root and away from it: "
                 "binomial,linear");
  command.option("--among", options.among, "Node-aware composition: algorithm among the leaders of the nodes");
}

void add_stride_options(Command& command, StrideOptions& options) {
  command
      .option("--stride", options.stride,
              "Bytes from the start of a piece of a message to the start of the next, for messages that are not "
              "contiguous in memory; 0 for contiguous ones")
      .with_default();
  command.option("--run", options.run, "Bytes of each piece of a strided message").with_default();
  command.only_with({"--stride"}, {"--run"});
}

void add_job_options(Command& command, JobCommand& options, JobUse use) {
  add_collective_options(command, options, use);
  if (use != JobUse::kCompare) {
    add_single_job_options(command, options);
  }
  add_model_options(command, options);
  if (use != JobUse::kExplain) {
    command
        .option("--max-extrapolation", options.max_extrapolation,
                "Largest factor by which a size may lie outside the measured ones")
        .with_default();
  }
  add_mapping_options(command, options.mapping);
  command.flag("--json", options.json, "Print JSON");
}

void add_what_if_option(Command& command, JobCommand& options) {
  command
      .option("--what-if", options.what_ifs,
              "Predict for another machine beside this one: factors of resources and other numbers of nodes, like "
              "inter-node.bandwidth=x2,inter-node.latency=/2,nodes=512; may be repeated. A wrong name lists the right "
              "ones")
      .one_at_a_time();
}

void print_choice(const JobPlatform& platform) {
  if (!platform.choice.empty()) {
    print_remark("postage: predicted with {}, {}; --model takes others\n", platform.models.front().name(),
                 platform.choice);
  }
}

void print_limits(const JobOptions& options, const JobPlatform& platform) {
  const Rank taking_part = options.collective == "p2p" ? 2 : resolve_ranks(options, platform);
  for (const std::string& limit : limits_of(platform, taking_part)) {
    print_remark("postage: {}\n", limit);
  }
}

void print_left_out(const LeftOutModels& left_out) {
  for (const auto& [model, reason] : left_out) {
    print_remark("postage: left out {}: {}\n", model, reason);
  }
}

}  // namespace postage
