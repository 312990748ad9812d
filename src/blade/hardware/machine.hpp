#pragma once

#include "blade/hardware/cell_hardware.hpp"

#include <simgrid/s4u/Engine.hpp>
#include <simgrid/s4u/Host.hpp>

#include <memory>
#include <vector>

namespace postage::blade {

/// What takes part in transfers: an SPE, or the PPE that speaks for its blade.
struct Element {
  int blade = 0;
  int chip = 0;
  int position = 0;  ///< on the rings
  Cycles issue = 0;  ///< of a DMA command
  Cycles poll = 0;   ///< until it sees a flag in its memory
  simgrid::s4u::Host* host = nullptr;
};

/// Blades as SimGrid hosts and links. An element's on-ramp and off-ramp, the command bus and each direction of the BIF
/// pass one transfer at a time, in the order in which they come; a segment of the rings as many as there are rings in
/// that direction, which have three transfers each at most. So a line of 128 bytes waits until its whole path is free,
/// as the EIB's arbiter lets it, and bus requests of several SPEs take turns.
///
///   on-ramp -> segments -> off-ramp                                                    on a chip
///   on-ramp -> segments -> BIF -> segments of the other chip -> off-ramp               across
///
/// SimGrid simulates one platform in a process: construct it once.
class Machine {
 public:
  explicit Machine(int blades, const CellHardware& hardware = {});
  ~Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  [[nodiscard]] const CellHardware& hardware() const { return hardware_; }
  [[nodiscard]] int blades() const { return blades_; }
  /// SPEs are numbered through: the first eight on the first chip of the first blade, the next eight on its second, ...
  [[nodiscard]] const Element& spe(int number) const { return spes_.at(static_cast<std::size_t>(number)); }
  [[nodiscard]] const Element& ppe(int blade) const { return ppes_.at(static_cast<std::size_t>(blade)); }

  /// The command phase of a bus request of `requester` for a transfer with `other` on the same blade. Blocks the actor.
  void command_phase(const Element& requester, const Element& other) const;
  /// The data phase of a bus request of so many bytes.
  void data_phase(const Element& from, const Element& to, Bytes bytes) const;
  /// A message between PPEs of different blades, without MPI's overheads.
  void network_message(const Element& from, const Element& to, Bytes bytes) const;

  [[nodiscard]] simgrid::s4u::Engine& engine() { return engine_; }

 private:
  CellHardware hardware_;
  int blades_;
  simgrid::s4u::Engine engine_;
  std::vector<Element> spes_;
  std::vector<Element> ppes_;
  /// By blade: that of each chip, and that of both.
  std::vector<std::vector<simgrid::s4u::Host*>> snoopers_;
};

}  // namespace postage::blade
