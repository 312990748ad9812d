#pragma once

#include <postage/predict/traces/recording.hpp>

#include <map>
#include <span>
#include <vector>

namespace postage {

/// A message of one rank, with the tag by which both ends know it.
struct WalkedMessage {
  Rank peer = 0;
  std::uint32_t tag = 0;
  Bytes bytes = 0;
};

/// What becomes of a rank's calls, in their order.
class WalkSink {
 public:
  WalkSink() = default;
  virtual ~WalkSink() = default;
  WalkSink(const WalkSink&) = delete;
  WalkSink& operator=(const WalkSink&) = delete;

  virtual void compute(Seconds seconds) = 0;
  virtual void send(const WalkedMessage& message) = 0;
  virtual void receive(const WalkedMessage& message) = 0;
  virtual void start_send(const WalkedMessage& message, std::uint64_t request) = 0;
  virtual void start_receive(const WalkedMessage& message, std::uint64_t request) = 0;
  virtual void wait(std::span<const std::uint64_t> requests) = 0;
  /// One round of a collective.
  virtual void exchange(std::span<const WalkedMessage> sends, std::span<const WalkedMessage> receives) = 0;
};

/// A recording whose messages and collectives have been matched.
class RecordingWalk {
 public:
  explicit RecordingWalk(const Recording& recording);
  void walk(Rank rank, WalkSink& sink) const;

 private:
  struct Instance {
    std::uint32_t tag = 0;
    Schedule schedule{};
  };
  using Members = std::vector<Rank>;

  void match_messages();
  void match_collectives();
  void exchange_rounds(Rank rank, const Members& members, const Instance& instance, WalkSink& sink) const;

  static constexpr std::uint32_t kNoMessage = 0xffffffff;

  const Recording& recording_;
  std::vector<std::vector<WalkedMessage>> messages_;      ///< [rank][call], of messages
  std::map<Members, std::vector<Instance>> collectives_;  ///< in the order of the communicator's calls
};

}  // namespace postage
