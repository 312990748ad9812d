#include "blade/hardware/machine_builder.hpp"

#include "blade/hardware/rings.hpp"

#include <fmt/format.h>
#include <simgrid/s4u/Engine.hpp>

namespace postage::blade {
namespace {

namespace s4u = simgrid::s4u;

/// Of a link that only delays.
constexpr double kFast = 1e9;

}  // namespace

void configure_engine() {
  s4u::Engine::set_config("network/model:CM02");
  s4u::Engine::set_config("network/crosstraffic:0");
  s4u::Engine::set_config("network/TCP-gamma:1e18");
  s4u::Engine::set_config("network/weight-S:0");
  s4u::Engine::set_config("contexts/stack-size:256");
}

MachineBuilder::MachineBuilder(const CellHardware& hardware)
    : hardware_(hardware), zone_(s4u::create_full_zone("blades")) {}

s4u::Link* MachineBuilder::link(const std::string& name, double rate, Cycles latency, int transfers) const {
  return zone_->create_link(name, rate)->set_latency(latency)->set_concurrency_limit(transfers)->seal();
}

s4u::Link* MachineBuilder::delay(const std::string& name, Cycles latency) const {
  return zone_->create_link(name, kFast)
      ->set_latency(latency)
      ->set_sharing_policy(s4u::Link::SharingPolicy::FATPIPE)
      ->seal();
}

Element MachineBuilder::spe(int blade, int number, const std::string& name) const {
  return {.blade = blade,
          .chip = number / CellHardware::kSpesOfChip,
          .position = position_of_spe(number % CellHardware::kSpesOfChip),
          .issue = hardware_.issue,
          .poll = hardware_.poll,
          .host = zone_->create_host(fmt::format("{} SPE {}", name, number), 1.0)->seal()};
}

Element MachineBuilder::ppe(int blade, const std::string& name) const {
  return {.blade = blade,
          .chip = 0,
          .position = kPpePosition,
          .issue = hardware_.ppe_access,
          .poll = hardware_.ppe_access,
          .host = zone_->create_host(name + " PPE", 1.0)->seal()};
}

MachineBuilder::Chip MachineBuilder::chip(const std::string& name) const {
  const double width = static_cast<double>(hardware_.bus_width) / hardware_.bus_cycle;
  const Cycles line = static_cast<double>(hardware_.bus_request) / width;
  const Cycles ramp_latency = hardware_.data_phase - line - CellHardware::kHopsOfDataPhase * hardware_.bus_cycle;
  const int rings = hardware_.rings_each_way;
  Chip made;
  made.commands = link(name + " commands", 1 / hardware_.bus_cycle, 0, 1);
  made.coherence = delay(name + " coherence", hardware_.command_phase - hardware_.bus_cycle);
  for (std::size_t direction = 0; direction < 2; ++direction) {
    const int transfers = rings * hardware_.transfers_of_a_ring;
    made.rings[direction] = link(fmt::format("{} rings {}", name, direction), width * transfers, 0, transfers);
    for (int i = 0; i < kElements; ++i) {
      made.segments[direction].push_back(
          link(fmt::format("{} segment {} {}", name, direction, i), width * rings, hardware_.bus_cycle, rings));
    }
  }
  for (int i = 0; i < kElements; ++i) {
    made.on_ramps.push_back(link(fmt::format("{} on-ramp {}", name, i), width, ramp_latency, 1));
    made.off_ramps.push_back(link(fmt::format("{} off-ramp {}", name, i), width, 0, 1));
  }
  return made;
}

MachineBuilder::Blade MachineBuilder::blade(const std::string& name) const {
  Blade made;
  const double rate = hardware_.bif_rate / hardware_.clock;
  for (std::size_t i = 0; i < made.chips.size(); ++i) {
    const std::string chip_name = fmt::format("{} chip {}", name, i);
    made.chips[i] = chip(chip_name);
    made.bif[i] = link(chip_name + " BIF", rate, hardware_.bif_latency, 1);
  }
  made.there_and_back = delay(name + " BIF commands", 2 * hardware_.bif_latency);
  return made;
}

void MachineBuilder::add_path(Links& route, const Chip& chip, int from, int to) const {
  const RingPath path = ring_path(from, to);
  const std::size_t direction = path.clockwise ? 0 : 1;
  route.push_back(chip.rings[direction]);
  for (const std::size_t segment : path.segments) {
    route.push_back(chip.segments[direction][segment]);
  }
}

void MachineBuilder::route(const s4u::Host* from, const s4u::Host* to, const Links& links) const {
  std::vector<s4u::LinkInRoute> in_route(links.begin(), links.end());
  zone_->add_route(from->get_netpoint(), to->get_netpoint(), nullptr, nullptr, in_route, false);
}

void MachineBuilder::add_data_route(const Blade& blade, const Element& from, const Element& to) const {
  const Chip& source = blade.chips[static_cast<std::size_t>(from.chip)];
  const Chip& target = blade.chips[static_cast<std::size_t>(to.chip)];
  Links links{source.on_ramps[static_cast<std::size_t>(from.position)]};
  if (from.chip == to.chip) {
    add_path(links, source, from.position, to.position);
  } else {
    add_path(links, source, from.position, kBifPosition);
    links.push_back(blade.bif[static_cast<std::size_t>(from.chip)]);
    add_path(links, target, kBifPosition, to.position);
  }
  links.push_back(target.off_ramps[static_cast<std::size_t>(to.position)]);
  route(from.host, to.host, links);
}

void MachineBuilder::add_command_routes(const Blade& blade, const Element& from,
                                        const std::vector<s4u::Host*>& snoopers) const {
  const Chip& own = blade.chips[static_cast<std::size_t>(from.chip)];
  route(from.host, snoopers[static_cast<std::size_t>(from.chip)], {own.commands, own.coherence});
  route(from.host, snoopers.back(),
        {blade.chips[0].commands, blade.chips[1].commands, own.coherence, blade.there_and_back});
}

void MachineBuilder::add_blade(int number, std::vector<Element>& spes, std::vector<Element>& ppes,
                               std::vector<std::vector<s4u::Host*>>& snoopers) {
  const std::string name = fmt::format("blade {}", number);
  const Blade made = blade(name);
  std::vector<Element> elements;
  for (int i = 0; i < CellHardware::kSpesOfBlade; ++i) {
    spes.push_back(elements.emplace_back(spe(number, i, name)));
  }
  ppes.push_back(elements.emplace_back(ppe(number, name)));
  std::vector<s4u::Host*>& own = snoopers.emplace_back();
  for (int i = 0; i <= CellHardware::kChips; ++i) {
    own.push_back(zone_->create_host(fmt::format("{} snooper {}", name, i), 1.0)->seal());
  }
  for (const Element& from : elements) {
    add_command_routes(made, from, own);
    for (const Element& to : elements) {
      if (from.host != to.host) {
        add_data_route(made, from, to);
      }
    }
  }
}

void MachineBuilder::join(const std::vector<Element>& ppes) {
  const double rate = hardware_.network_rate / hardware_.clock;
  Links up;
  Links down;
  for (std::size_t i = 0; i < ppes.size(); ++i) {
    up.push_back(link(fmt::format("network up {}", i), rate, hardware_.network_latency, 1));
    down.push_back(link(fmt::format("network down {}", i), rate, 0, 1));
  }
  for (std::size_t i = 0; i < ppes.size(); ++i) {
    for (std::size_t k = 0; k < ppes.size(); ++k) {
      if (i != k) {
        route(ppes[i].host, ppes[k].host, {up[i], down[k]});
      }
    }
  }
  zone_->seal();
}

}  // namespace postage::blade
