#pragma once

// Campaigns on virtual machines.
#include "unit/measure/virtual_machine.hpp"

#include <postage/measure/campaign.hpp>

#include <utility>

namespace postage {

inline SampleSet measure(const VirtualMachine& machine, const CampaignPlan& plan, const MeasureSettings& settings = {},
                         const CampaignHooks& hooks = {}) {
  SampleSet samples;
  run_ranks(machine, [&](Transport& transport) {
    SampleSet own = run_campaign(transport, plan, settings, hooks);
    if (transport.rank() == 0) {
      samples = std::move(own);
    }
  });
  return samples;
}

/// Everything that there is, small.
inline CampaignPlan everything() {
  return {.sizes = {{"--sizes", {0, 64}},
                    {"--echo-sizes", {64}},
                    {"--reply-sizes", {0, 64}},
                    {"--overhead-sizes", {1, 64}},
                    {"--train-sizes", {1, 64}},
                    {"--delayed-sizes", {64}},
                    {"--strided-sizes", {64}},
                    {"--strides", {8}},
                    {"--one-to-two-sizes", {0, 64}},
                    {"--concurrent-sizes", {64}},
                    {"--fan-sizes", {64}},
                    {"--butterfly-sizes", {64}},
                    {"--sweep-sizes", {0, 64, 128}},
                    {"--copy-sizes", {64}},
                    {"--reduction-sizes", {64}}},
          .collectives = {{Collective::kBcast, "binomial", 64}, {Collective::kAllreduce, "recursive-doubling", 64}},
          .largest_adaptive = 256,
          .control_sizes = {64}};
}

inline VirtualMachine cluster(int hosts, int ranks_per_host) {
  VirtualMachine machine;
  machine.ranks = hosts * ranks_per_host;
  machine.ranks_per_host = ranks_per_host;
  return machine;
}

inline MeasureSettings real_settings() {
  return {.budget = 10, .warm_up = 1, .least_repetitions = 18, .keep_values = true};
}

/// Not simulated as far as the campaign knows.
inline VirtualMachine noisy(double noise, unsigned seed = 1) {
  VirtualMachine machine;
  machine.is_virtual = false;
  machine.noise = noise;
  machine.seed = seed;
  return machine;
}

}  // namespace postage
