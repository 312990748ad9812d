#include "shm/collectives/direct_state.hpp"

#include <postage/shm/direct_group.hpp>

namespace postage {

DirectGroup::DirectGroup(std::int32_t rank, std::int32_t ranks, std::uint64_t number, const DirectOptions& options)
    : state_(std::make_unique<shm::DirectState>(rank, ranks, number, options)) {}

DirectGroup::~DirectGroup() = default;

bool DirectGroup::can_read_peers() const {
  return state_->can_read_peers();
}

void DirectGroup::use_single_copy(bool possible) {
  state_->use_single_copy(possible);
}

bool DirectGroup::has_single_copy() const {
  return state_->has_single_copy();
}

void DirectGroup::set_copied_bytes(Bytes bytes) {
  state_->set_copied_bytes(bytes);
}

}  // namespace postage
