#include "predict/timeline/critical_path.hpp"

namespace postage {
namespace {

void add_piece(MessageNumber message, const char* what, Seconds seconds, std::vector<PathPiece>& path) {
  if (seconds != 0) {
    path.push_back({message, what, seconds});
  }
}

}  // namespace

CriticalPathTracer::CriticalPathTracer(const MessageList& list)
    : list_(list),
      records_(list.messages().size()),
      processor_(static_cast<std::size_t>(list.ranks())),
      last_sent_(processor_.size(), kNoMessage),
      last_arrived_(processor_.size(), kNoMessage) {}

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
  processor_[source] = {number, End::kSent};
  last_sent_[source] = number;
}

void CriticalPathTracer::shared_source(MessageNumber number, Seconds later) {
  records_[number].shared_source = later;
}

void CriticalPathTracer::arrived(MessageNumber number, Seconds end, bool port_decides) {
  MessageNumber& last = last_arrived_[target_of(number)];
  records_[number].end = end;
  if (port_decides) {
    records_[number].arrived_spaced_after = last;
  }
  last = number;
}

void CriticalPathTracer::taken_in(MessageNumber number, const FanDelays& delays, bool processor_decides) {
  Moment& processor = processor_[target_of(number)];
  records_[number].delays = delays;
  if (processor_decides) {
    records_[number].done_after = processor;
  }
  processor = {number, End::kReceived};
}

void CriticalPathTracer::acknowledged(MessageNumber number) {
  processor_[source_of(number)] = {number, End::kAcknowledged};
}

std::vector<PathPiece> CriticalPathTracer::path_to(Rank last) const {
  std::vector<PathPiece> path;
  Moment moment = processor_[static_cast<std::size_t>(last)];
  while (moment.message != kNoMessage) {
    moment = moment.end != End::kSent ? before_taken_in(moment, path) : before_sent(moment.message, path);
  }
  std::reverse(path.begin(), path.end());
  return path;
}

CriticalPathTracer::Moment CriticalPathTracer::before_taken_in(const Moment& end, std::vector<PathPiece>& path) const {
  const MessageNumber number = end.message;
  const TransferCost& busy = records_[number].cost;
  if (end.end == End::kReceived) {
    add_piece(number, "correction of the slope", records_[number].delays.correction, path);
    add_piece(number, "receiver busy", busy.receiver_busy - busy.acknowledgement, path);
  }
  add_piece(number, "acknowledgement", busy.acknowledgement, path);
  if (records_[number].done_after.message != kNoMessage) {
    return records_[number].done_after;
  }
  if (records_[number].delays.served_after != FanDelays::kNobody) {
    const TransferCost& cost = records_[number].cost;
    add_piece(number, "transmission after the one before", cost.sender_busy + cost.wire, path);
    return {records_[number].delays.served_after, End::kReceived};
  }
  add_piece(number, "escalation", records_[number].delays.escalation, path);
  const std::uint32_t slowest = records_[number].delays.arrives_with;
  return before_arrival(slowest != FanDelays::kNobody ? slowest : number, path);
}

CriticalPathTracer::Moment CriticalPathTracer::before_arrival(MessageNumber number,
                                                              std::vector<PathPiece>& path) const {
  for (MessageNumber before = records_[number].arrived_spaced_after; before != kNoMessage;
       before = records_[number].arrived_spaced_after) {
    add_piece(number, "gap at the receiver", records_[number].end - records_[before].end, path);
    number = before;
  }
  add_piece(number, "gets of one source end together", records_[number].shared_source, path);
  add_piece(number, "wire", records_[number].cost.wire, path);
  const FanDelays& delays = records_[number].delays;
  if (delays.released_by == FanDelays::kNobody) {
    return {number, End::kSent};
  }
  add_piece(delays.released_by, "transmission before the small ones", delays.released_after, path);
  return {delays.released_by, End::kSent};
}

CriticalPathTracer::Moment CriticalPathTracer::before_sent(MessageNumber number, std::vector<PathPiece>& path) const {
  add_piece(number, "sender busy", records_[number].cost.sender_busy, path);
  for (MessageNumber before = records_[number].start_spaced_after; before != kNoMessage;
       before = records_[number].start_spaced_after) {
    const bool is_serialised = records_[number].delays.starts_serialised;
    add_piece(number, is_serialised ? "transmission of the one before" : "gap at the sender",
              records_[number].start - records_[before].start, path);
    number = before;
  }
  return records_[number].start_after;
}

}  // namespace postage
