#include "predict/traces/recording_walk.hpp"

#include <unordered_map>
#include <utility>

namespace postage {
namespace {

/// Writes a rank's calls as operations. What comes next waits for `before_`: the end of blocking calls, the start of
/// those that only start something.
class TraceSink final : public WalkSink {
 public:
  explicit TraceSink(RankTrace& trace) : trace_(trace) {}

  void compute(Seconds seconds) override { before_ = {{add({.seconds = seconds}), false}}; }
  void send(const WalkedMessage& message) override { before_ = {{add(TraceKind::kSend, message), false}}; }
  void receive(const WalkedMessage& message) override { before_ = {{add(TraceKind::kReceive, message), false}}; }
  void start_send(const WalkedMessage& message, std::uint64_t request) override {
    start(TraceKind::kSend, message, request);
  }
  void start_receive(const WalkedMessage& message, std::uint64_t request) override {
    start(TraceKind::kReceive, message, request);
  }

  void wait(std::span<const std::uint64_t> requests) override {
    for (const std::uint64_t request : requests) {
      if (const auto found = started_.find(request); found != started_.end()) {
        before_.push_back({found->second, false});
        started_.erase(found);
      }
    }
  }

  void exchange(std::span<const WalkedMessage> sends, std::span<const WalkedMessage> receives) override {
    std::vector<Before> now;
    for (const WalkedMessage& message : sends) {
      now.push_back({add(TraceKind::kSend, message), false});
    }
    for (const WalkedMessage& message : receives) {
      now.push_back({add(TraceKind::kReceive, message), false});
    }
    before_ = std::move(now);
  }

 private:
  struct Before {
    std::uint32_t operation = 0;
    bool of_start = false;
  };

  std::uint32_t add(const TraceOperation& operation) {
    const auto number = static_cast<std::uint32_t>(trace_.operations.size());
    trace_.operations.push_back(operation);
    for (const Before& before : before_) {
      trace_.dependencies.push_back({number, before.operation, before.of_start});
    }
    return number;
  }

  std::uint32_t add(TraceKind kind, const WalkedMessage& message) {
    return add({.kind = kind, .peer = message.peer, .tag = message.tag, .bytes = message.bytes});
  }

  void start(TraceKind kind, const WalkedMessage& message, std::uint64_t request) {
    const std::uint32_t number = add(kind, message);
    started_[request] = number;
    before_ = {{number, true}};
  }

  RankTrace& trace_;
  std::vector<Before> before_;
  std::unordered_map<std::uint64_t, std::uint32_t> started_;  ///< operations by request
};

}  // namespace

Trace trace_of(const Recording& recording) {
  const RecordingWalk walk(recording);
  Trace trace{std::vector<RankTrace>(recording.ranks.size())};
  for (std::size_t rank = 0; rank < trace.ranks.size(); ++rank) {
    TraceSink sink(trace.ranks[rank]);
    walk.walk(static_cast<Rank>(rank), sink);
  }
  return trace;
}

}  // namespace postage
