#include "measure/messages.hpp"

#include <algorithm>
#include <array>

namespace postage {
namespace {

void send_text(Transport& transport, const std::string& text, Rank target) {
  send_value(transport, std::uint64_t{text.size()}, target, kTextTag);
  transport.send(std::as_bytes(std::span(text)), target, kTextTag);
}

std::string receive_text(Transport& transport, Rank source) {
  std::string text(receive_value<std::uint64_t>(transport, source, kTextTag), '\0');
  transport.receive(std::as_writable_bytes(std::span(text)), source, kTextTag);
  return text;
}

}  // namespace

void exchange(Transport& transport, std::span<const std::byte> out, Rank target, std::span<std::byte> in, Rank source,
              int tag) {
  const std::array<Transport::Request, 2> requests{transport.start_receive(in, source, tag),
                                                   transport.start_send(out, target, tag)};
  // As schedules wait: one call for what is received, one for what was sent.
  transport.wait_all(std::span(requests).first(1));
  transport.wait_all(std::span(requests).last(1));
}

void group_barrier(Transport& transport, const RankGroup& members) {
  const std::size_t count = members.size();
  const auto own =
      static_cast<std::size_t>(std::find(members.begin(), members.end(), transport.rank()) - members.begin());
  for (std::size_t distance = 1; distance < count; distance *= 2) {
    exchange(transport, {}, members[(own + distance) % count], {}, members[(own + count - distance) % count],
             kBarrierTag);
  }
}

void agree_on_largest(Transport& transport, std::span<std::int32_t> values) {
  const Rank count = transport.size();
  std::vector<std::int32_t> others(values.size());
  for (Rank distance = 1; distance < count; distance *= 2) {
    exchange(transport, std::as_bytes(values), (transport.rank() + distance) % count,
             std::as_writable_bytes(std::span(others)), (transport.rank() + count - distance) % count, kAgreeTag);
    std::transform(values.begin(), values.end(), others.begin(), values.begin(),
                   [](std::int32_t a, std::int32_t b) { return std::max(a, b); });
  }
}

std::vector<std::string> gather_texts(Transport& transport, const std::string& own) {
  if (transport.rank() != 0) {
    send_text(transport, own, 0);
    return {};
  }
  std::vector<std::string> texts{own};
  for (Rank rank = 1; rank < transport.size(); ++rank) {
    texts.push_back(receive_text(transport, rank));
  }
  return texts;
}

std::string share_text(Transport& transport, const std::string& own) {
  if (transport.rank() != 0) {
    return receive_text(transport, 0);
  }
  for (Rank rank = 1; rank < transport.size(); ++rank) {
    send_text(transport, own, rank);
  }
  return own;
}

}  // namespace postage
