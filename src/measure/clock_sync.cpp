#include "measure/clock_sync.hpp"

#include "measure/messages.hpp"

#include <algorithm>
#include <limits>

namespace postage {
namespace {

constexpr int kExchanges = 20;

/// Rank 0's side: replies with its time.
void tell_time(Transport& transport, Rank rank) {
  for (int i = 0; i < kExchanges; ++i) {
    transport.receive({}, rank, kClockTag);
    send_value(transport, transport.now(), rank, kClockTag);
  }
}

/// The answer of the quickest roundtrip was taken in the middle of it, give or take half of it.
ClockReading ask_time(Transport& transport) {
  ClockReading best{.error = std::numeric_limits<double>::infinity()};
  for (int i = 0; i < kExchanges; ++i) {
    const Seconds asked = transport.now();
    transport.send({}, 0, kClockTag);
    const auto answer = receive_value<Seconds>(transport, 0, kClockTag);
    const Seconds told = transport.now();
    const Seconds error = (told - asked) / 2;
    if (error < best.error) {
      best = {asked + error, answer - (asked + error), error};
    }
  }
  return best;
}

}  // namespace

Seconds clock_tick(const Transport& transport) {
  if (transport.is_virtual()) {
    return 0;
  }
  constexpr std::size_t readings = 2000;
  std::vector<double> steps;
  for (Seconds last = transport.now(); steps.size() < readings;) {
    const Seconds now = transport.now();
    steps.push_back(now - last);
    last = now;
  }
  std::sort(steps.begin(), steps.end());
  double tick = 0;
  for (std::size_t i = readings / 20; i < readings - readings / 20; ++i) {
    tick = std::max(tick, steps[i] - steps[i - 1]);
  }
  return tick;
}

ClockLine fit_clock(const std::vector<ClockReading>& readings) {
  const ClockReading& last = readings.back();
  const bool too_short = last.local - readings.front().local < kLeastClockSpan;
  double weights = 0;
  double mean_time = 0;
  double mean_offset = 0;
  for (const ClockReading& reading : readings) {
    // Running weighted means, about the last reading: times since some boot would cancel.
    const double weight = 1 / std::max(reading.error * reading.error, 1e-24);
    weights += weight;
    mean_time += (reading.local - last.local - mean_time) * weight / weights;
    mean_offset += (reading.offset - last.offset - mean_offset) * weight / weights;
  }
  double products = 0;
  double squares = 0;
  for (const ClockReading& reading : readings) {
    const double weight = 1 / std::max(reading.error * reading.error, 1e-24);
    const double time = reading.local - last.local - mean_time;
    products += weight * time * (reading.offset - last.offset - mean_offset);
    squares += weight * time * time;
  }
  if (too_short || squares <= 0) {
    return {last.local, last.offset, 0};
  }
  const double drift = products / squares;
  return {last.local, last.offset + mean_offset - drift * mean_time, drift};
}

void SynchronisedClock::synchronise() {
  if (is_one_clock()) {
    return;
  }
  if (transport_.rank() == 0) {
    for (Rank rank = 1; rank < transport_.size(); ++rank) {
      tell_time(transport_, rank);
    }
    return;
  }
  readings_.push_back(ask_time(transport_));
  line_ = fit_clock(readings_);
}

}  // namespace postage
