#include "predict/traces/recording_walk.hpp"

#include <fmt/format.h>

#include <iterator>
#include <unordered_map>

namespace postage {
namespace {

constexpr double kFlopsPerSecond = 1e9;

/// The actions of SMPI's replay: RANK NAME ARGUMENTS. Sizes are of datatype 6, one byte each.
class ActionSink final : public WalkSink {
 public:
  ActionSink(std::string& text, Rank rank) : text_(text), rank_(rank) {}

  void compute(Seconds seconds) override { line("{} compute {:.0f}", rank_, seconds * kFlopsPerSecond); }
  void send(const WalkedMessage& message) override { sending("send", message); }
  void receive(const WalkedMessage& message) override { receiving("recv", message); }
  void start_send(const WalkedMessage& message, std::uint64_t request) override {
    sending("isend", message);
    started_[request] = fmt::format("{} wait {} {} {}", rank_, rank_, message.peer, tag_of(message));
  }
  void start_receive(const WalkedMessage& message, std::uint64_t request) override {
    receiving("irecv", message);
    started_[request] = fmt::format("{} wait {} {} {}", rank_, message.peer, rank_, tag_of(message));
  }

  void wait(std::span<const std::uint64_t> requests) override {
    for (const std::uint64_t request : requests) {
      if (const auto found = started_.find(request); found != started_.end()) {
        line("{}", found->second);
        started_.erase(found);
      }
    }
  }

  void exchange(std::span<const WalkedMessage> sends, std::span<const WalkedMessage> receives) override {
    for (const WalkedMessage& message : receives) {
      receiving("irecv", message);
    }
    for (const WalkedMessage& message : sends) {
      sending("isend", message);
    }
    for (const WalkedMessage& message : receives) {
      line("{} wait {} {} {}", rank_, message.peer, rank_, tag_of(message));
    }
    for (const WalkedMessage& message : sends) {
      line("{} wait {} {} {}", rank_, rank_, message.peer, tag_of(message));
    }
  }

 private:
  template <typename... Arguments>
  void line(const char* format, const Arguments&... arguments) {
    fmt::format_to(std::back_inserter(text_), fmt::runtime(format), arguments...);
    text_ += '\n';
  }
  /// SMPI's tags are ints that are not negative: the bit that tells collectives from messages becomes the lowest one.
  static std::uint32_t tag_of(const WalkedMessage& message) {
    return (message.tag << 1U | message.tag >> 31U) & 0x7fffffffU;
  }
  void sending(const char* name, const WalkedMessage& message) {
    line("{} {} {} {} {} 6", rank_, name, message.peer, tag_of(message), message.bytes);
  }
  void receiving(const char* name, const WalkedMessage& message) { sending(name, message); }

  std::string& text_;
  Rank rank_;
  std::unordered_map<std::uint64_t, std::string> started_;  ///< the action that waits, by request
};

}  // namespace

std::vector<std::string> time_independent_texts(const Recording& recording) {
  const RecordingWalk walk(recording);
  std::vector<std::string> texts;
  for (std::size_t rank = 0; rank < recording.ranks.size(); ++rank) {
    std::string& text = texts.emplace_back(fmt::format("{} init\n", rank));
    ActionSink sink(text, static_cast<Rank>(rank));
    walk.walk(static_cast<Rank>(rank), sink);
    text += fmt::format("{} finalize\n", rank);
  }
  return texts;
}

}  // namespace postage
