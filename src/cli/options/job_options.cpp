#include "cli/options/job.hpp"

namespace postage {
namespace {

void add_collective_options(Command& command, JobOptions& options, bool needs_collective) {
  Option collective =
      command.option("collective", options.collective, "A collective like bcast or scatterv, or p2p for one message");
  if (needs_collective) {
    collective.required();
  }
  command.option("--algorithm", options.algorithm, "An algorithm of the collective, or all").with_default();
  command.option("-P,--ranks", options.ranks, "Number of ranks; by default those of the platform");
  command.option("-m,--size", options.sizes, "Message sizes in bytes: 64K or 1K,64K or 1K:1M:x2");
  add_count_options(command, options.counts);
  command.option("--root", options.root, "Root rank").with_default();
  command
      .option(
          "--segment", options.segment,
          "Segment size in bytes, of the algorithms that have segments and of a p2p message; 0 sends whole messages")
      .with_default();
  command.option("--set", options.settings, "Parameter of the algorithm, like radix=4; may be repeated");
  add_node_aware_options(command, options.node_aware);
  command.option("--src", options.source, "Sending rank of p2p").with_default();
  command.option("--dst", options.target, "Receiving rank of p2p").with_default();
  add_stride_options(command, options.strides);
  command.flag("--by-hand", options.strides.by_hand,
               "Of strided messages: the program packs and unpacks them (l_hand), and not a datatype of MPI's (l_mw)");
}

void add_model_options(Command& command, JobOptions& options) {
  command
      .option("--model", options.model,
              "A model, several like loggp,lmo, all, or best: the most accurate one that the platform has")
      .with_default();
  const Option platform = command.option("--platform", options.platform, "Platform file written by postage measure");
  command
      .option("--params", options.parameters,
              "Model parameters instead of a platform file, like L=5us,o=1us,g=2us,G=1ns; see postage models --help")
      .excludes(platform);
  command
      .option("--levels", options.levels,
              "Of --params: the communication levels, nearest first, each with the number of consecutive cores that it "
              "joins, like shared-cache:2,inter-socket:8,switch:64,inter-node")
      .excludes(platform);
  command
      .option("--evaluator", options.evaluator,
              "timeline: rank by rank, without contention; rounds: round by round, with contention; flows: messages "
              "that share links and memory (model flow only); auto: the most accurate one that is fast enough")
      .with_default();
  command
      .option("--max-extrapolation", options.max_extrapolation,
              "Largest factor by which a size may lie outside the measured ones")
      .with_default();
}

}  // namespace

void add_stride_options(Command& command, StrideOptions& options) {
  command
      .option("--stride", options.stride,
              "Bytes from the start of a piece of a message to the start of the next, for messages that are not "
              "contiguous in memory; 0 for contiguous ones")
      .with_default();
  command.option("--run", options.run, "Bytes of each piece of a strided message").with_default();
}

void add_job_options(Command& command, JobOptions& options, bool needs_collective) {
  add_collective_options(command, options, needs_collective);
  add_model_options(command, options);
  add_mapping_options(command, options.mapping);
  command.flag("--json", options.json, "Print JSON");
}

}  // namespace postage
