#include "channel/matching.hpp"

namespace postage::channel {
namespace {

template <typename Item, typename Accepts>
Item* first_of(const List<Item>& list, const Accepts& accepts) {
  for (Item* item = list.first(); item != nullptr; item = item->links.next) {
    if (accepts(*item)) {
      return item;
    }
  }
  return nullptr;
}

}  // namespace

Matcher::Matcher(std::int32_t ranks) : sources_(static_cast<std::size_t>(ranks)) {}

List<Operation>& Matcher::list_of(const Operation& receive) {
  return receive.peer == kAnySource ? posted_to_any_ : sources_[static_cast<std::size_t>(receive.peer)].posted;
}

std::size_t& Matcher::posted_count(const Operation& receive) {
  return receive.peer == kAnySource ? posted_to_any_count_
                                    : sources_[static_cast<std::size_t>(receive.peer)].posted_count;
}

void Matcher::post(Operation& receive) {
  receive.posted = ++posts_;
  receive.in_list = true;
  list_of(receive).push_back(receive);
  ++posted_count(receive);
}

void Matcher::withdraw(Operation& receive) {
  list_of(receive).remove(receive);
  receive.in_list = false;
  --posted_count(receive);
}

Operation* Matcher::take_posted(const Envelope& message) {
  const auto accepts = [&](const Operation& receive) { return receive.envelope.accepts(message); };
  Operation* found = first_of(sources_[static_cast<std::size_t>(message.source)].posted, accepts);
  if (!posted_to_any_.empty()) {
    Operation* any = first_of(posted_to_any_, accepts);
    found = found == nullptr || (any != nullptr && any->posted < found->posted) ? any : found;
  }
  if (found != nullptr) {
    withdraw(*found);
  }
  return found;
}

void Matcher::add(Unexpected& message) {
  message.arrival = ++arrivals_;
  Source& source = sources_[static_cast<std::size_t>(message.envelope.source)];
  source.unexpected.push_back(message);
  ++source.unexpected_count;
  ++unexpected_;
}

Unexpected* Matcher::find_unexpected(const Envelope& wanted) const {
  if (unexpected_ == 0) {
    return nullptr;
  }
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

}  // namespace postage::channel
