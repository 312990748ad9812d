#include <postage/launch/measuring.hpp>
#include <postage/papers/context.hpp>

#include <fmt/format.h>

namespace postage {

void PaperContext::tell(const std::string& text) const {
  if (options_.tell) {
    options_.tell(text);
  }
}

SampleSet PaperContext::measure(const LaunchTarget& target, const std::vector<std::string>& arguments) const {
  return run_measuring_program(target, arguments);
}

SampleSet PaperContext::simulate(const VirtualClusterFiles& files, int ranks,
                                 const std::vector<std::string>& arguments) const {
  return measure({.mpi = "smpi",
                  .hostfile = files.hostfile,
                  .ranks = ranks,
                  .virtual_platform = files.platform,
                  .smpi_arguments = files.smpi_arguments},
                 arguments);
}

SampleSet PaperContext::simulate(const VirtualMachine& machine, int ranks, Placement placement,
                                 const std::vector<std::string>& arguments) const {
  const TemporaryFolder files;
  const int nodes = (ranks + machine.per_node - 1) / machine.per_node;
  return simulate(write_virtual_machine(machine, nodes, placement, files.path()), ranks, arguments);
}

SampleSet PaperContext::simulate(const VirtualCluster& cluster, int ranks,
                                 const std::vector<std::string>& arguments) const {
  const TemporaryFolder files;
  return simulate(write_virtual_cluster(cluster, files.path()), ranks, arguments);
}

const Json& PaperContext::once(const std::string& name, const std::function<Json()>& make) {
  const auto found = values_.find(name);
  return found != values_.end() ? found->second : values_.emplace(name, make()).first->second;
}

}  // namespace postage
