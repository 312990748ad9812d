#include "blade/hardware/session.hpp"

#include <postage/base/error.hpp>

#include <fmt/format.h>
#include <simgrid/s4u/Actor.hpp>

#include <cmath>
#include <exception>
#include <limits>
#include <utility>

namespace postage::blade {
namespace {

namespace s4u = simgrid::s4u;

/// Between two experiments, and what their starts are multiples of: no history shows in a result.
constexpr Cycles kPause = 1 << 20;
constexpr Cycles kNever = std::numeric_limits<Cycles>::quiet_NaN();

}  // namespace

Session::Session(Machine& machine, int spes)
    : machine_(machine), start_((std::floor(s4u::Engine::get_clock() / kPause) + 1) * kPause) {
  for (int number = 0; number < spes; ++number) {
    spes_.push_back(std::make_unique<Spe>(machine, machine.spe(number), number));
  }
  for (int blade = 0; blade * CellHardware::kSpesOfBlade < spes; ++blade) {
    const int number = machine.blades() * CellHardware::kSpesOfBlade + blade;
    ppes_.push_back(std::make_unique<Spe>(machine, machine.ppe(blade), number));
  }
}

Cycles Session::now() const {
  return s4u::Engine::get_clock() - start_;
}

void Session::run_on(Spe& spe, std::function<void()> program) {
  Cycles& end = *ends_.emplace_back(std::make_unique<Cycles>(kNever));
  s4u::Actor::create(fmt::format("program {}", spe.number()), spe.element().host,
                     [this, &end, program = std::move(program)] {
                       try {
                         s4u::this_actor::sleep_until(start_);
                         program();
                         end = now();
                       } catch (const Error&) {
                         failure_ = failure_ ? failure_ : std::current_exception();
                       }
                     });
}

std::vector<Cycles> Session::run() {
  machine_.engine().run();
  if (failure_) {
    std::rethrow_exception(failure_);
  }
  std::vector<Cycles> ends;
  for (const auto& end : ends_) {
    if (std::isnan(*end)) {
      throw Error("the programs on a blade wait for each other");
    }
    ends.push_back(*end);
  }
  return ends;
}

}  // namespace postage::blade
