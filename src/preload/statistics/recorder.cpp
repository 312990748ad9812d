#include "preload/statistics/recorder.hpp"

#include "preload/job.hpp"
#include "preload/statistics/text_file.hpp"

#include <fmt/format.h>

#include <iterator>

namespace postage::preload {
namespace {

/// Of one rank's text.
constexpr std::size_t kMostText = std::size_t{256} << 20;
/// Stands for the message that the sending half of a sendrecv is.
constexpr std::uint64_t kOwnRequest = 0;

bool is_persistent(Entry entry) {
  return entry >= Entry::kSend_init && entry <= Entry::kRecv_init;
}

}  // namespace

Recorder::Recorder(const JobRank& job, std::string file) : job_(job), file_(std::move(file)), last_ended_(now()) {}

void Recorder::observe(const CallEvent& event) {
  const std::scoped_lock lock(mutex_);
  if (text_.size() < kMostText) {
    record_computing(event);
    record(event);
  } else {
    is_full_ = true;
  }
}

void Recorder::record(const CallEvent& event) {
  if (is_blocking_collective(event.entry) || event.entry >= Entry::kIbarrier) {
    record_collective(event);
  } else if (is_persistent(event.entry)) {
    const bool sends = event.entry != Entry::kRecv_init;
    if (!event.requests.empty()) {
      persistent_[event.requests.front()] = {sends, sends ? event.peer : event.source, event.tag,
                                             sends ? event.bytes : event.received_bytes};
    }
  } else if (event.entry >= Entry::kStart && event.entry <= Entry::kRequest_free) {
    record_requests(event);
  } else if (event.entry != Entry::kProbe) {
    record_message(event);
  }
}

void Recorder::record_computing(const CallEvent& event) {
  const Seconds computed = event.began - last_ended_;
  if (computed > 0) {
    fmt::format_to(std::back_inserter(text_), "t {:.0f}\n", 1e9 * computed);
  }
  last_ended_ = event.ended;
}

void Recorder::record_message(const CallEvent& event) {
  const auto out = std::back_inserter(text_);
  const bool starts = !event.requests.empty();
  const bool exchanges = event.entry == Entry::kSendrecv || event.entry == Entry::kSendrecv_replace;
  const bool receives = event.entry == Entry::kRecv || event.entry == Entry::kIrecv;
  const std::uint64_t request = starts ? event.requests.front() : kOwnRequest;
  if (!receives && event.peer >= 0) {
    fmt::format_to(out, "{} {} {} {} {}\n", starts || exchanges ? 'S' : 's', event.peer, event.tag, event.bytes,
                   request);
  }
  // A started receive that names no source gets what nobody else does; a blocking one has found it.
  if ((receives || exchanges) && (event.source >= 0 || starts)) {
    const int tag = exchanges ? -1 : event.tag;
    fmt::format_to(out, "{} {} {} {} {}\n", starts ? 'R' : 'r', event.source, tag, event.received_bytes, request);
  }
  if (exchanges && event.peer >= 0) {
    fmt::format_to(out, "w {}\n", kOwnRequest);
  }
}

void Recorder::record_requests(const CallEvent& event) {
  const auto out = std::back_inserter(text_);
  if (event.entry == Entry::kStart || event.entry == Entry::kStartall) {
    for (const std::uint64_t request : event.requests) {
      if (const auto known = persistent_.find(request); known != persistent_.end()) {
        const Persistent& message = known->second;
        fmt::format_to(out, "{} {} {} {} {}\n", message.sends ? 'S' : 'R', message.peer, message.tag, message.bytes,
                       request);
      }
    }
  } else if (event.entry != Entry::kRequest_free && !event.requests.empty()) {
    fmt::format_to(out, "w {}\n", fmt::join(event.requests, " "));
  }
}

std::size_t Recorder::communicator_of(const CallEvent& event) {
  const auto [place, is_new] =
      communicators_.emplace(std::vector<int>(event.members.begin(), event.members.end()), communicators_.size());
  if (is_new) {
    fmt::format_to(std::back_inserter(text_), "g {}\n", fmt::join(event.members, " "));
  }
  return place->second;
}

void Recorder::record_collective(const CallEvent& event) {
  const std::size_t communicator = communicator_of(event);
  fmt::format_to(std::back_inserter(text_), "c {} {} {} {} {}", name_of(event.entry) + 4, communicator, event.peer,
                 event.bytes, event.received_bytes);
  if (event.entry == Entry::kAlltoallv) {
    fmt::format_to(std::back_inserter(text_), " {}", fmt::join(event.bytes_by_rank, " "));
  }
  text_ += '\n';
}

void Recorder::finish(const GatherText& gather) {
  const Seconds left = now() - last_ended_;
  fmt::format_to(std::back_inserter(text_), "t {:.0f}\n", 1e9 * left);
  if (is_full_) {
    std::fprintf(stderr, "postage: rank %d: the trace ends after %zu MiB\n", job_.rank, kMostText >> 20U);
  }
  const std::vector<std::string> ranks = gather(text_);
  if (job_.rank != 0) {
    return;
  }
  std::string all = fmt::format("postage recording 1\nranks {}\n", ranks.size());
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    all += fmt::format("rank {}\n", rank) + ranks[rank];
  }
  write_text(file_, all);
}

}  // namespace postage::preload
