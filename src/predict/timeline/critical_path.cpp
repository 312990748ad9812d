#include "predict/timeline/critical_path.hpp"

namespace postage {
namespace {

std::size_t index(Rank rank) {
  return static_cast<std::size_t>(rank);
}

}  // namespace

CriticalPathTracer::CriticalPathTracer(Rank ranks)
    : processor_(index(ranks)), last_sent_(index(ranks), kNone), last_received_(index(ranks), kNone) {}

void CriticalPathTracer::started(const RoundPosition& position, const Flight& flight, bool port_decides) {
  Record record{.message = {flight, position, 0}};
  if (port_decides) {
    record.start_spaced_after = last_sent_[index(flight.source)];
  } else {
    record.start_after = processor_[index(flight.source)];
  }
  messages_.push_back(record);
  processor_[index(flight.source)] = {flight.number, false};
  last_sent_[index(flight.source)] = flight.number;
}

void CriticalPathTracer::finished(const Flight& flight, Seconds arrived, bool port_decides, bool processor_decides,
                                  Seconds) {
  Record& record = messages_[flight.number];
  record.message.arrived = arrived;
  if (port_decides) {
    record.arrived_spaced_after = last_received_[index(flight.target)];
  }
  if (processor_decides) {
    record.done_after = processor_[index(flight.target)];
  }
  processor_[index(flight.target)] = {flight.number, true};
  last_received_[index(flight.target)] = flight.number;
}

std::vector<PathPiece> CriticalPathTracer::path_to(Rank last) const {
  std::vector<PathPiece> path;
  const auto add = [&](std::size_t message, const char* what, Seconds seconds) {
    if (seconds > 0) {
      path.push_back({message, what, seconds});
    }
  };
  Moment moment = processor_[index(last)];
  while (moment.message != kNone) {
    std::size_t number = moment.message;
    if (moment.received) {
      add(number, "receiver busy", messages_[number].message.flight.cost.receiver_busy);
      if (messages_[number].done_after.message != kNone) {
        moment = messages_[number].done_after;
        continue;
      }
      for (std::size_t before = messages_[number].arrived_spaced_after; before != kNone;
           before = messages_[number].arrived_spaced_after) {
        add(number, "gap at the receiver", messages_[number].message.arrived - messages_[before].message.arrived);
        number = before;
      }
      add(number, "wire", messages_[number].message.flight.cost.wire);
    }
    add(number, "sender busy", messages_[number].message.flight.cost.sender_busy);
    for (std::size_t before = messages_[number].start_spaced_after; before != kNone;
         before = messages_[number].start_spaced_after) {
      add(number, "gap at the sender", messages_[number].message.flight.start - messages_[before].message.flight.start);
      number = before;
    }
    moment = messages_[number].start_after;
  }
  std::reverse(path.begin(), path.end());
  return path;
}

}  // namespace postage
