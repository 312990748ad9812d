// A SimGrid platform for smpirun: two hosts of eight ranks whose memory and network interfaces are neither perfectly
// parallel nor serial. n transfers at once take n^x times as long as one, x = 0.6 in memory and 0.8 over the network.
#include <simgrid/s4u.hpp>

#include <cmath>
#include <string>

namespace sg = simgrid::s4u;

namespace {

sg::Link* add_link(sg::NetZone* zone, const std::string& name, double bandwidth, double latency, double power) {
  // Each of n transfers gets an n-th of what the link carries in all.
  return zone->create_link(name, bandwidth)
      ->set_latency(latency)
      ->set_sharing_policy(sg::Link::SharingPolicy::NONLINEAR,
                           [power](double capacity, int n) { return capacity * std::pow(n, 1 - power); })
      ->seal();
}

}  // namespace

extern "C" void load_platform(const sg::Engine&);
extern "C" void load_platform(const sg::Engine&) {
  sg::NetZone* zone = sg::create_full_zone("world");
  sg::Host* hosts[2];
  sg::Link* out[2];
  sg::Link* in[2];
  for (int i = 0; i < 2; ++i) {
    const std::string number = std::to_string(i);
    hosts[i] = zone->create_host("h" + number, 1e9)->set_core_count(8);
    for (const char* cost : {"smpi/os", "smpi/ois", "smpi/or"}) {
      hosts[i]->set_property(cost, "0:1e-6:0");
    }
    hosts[i]->seal();
    sg::Link* memory = add_link(zone, "memory" + number, 20e9, 200e-9, 0.6);
    out[i] = add_link(zone, "out" + number, 5e9, 5e-6, 0.8);
    in[i] = add_link(zone, "in" + number, 5e9, 5e-6, 0.8);
    zone->add_route(hosts[i]->get_netpoint(), hosts[i]->get_netpoint(), nullptr, nullptr, {sg::LinkInRoute(memory)});
  }
  for (int i = 0; i < 2; ++i) {
    zone->add_route(hosts[i]->get_netpoint(), hosts[1 - i]->get_netpoint(), nullptr, nullptr,
                    {sg::LinkInRoute(out[i]), sg::LinkInRoute(in[1 - i])}, false);
  }
  zone->seal();
}
