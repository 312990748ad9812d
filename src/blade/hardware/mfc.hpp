#pragma once

#include "blade/hardware/machine.hpp"

#include <simgrid/s4u/Semaphore.hpp>

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>

namespace postage::blade {

/// The memory flow controller of an SPE, or what does the same for a PPE. It takes DMA commands into a queue, cuts each
/// into bus requests of at most 128 bytes, and has a limited number of them under way; a command leaves the queue
/// when its last bytes have arrived. Requests of puts and of gets take turns (IBM: command slots alternate), so that a
/// notification does not wait behind a long get; those of one kind are made in order.
///
///   SPU: issue | MFC: to_bus | EIB: command phase | data phase        of each request; one request a bus cycle starts
class Mfc {
 public:
  /// Lives until the end of one Engine::run: its actors are daemons.
  Mfc(const Machine& machine, const Element& owner);

  struct Command {
    const Element* from = nullptr;
    const Element* to = nullptr;
    Bytes bytes = 0;
    std::function<void()> done;  ///< called when all bytes are there
  };

  /// Called by the SPU's actor: blocks it while it writes the command, and while the queue is full.
  void enqueue(Command command);

 private:
  struct Progress {
    Command command;
    Bytes left = 0;  ///< that have not arrived
  };
  struct BusRequest {
    std::shared_ptr<Progress> of;
    Bytes bytes = 0;
    Cycles not_before = 0;
  };

  enum Slot : std::size_t { kPuts, kGets };

  void serve_requests();
  BusRequest take_request();
  void wait_for_turn(Cycles not_before);
  void perform(const BusRequest& request);

  const Machine& machine_;
  const Element& owner_;
  simgrid::s4u::SemaphorePtr free_entries_;
  simgrid::s4u::SemaphorePtr waiting_;  ///< counts requests_
  std::array<std::deque<BusRequest>, 2> requests_;
  Slot next_slot_ = kPuts;
  Cycles next_request_ = 0;
};

}  // namespace postage::blade
