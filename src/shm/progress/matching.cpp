#include "shm/progress/matching.hpp"

namespace postage::shm {
namespace {

/// A buffer that held a large unexpected message is not kept for the next one.
constexpr std::size_t kKeptCapacity = 64 << 10;

}  // namespace

Matcher::Matcher(std::int32_t ranks) : sources_(static_cast<std::size_t>(ranks)) {}

Unexpected& Matcher::create(const Envelope& envelope, std::uint64_t bytes) {
  if (free_.empty()) {
    free_.push_back(&store_.emplace_back());
  }
  Unexpected& message = *free_.back();
  free_.pop_back();
  message.envelope = envelope;
  message.bytes = bytes;
  message.arrived = 0;
  message.content = Unexpected::Content::kHeld;
  add(message);
  return message;
}

void Matcher::release(Unexpected& message) {
  message.chunks.clear();
  message.held.clear();
  if (message.held.capacity() > kKeptCapacity) {
    message.held = {};
  }
  free_.push_back(&message);
}

void Matcher::add(Unexpected& message) {
  message.arrival = ++arrivals_;
  Source& source = sources_[static_cast<std::size_t>(message.envelope.source)];
  source.unexpected.push_back(message);
  ++source.unexpected_count;
  ++unexpected_;
}

Unexpected* Matcher::search_unexpected(const Envelope& wanted) const {
  const auto accepts = [&](const Unexpected& message) { return wanted.accepts(message.envelope); };
  if (wanted.source != kAnySource) {
    return first_of(sources_[static_cast<std::size_t>(wanted.source)].unexpected, accepts);
  }
  Unexpected* earliest = nullptr;
  for (const Source& source : sources_) {
    Unexpected* first = first_of(source.unexpected, accepts);
    if (first != nullptr && (earliest == nullptr || first->arrival < earliest->arrival)) {
      earliest = first;
    }
  }
  return earliest;
}

void Matcher::remove(Unexpected& message) {
  Source& source = sources_[static_cast<std::size_t>(message.envelope.source)];
  source.unexpected.remove(message);
  --source.unexpected_count;
  --unexpected_;
}

}  // namespace postage::shm
