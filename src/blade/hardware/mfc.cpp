#include "blade/hardware/mfc.hpp"

#include <postage/base/error.hpp>

#include <fmt/format.h>
#include <simgrid/s4u/Actor.hpp>

#include <algorithm>
#include <utility>

namespace postage::blade {
namespace {

namespace s4u = simgrid::s4u;

}  // namespace

Mfc::Mfc(const Machine& machine, const Element& owner)
    : machine_(machine),
      owner_(owner),
      free_entries_(s4u::Semaphore::create(static_cast<unsigned>(machine.hardware().queue_depth))),
      waiting_(s4u::Semaphore::create(0)) {
  for (int i = 0; i < machine.hardware().outstanding; ++i) {
    s4u::Actor::create(fmt::format("bus request {}", i), owner.host, [this] { serve_requests(); })->daemonize();
  }
}

void Mfc::enqueue(Command command) {
  const CellHardware& hardware = machine_.hardware();
  if (command.bytes > hardware.longest_dma) {
    throw Error(
        fmt::format("a DMA command of {} bytes; the MFC takes at most {}", command.bytes, hardware.longest_dma));
  }
  free_entries_->acquire();
  s4u::this_actor::sleep_for(owner_.issue);
  const Cycles ready = s4u::Engine::get_clock() + hardware.to_bus;
  const Bytes bytes = command.bytes;
  std::deque<BusRequest>& slot = requests_[command.from == &owner_ ? kPuts : kGets];
  const auto progress = std::make_shared<Progress>(Progress{std::move(command), bytes});
  for (Bytes at = 0; at < bytes; at += hardware.bus_request) {
    slot.push_back({progress, std::min(hardware.bus_request, bytes - at), ready});
    waiting_->release();
  }
}

void Mfc::serve_requests() {
  while (true) {
    waiting_->acquire();
    const BusRequest request = take_request();
    wait_for_turn(request.not_before);
    perform(request);
  }
}

Mfc::BusRequest Mfc::take_request() {
  const Slot slot = requests_[next_slot_].empty() ? (next_slot_ == kPuts ? kGets : kPuts) : next_slot_;
  next_slot_ = slot == kPuts ? kGets : kPuts;
  BusRequest request = std::move(requests_[slot].front());
  requests_[slot].pop_front();
  return request;
}

void Mfc::wait_for_turn(Cycles not_before) {
  const Cycles start = std::max({s4u::Engine::get_clock(), not_before, next_request_});
  next_request_ = start + machine_.hardware().bus_cycle;
  s4u::this_actor::sleep_until(start);
}

void Mfc::perform(const BusRequest& request) {
  Progress& progress = *request.of;
  const Command& command = progress.command;
  machine_.command_phase(owner_, command.from == &owner_ ? *command.to : *command.from);
  machine_.data_phase(*command.from, *command.to, request.bytes);
  progress.left -= request.bytes;
  if (progress.left == 0) {
    command.done();
    free_entries_->release();
  }
}

}  // namespace postage::blade
