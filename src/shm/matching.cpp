#include "shm/matching.hpp"

namespace postage::shm {

Matcher::Matcher(std::int32_t ranks) : sources_(static_cast<std::size_t>(ranks)) {}

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
