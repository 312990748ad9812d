#include "predict/timeline/critical_path.hpp"

namespace postage {

CriticalPathTracer::CriticalPathTracer(const MessageList& list)
    : list_(list),
      records_(list.messages().size()),
      processor_(static_cast<std::size_t>(list.ranks())),
      last_sent_(processor_.size(), kNone),
      last_arrived_(processor_.size(), kNone) {}

std::size_t CriticalPathTracer::source_of(MessageNumber number) const {
  return static_cast<std::size_t>(list_.messages()[number].source);
}

std::size_t CriticalPathTracer::target_of(MessageNumber number) const {
  return static_cast<std::size_t>(list_.messages()[number].target);
}

void CriticalPathTracer::started(MessageNumber number, const TransferCost& cost, Seconds start, bool port_decides) {
  Record& record = records_[number];
  const std::size_t source = source_of(number);
  record.cost = cost;
  record.start = start;
  if (port_decides) {
    record.start_spaced_after = last_sent_[source];
  } else {
    record.start_after = processor_[source];
  }
  processor_[source] = {number, false};
  last_sent_[source] = number;
}

void CriticalPathTracer::arrived(MessageNumber number, Seconds end, bool port_decides) {
  MessageNumber& last = last_arrived_[target_of(number)];
  records_[number].end = end;
  if (port_decides) {
    records_[number].arrived_spaced_after = last;
  }
  last = number;
}

void CriticalPathTracer::taken_in(MessageNumber number, bool processor_decides) {
  Moment& processor = processor_[target_of(number)];
  if (processor_decides) {
    records_[number].done_after = processor;
  }
  processor = {number, true};
}

std::vector<PathPiece> CriticalPathTracer::path_to(Rank last) const {
  std::vector<PathPiece> path;
  const auto add = [&](MessageNumber message, const char* what, Seconds seconds) {
    if (seconds > 0) {
      path.push_back({message, what, seconds});
    }
  };
  Moment moment = processor_[static_cast<std::size_t>(last)];
  while (moment.message != kNone) {
    MessageNumber number = moment.message;
    if (moment.received) {
      add(number, "receiver busy", records_[number].cost.receiver_busy);
      if (records_[number].done_after.message != kNone) {
        moment = records_[number].done_after;
        continue;
      }
      for (MessageNumber before = records_[number].arrived_spaced_after; before != kNone;
           before = records_[number].arrived_spaced_after) {
        add(number, "gap at the receiver", records_[number].end - records_[before].end);
        number = before;
      }
      add(number, "wire", records_[number].cost.wire);
    }
    add(number, "sender busy", records_[number].cost.sender_busy);
    for (MessageNumber before = records_[number].start_spaced_after; before != kNone;
         before = records_[number].start_spaced_after) {
      add(number, "gap at the sender", records_[number].start - records_[before].start);
      number = before;
    }
    moment = records_[number].start_after;
  }
  std::reverse(path.begin(), path.end());
  return path;
}

}  // namespace postage
