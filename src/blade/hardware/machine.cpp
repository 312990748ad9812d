#include "blade/hardware/machine.hpp"

#include "blade/hardware/machine_builder.hpp"

#include <simgrid/s4u/Comm.hpp>

namespace postage::blade {
namespace {

namespace s4u = simgrid::s4u;

/// Whole quadwords, which is what a ring moves.
std::uint64_t on_the_bus(Bytes bytes, Bytes width) {
  return static_cast<std::uint64_t>((bytes + width - 1) / width * width);
}

}  // namespace

Machine::Machine(int blades, const CellHardware& hardware)
    : hardware_(hardware), blades_(blades), engine_("postage-blade") {
  configure_engine();
  MachineBuilder builder(hardware_);
  for (int blade = 0; blade < blades; ++blade) {
    builder.add_blade(blade, spes_, ppes_, snoopers_);
  }
  builder.join(ppes_);
}

Machine::~Machine() = default;

void Machine::command_phase(const Element& requester, const Element& other) const {
  const auto& snoopers = snoopers_.at(static_cast<std::size_t>(requester.blade));
  const std::size_t which =
      requester.chip == other.chip ? static_cast<std::size_t>(requester.chip) : snoopers.size() - 1;
  s4u::Comm::sendto(requester.host, snoopers[which], 1);
}

void Machine::data_phase(const Element& from, const Element& to, Bytes bytes) const {
  s4u::Comm::sendto(from.host, to.host, on_the_bus(bytes, hardware_.bus_width));
}

void Machine::network_message(const Element& from, const Element& to, Bytes bytes) const {
  s4u::Comm::sendto(from.host, to.host, static_cast<std::uint64_t>(bytes));
}

}  // namespace postage::blade
