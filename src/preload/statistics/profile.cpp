#include "preload/statistics/profile.hpp"

namespace postage::preload {
namespace {

void add(MessageSizes& sizes, Bytes bytes, std::uint64_t messages) {
  MessageTotals& totals = sizes[static_cast<std::size_t>(SizeClass(bytes).number())];
  totals.messages += messages;
  totals.bytes += bytes * static_cast<Bytes>(messages);
}

void add(MessageSizes& sizes, const MessageSizes& others) {
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    sizes[i].messages += others[i].messages;
    sizes[i].bytes += others[i].bytes;
  }
}

bool sends(Entry entry) {
  return (entry >= Entry::kSend && entry <= Entry::kIrsend) || entry == Entry::kSendrecv ||
         entry == Entry::kSendrecv_replace;
}

bool is_collective(Entry entry) {
  return is_blocking_collective(entry) || entry >= Entry::kIbarrier;
}

bool goes_to_each(Entry entry) {
  return entry == Entry::kAlltoall || entry == Entry::kIalltoall || entry == Entry::kAllgather ||
         entry == Entry::kAllgatherv || entry == Entry::kIallgather;
}

}  // namespace

void CallTotals::add(const CallTotals& other) {
  calls += other.calls;
  bytes += other.bytes;
  seconds += other.seconds;
}

void Counts::add(const Counts& other) {
  for (const auto& [key, totals] : other.calls) {
    calls[key].add(totals);
  }
  preload::add(point_to_point, other.point_to_point);
  preload::add(collective, other.collective);
  program += other.program;
  communication += other.communication;
}

void Profile::count(const CallEvent& event) {
  const Seconds seconds = event.ended - event.began;
  const std::scoped_lock lock(mutex_);
  const Bytes size = event.bytes > 0 ? event.bytes : event.received_bytes;
  const CallKey key{event.entry, SizeClass(size).number(), event.algorithm != nullptr ? event.algorithm : ""};
  counts_.calls[key].add({1, event.bytes, seconds});
  counts_.communication += seconds;
  count_messages(event);
}

void Profile::count_messages(const CallEvent& event) {
  if (is_collective(event.entry)) {
    count_collective_messages(event);
  } else {
    count_point_to_point(event);
  }
}

void Profile::count_collective_messages(const CallEvent& event) {
  if (event.entry == Entry::kAlltoallv) {
    for (const Bytes bytes : event.bytes_by_rank) {
      add(counts_.collective, bytes, bytes > 0 ? 1 : 0);
    }
  } else {
    const auto others = static_cast<std::uint64_t>(event.ranks > 1 ? event.ranks - 1 : 0);
    add(counts_.collective, event.bytes, goes_to_each(event.entry) ? others : 1);
  }
}

void Profile::count_point_to_point(const CallEvent& event) {
  const bool is_persistent = event.entry >= Entry::kSend_init && event.entry <= Entry::kRsend_init;
  if (sends(event.entry) && event.peer >= 0) {
    add(counts_.point_to_point, event.bytes, 1);
  } else if (is_persistent && !event.requests.empty()) {
    persistent_sends_[event.requests.front()] = event.bytes;
  } else if (event.entry == Entry::kStart || event.entry == Entry::kStartall) {
    for (const std::uint64_t request : event.requests) {
      if (const auto known = persistent_sends_.find(request); known != persistent_sends_.end()) {
        add(counts_.point_to_point, known->second, 1);
      }
    }
  } else if (event.entry == Entry::kRequest_free && !event.requests.empty()) {
    persistent_sends_.erase(event.requests.front());
  }
}

Counts Profile::counts() const {
  const std::scoped_lock lock(mutex_);
  return counts_;
}

}  // namespace postage::preload
