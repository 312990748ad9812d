#include "shm/progress/matching.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <deque>
#include <optional>

namespace postage::shm {
namespace {

/// Matching as MPI's text has it, with one list each: slow and plain.
class PlainMatcher {
 public:
  struct Entry {
    Envelope envelope;
    int number;
  };

  /// The number of the message that a new receive takes, or nothing and it is posted.
  std::optional<int> receive(const Envelope& wanted, int number) {
    return take(unexpected_, posted_, {wanted, number},
                [&](const Entry& message) { return wanted.accepts(message.envelope); });
  }
  /// The number of the receive that a new message takes, or nothing and it waits.
  std::optional<int> arrive(const Envelope& message, int number) {
    return take(posted_, unexpected_, {message, number},
                [&](const Entry& receive) { return receive.envelope.accepts(message); });
  }
  void withdraw(int number) {
    std::erase_if(posted_, [&](const Entry& entry) { return entry.number == number; });
  }
  [[nodiscard]] const std::vector<Entry>& posted() const { return posted_; }
  [[nodiscard]] const std::vector<Entry>& unexpected() const { return unexpected_; }

 private:
  template <typename Fits>
  static std::optional<int> take(std::vector<Entry>& from, std::vector<Entry>& others, const Entry& entry,
                                 const Fits& fits) {
    const auto found = std::find_if(from.begin(), from.end(), fits);
    if (found == from.end()) {
      others.push_back(entry);
      return std::nullopt;
    }
    const int number = found->number;
    from.erase(found);
    return number;
  }

  std::vector<Entry> posted_;
  std::vector<Entry> unexpected_;
};

constexpr std::int32_t kRanks = 4;

Envelope any_message() {
  return {*rc::gen::inRange<std::int32_t>(0, kRanks), *rc::gen::inRange(0, 3), *rc::gen::inRange<std::uint32_t>(0, 2)};
}

Envelope any_receive() {
  Envelope wanted = any_message();
  wanted.source = *rc::gen::weightedElement<std::int32_t>({{3, wanted.source}, {1, kAnySource}});
  wanted.tag = *rc::gen::weightedElement<std::int32_t>({{3, wanted.tag}, {1, kAnyTag}});
  return wanted;
}

RC_GTEST_PROP(Matcher, DoesWhatThePlainOneDoes, ()) {
  Matcher matcher(kRanks);
  PlainMatcher plain;
  std::deque<Operation> receives;
  int messages = 0;
  const int steps = *rc::gen::inRange(1, 120);
  for (int step = 0; step < steps; ++step) {
    const int kind = *rc::gen::inRange(0, 9);
    if (kind < 4) {
      const Envelope wanted = any_receive();
      Operation& receive = receives.emplace_back();
      receive.envelope = wanted;
      receive.peer = wanted.source;
      receive.index = static_cast<std::uint32_t>(receives.size() - 1);
      Unexpected* found = matcher.find_unexpected(wanted);
      const std::optional<int> expected = plain.receive(wanted, static_cast<int>(receive.index));
      RC_ASSERT((found != nullptr) == expected.has_value());
      if (found != nullptr) {
        RC_ASSERT(found->bytes == static_cast<std::uint64_t>(*expected));
        matcher.remove(*found);
        matcher.release(*found);
      } else {
        matcher.post(receive);
      }
    } else if (kind < 8) {
      const Envelope envelope = any_message();
      const int number = messages++;
      Operation* found = matcher.take_posted(envelope);
      const std::optional<int> expected = plain.arrive(envelope, number);
      RC_ASSERT((found != nullptr) == expected.has_value());
      if (found != nullptr) {
        RC_ASSERT(found->index == static_cast<std::uint32_t>(*expected));
      } else {
        matcher.create(envelope, static_cast<std::uint64_t>(number));
      }
    } else if (!plain.posted().empty()) {
      const auto which = *rc::gen::inRange<std::size_t>(0, plain.posted().size());
      const int number = plain.posted()[which].number;
      matcher.withdraw(receives[static_cast<std::size_t>(number)]);
      plain.withdraw(number);
    }
  }
  for (std::int32_t source = 0; source < kRanks; ++source) {
    const auto is_from = [&](const PlainMatcher::Entry& entry) { return entry.envelope.source == source; };
    const auto waiting = std::count_if(plain.unexpected().begin(), plain.unexpected().end(), is_from);
    RC_ASSERT(matcher.unexpected_from(source) == static_cast<std::size_t>(waiting));
    const auto posted = std::count_if(plain.posted().begin(), plain.posted().end(), [&](const auto& entry) {
      return entry.envelope.source == source || entry.envelope.source == kAnySource;
    });
    RC_ASSERT(matcher.posted_for(source) == static_cast<std::size_t>(posted));
  }
}

}  // namespace
}  // namespace postage::shm
