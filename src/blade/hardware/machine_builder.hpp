#pragma once

#include "blade/hardware/machine.hpp"

#include <simgrid/s4u/Link.hpp>
#include <simgrid/s4u/NetZone.hpp>

#include <array>
#include <string>
#include <vector>

namespace postage::blade {

/// Sets SimGrid's options: links as they are described, without TCP.
void configure_engine();

/// Writes blades as hosts, links and routes of one zone.
class MachineBuilder {
 public:
  explicit MachineBuilder(const CellHardware& hardware);

  void add_blade(int blade, std::vector<Element>& spes, std::vector<Element>& ppes,
                 std::vector<std::vector<simgrid::s4u::Host*>>& snoopers);
  /// The network between the blades, and the end of it all.
  void join(const std::vector<Element>& ppes);

 private:
  using Links = std::vector<simgrid::s4u::Link*>;
  struct Chip {
    std::array<Links, 2> segments;               ///< clockwise and counter-clockwise
    std::array<simgrid::s4u::Link*, 2> rings{};  ///< all transfers in that direction
    simgrid::s4u::Link* commands = nullptr;      ///< one request at a time
    simgrid::s4u::Link* coherence = nullptr;     ///< what the command phase takes after that
    Links on_ramps;                              ///< by position
    Links off_ramps;                             ///< by position
  };
  struct Blade {
    std::array<Chip, CellHardware::kChips> chips;
    std::array<simgrid::s4u::Link*, CellHardware::kChips> bif{};  ///< by the chip that sends
    simgrid::s4u::Link* there_and_back = nullptr;                 ///< of a command over the BIF
  };

  [[nodiscard]] simgrid::s4u::Link* link(const std::string& name, double rate, Cycles latency, int transfers) const;
  [[nodiscard]] simgrid::s4u::Link* delay(const std::string& name, Cycles latency) const;
  [[nodiscard]] Element spe(int blade, int number, const std::string& name) const;
  [[nodiscard]] Element ppe(int blade, const std::string& name) const;
  [[nodiscard]] Chip chip(const std::string& name) const;
  [[nodiscard]] Blade blade(const std::string& name) const;
  void add_path(Links& route, const Chip& chip, int from, int to) const;
  void add_data_route(const Blade& blade, const Element& from, const Element& to) const;
  void add_command_routes(const Blade& blade, const Element& from,
                          const std::vector<simgrid::s4u::Host*>& snoopers) const;
  void route(const simgrid::s4u::Host* from, const simgrid::s4u::Host* to, const Links& links) const;

  const CellHardware& hardware_;
  simgrid::s4u::NetZone* zone_;
};

}  // namespace postage::blade
