#pragma once

#include <postage/measure/concurrent_sets.hpp>
#include <postage/transport/transport.hpp>

#include <span>
#include <string>
#include <vector>

namespace postage {

// What the messages of measuring are about; those of the executor have higher tags.
inline constexpr int kOrderTag = 1;
inline constexpr int kDataTag = 2;
inline constexpr int kReplyTag = 3;
inline constexpr int kRequestTag = 4;
inline constexpr int kStartTag = 5;
inline constexpr int kEndTag = 6;
inline constexpr int kBarrierTag = 7;
inline constexpr int kAgreeTag = 8;
inline constexpr int kClockTag = 9;
inline constexpr int kProcessorTag = 10;
inline constexpr int kLinkTag = 11;
inline constexpr int kReadyTag = 12;
inline constexpr int kTextTag = 21;

/// A plain value as the bytes of a message; all ranks are of one architecture.
template <typename Value>
void send_value(Transport& transport, const Value& value, Rank target, int tag) {
  transport.send(std::as_bytes(std::span(&value, 1)), target, tag);
}

template <typename Value>
[[nodiscard]] Value receive_value(Transport& transport, Rank source, int tag) {
  Value value{};
  transport.receive(std::as_writable_bytes(std::span(&value, 1)), source, tag);
  return value;
}

/// Sends to one rank and receives from another at the same time.
void exchange(Transport& transport, std::span<const std::byte> out, Rank target, std::span<std::byte> in, Rank source,
              int tag);

/// Nobody leaves before all members have come; the caller is a member. ceil(log2 n) messages for each of n members.
void group_barrier(Transport& transport, const RankGroup& members);

/// Each value becomes the largest that any rank has; all ranks call it with as many. Also a barrier. ceil(log2 n)
/// messages for each of n ranks.
void agree_on_largest(Transport& transport, std::span<std::int32_t> values);

/// Every rank's text on rank 0; empty elsewhere.
[[nodiscard]] std::vector<std::string> gather_texts(Transport& transport, const std::string& own);
/// Rank 0's text on all ranks.
[[nodiscard]] std::string share_text(Transport& transport, const std::string& own);

}  // namespace postage
