#include "papers/rico_gallego/simulated.hpp"

#include <postage/measure/plan_options.hpp>

#include <fmt/format.h>

namespace postage::rico_gallego_paper {

std::map<Bytes, Seconds> simulate_collective(const PaperContext& context, const VirtualMachine& machine, int ranks,
                                             Placement placement, const SimulatedCollective& wanted) {
  // Nothing but the collectives. Simulated times repeat: two repetitions are enough to see it.
  std::vector<std::string> arguments{"--warm-up", "0", "--least", "2", "--most", "2", "--passes", "1"};
  for (const PlanOption& option : plan_options()) {
    if (option.form == OptionForm::kSizes) {
      arguments.insert(arguments.end(), {std::string(option.name), "none"});
    }
  }
  for (const Bytes block : wanted.blocks) {
    arguments.push_back("--collective");
    arguments.push_back(fmt::format("{}:{}:{}{}", wanted.collective, wanted.algorithm, block,
                                    wanted.segment > 0 ? fmt::format(":seg={}", wanted.segment) : ""));
  }
  std::map<Bytes, Seconds> times;
  for (const Measurement& measured : context.simulate(machine, ranks, placement, arguments).measurements) {
    if (measured.experiment.kind == ExperimentKind::kCollective) {
      times[measured.experiment.bytes] = measured.summary.median;
    }
  }
  return times;
}

}  // namespace postage::rico_gallego_paper
