#include "preload/communicator.hpp"

#include <numeric>

namespace postage::preload {

constinit thread_local Recent recent;
std::atomic<std::uint64_t> communicator_generation{0};

namespace {

std::atomic<std::uint64_t> communicators_seen{0};

MPI_Group group_of(const Communicator& state) {
  MPI_Group group = MPI_GROUP_NULL;
  if (state.is_intercommunicator) {
    PMPI_Comm_remote_group(state.handle, &group);
  } else {
    PMPI_Comm_group(state.handle, &group);
  }
  return group;
}

Communicator* make_state(MPI_Comm handle) {
  auto state = std::make_unique<Communicator>();
  state->handle = handle;
  state->number = ++communicators_seen;
  int is_inter = 0;
  PMPI_Comm_test_inter(handle, &is_inter);
  state->is_intercommunicator = is_inter != 0;
  PMPI_Comm_rank(handle, &state->rank);
  PMPI_Comm_size(handle, &state->ranks);
  if (job().observer != nullptr) {
    state->world_ranks = world_ranks_of(*state);
  }
  return PMPI_Comm_set_attr(handle, job().keyval, state.get()) == MPI_SUCCESS ? state.release() : nullptr;
}

}  // namespace

std::vector<int> world_ranks_of(const Communicator& state) {
  MPI_Group group = group_of(state);
  MPI_Group world = MPI_GROUP_NULL;
  PMPI_Comm_group(MPI_COMM_WORLD, &world);
  int ranks = 0;
  PMPI_Group_size(group, &ranks);
  std::vector<int> all(static_cast<std::size_t>(ranks));
  std::iota(all.begin(), all.end(), 0);
  std::vector<int> translated(all.size());
  PMPI_Group_translate_ranks(group, ranks, all.data(), world, translated.data());
  PMPI_Group_free(&group);
  PMPI_Group_free(&world);
  return translated;
}

Communicator* find_communicator(MPI_Comm handle) {
  if (handle == MPI_COMM_NULL || !job().is_running) {
    return nullptr;
  }
  const std::uint64_t generation = communicator_generation.load(std::memory_order_acquire);
  void* found = nullptr;
  int is_found = 0;
  if (PMPI_Comm_get_attr(handle, job().keyval, &found, &is_found) != MPI_SUCCESS) {
    return nullptr;
  }
  Communicator* const state = is_found != 0 ? static_cast<Communicator*>(found) : make_state(handle);
  if (state != nullptr) {
    recent.handle = handle;
    recent.generation = generation;
    recent.communicator = state;
    recent.passed = state->passed.data();
    recent.rank = state->rank;
    recent.ranks = state->ranks;
  }
  return state;
}

int delete_communicator_state(MPI_Comm, int, void* state, void*) {
  communicator_generation.fetch_add(1, std::memory_order_acq_rel);
  delete static_cast<Communicator*>(state);
  return MPI_SUCCESS;
}

void forget_communicators() {
  communicator_generation.fetch_add(1, std::memory_order_acq_rel);
}

}  // namespace postage::preload
