#include "blade/hardware/spe.hpp"

#include <simgrid/s4u/Actor.hpp>

#include <algorithm>
#include <memory>
#include <utility>

namespace postage::blade {
namespace {

namespace s4u = simgrid::s4u;

/// "The smallest DMA transfer possible on Cell" (section 3.3): L(1) is its latency.
constexpr Bytes kNotificationBytes = 16;

}  // namespace

Spe::Spe(const Machine& machine, const Element& element, int number)
    : machine_(machine),
      element_(element),
      number_(number),
      mfc_(machine, element),
      polling_(s4u::Semaphore::create(0)) {}

void Spe::notice() {
  unseen_ = true;
  if (is_polling_) {
    is_polling_ = false;
    polling_->release();
  }
}

void Spe::deliver(const Notification& notification) {
  arrived_.push_back(notification);
  notice();
}

void Spe::poll() {
  if (!unseen_) {
    is_polling_ = true;
    polling_->acquire();
  }
  spend(element_.poll);
  unseen_ = false;
}

void Spe::spend(Cycles cycles) const {
  s4u::this_actor::sleep_for(cycles);
}

void Spe::put(Spe& target, const Notification& notification, std::function<void()> done) {
  mfc_.enqueue({&element_, &target.element_, kNotificationBytes, [this, &target, notification, done = std::move(done)] {
                  target.deliver(notification);
                  if (done) {
                    done();
                    notice();
                  }
                }});
}

void Spe::get(const Spe& source, Bytes bytes, std::function<void()> done) {
  const auto left = std::make_shared<Bytes>(bytes);
  const Bytes longest = machine_.hardware().longest_dma;
  for (Bytes at = 0; at < bytes; at += longest) {
    const Bytes part = std::min(longest, bytes - at);
    mfc_.enqueue({&source.element_, &element_, part, [this, left, part, done] {
                    *left -= part;
                    if (*left == 0) {
                      done();
                      notice();
                    }
                  }});
  }
}

void Spe::get_and_wait(const Spe& source, Bytes bytes) {
  bool complete = false;
  get(source, bytes, [&] { complete = true; });
  while (!complete) {
    poll();
  }
}

Notification Spe::await(Notification::Kind kind, int sender) {
  look();
  while (true) {
    const auto found = std::find_if(arrived_.begin(), arrived_.end(), [&](const Notification& notification) {
      return notification.kind == kind && notification.sender == sender;
    });
    if (found != arrived_.end()) {
      const Notification taken = *found;
      arrived_.erase(found);
      return taken;
    }
    poll();
  }
}

}  // namespace postage::blade
