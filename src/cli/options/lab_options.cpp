#include "cli/options/lab_options.hpp"

namespace postage {

void add_lab_plan_options(Command& command, LabRequest& request) {
  command.option("--hosts", request.hosts, "Number of hosts").required().range(2, kMostLabHosts);
  command
      .option("--rates", request.rates,
              "Bit rate of each direction, like 100M: one value for all hosts, or one for each")
      .comma_separated();
  command
      .option("--latency", request.latencies,
              "Latency between a host and its switch, like 50us: one value for all hosts, or one for each")
      .comma_separated();
  command
      .option("--switches", request.switches,
              "Number of switches, to which hosts are given in order, as many to each as can be; several are joined by "
              "a core switch, which limits nothing")
      .with_default()
      .range(1, kMostLabHosts);
  command
      .option("--uplink", request.uplinks,
              "Bit rate of the cable between a switch and the core: one value for all switches, or one for each")
      .comma_separated();
  command
      .option("--uplink-latency", request.uplink_latencies,
              "Latency between a switch and the core: one value for all switches, or one for each")
      .comma_separated();
  command.option("--mtu", request.mtu, "MTU in bytes").with_default();
  command.option("--queue", request.queue, "Queue of a switch port in bytes; further frames are dropped")
      .with_default();
  command.flag("--bridge", request.bridge,
               "Use bridges of the kernel as switches: faster, but rates are coarse and latency cannot be set");
}

}  // namespace postage
