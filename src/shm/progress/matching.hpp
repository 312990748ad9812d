#pragma once

#include "shm/progress/operations.hpp"

#include <cstddef>
#include <deque>
#include <vector>

namespace postage::shm {

/// The first item of a list that is accepted; nullptr if there is none.
template <typename Item, typename Accepts>
Item* first_of(const List<Item>& list, const Accepts& accepts) {
  for (Item* item = list.first(); item != nullptr; item = item->links.next) {
    if (accepts(*item)) {
      return item;
    }
  }
  return nullptr;
}

/// Posted receives and unexpected messages of one rank. Neither list ever holds something that the other one would
/// match: whoever comes second takes the first.
///
/// An arriving message takes the receive that was posted first among those that accept it; a receive takes the first
/// message of a source that it accepts, and of any source the one that arrived here first. Each operation costs
/// O(length of the lists that it looks through), and only receives from any source look beyond one source's.
class Matcher {
 public:
  explicit Matcher(std::int32_t ranks);

  /// Posts a receive: to be called only after take_unexpected found nothing for it.
  void post(Operation& receive);
  void withdraw(Operation& receive);
  /// The receive for an arriving message, no longer posted; nullptr if there is none.
  [[nodiscard]] Operation* take_posted(const Envelope& message);

  /// A new unexpected message, with nothing of it there yet: to be called only after take_posted found nothing for it.
  Unexpected& create(const Envelope& envelope, std::uint64_t bytes);
  /// The message for a receive; nullptr if there is none.
  [[nodiscard]] Unexpected* find_unexpected(const Envelope& wanted) const {
    return unexpected_ == 0 ? nullptr : search_unexpected(wanted);
  }
  /// Of no list any more; it still exists until it is released.
  void remove(Unexpected& message);
  void release(Unexpected& message);

  [[nodiscard]] std::size_t unexpected_from(std::int32_t source) const {
    return sources_[static_cast<std::size_t>(source)].unexpected_count;
  }
  /// Posted receives that a message of that source could match, by its source.
  [[nodiscard]] std::size_t posted_for(std::int32_t source) const {
    return sources_[static_cast<std::size_t>(source)].posted_count + posted_to_any_count_;
  }

 private:
  struct Source {
    List<Operation> posted;
    std::size_t posted_count = 0;
    List<Unexpected> unexpected;
    std::size_t unexpected_count = 0;
  };

  void add(Unexpected& message);
  [[nodiscard]] Unexpected* search_unexpected(const Envelope& wanted) const;
  [[nodiscard]] List<Operation>& list_of(const Operation& receive);
  [[nodiscard]] std::size_t& posted_count(const Operation& receive);

  std::vector<Source> sources_;
  List<Operation> posted_to_any_;
  std::size_t posted_to_any_count_ = 0;
  std::size_t unexpected_ = 0;
  std::uint64_t posts_ = 0;
  std::uint64_t arrivals_ = 0;
  std::deque<Unexpected> store_;
  std::vector<Unexpected*> free_;
};

// Every message passes through these.

inline List<Operation>& Matcher::list_of(const Operation& receive) {
  return receive.peer == kAnySource ? posted_to_any_ : sources_[static_cast<std::size_t>(receive.peer)].posted;
}

inline std::size_t& Matcher::posted_count(const Operation& receive) {
  return receive.peer == kAnySource ? posted_to_any_count_
                                    : sources_[static_cast<std::size_t>(receive.peer)].posted_count;
}

inline void Matcher::post(Operation& receive) {
  receive.posted = ++posts_;
  receive.in_list = true;
  list_of(receive).push_back(receive);
  ++posted_count(receive);
}

inline void Matcher::withdraw(Operation& receive) {
  list_of(receive).remove(receive);
  receive.in_list = false;
  --posted_count(receive);
}

inline Operation* Matcher::take_posted(const Envelope& message) {
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

}  // namespace postage::shm
