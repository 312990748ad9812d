#include "preload/observation.hpp"

#include <algorithm>
#include <cstring>

namespace postage::preload {
namespace {

std::uint64_t number_of(MPI_Request request) {
  std::uint64_t number = 0;
  std::memcpy(&number, &request, sizeof request);
  return number;
}

std::vector<std::uint64_t> numbers_of(std::span<const MPI_Request> requests) {
  std::vector<std::uint64_t> numbers;
  for (const MPI_Request& request : requests) {
    if (request != MPI_REQUEST_NULL) {
      numbers.push_back(number_of(request));
    }
  }
  return numbers;
}

std::int32_t world_rank(const Communicator& communicator, int rank) {
  const bool exists = rank >= 0 && static_cast<std::size_t>(rank) < communicator.world_ranks.size();
  return exists ? communicator.world_ranks[static_cast<std::size_t>(rank)] : -1;
}

CallEvent event_of(Entry entry, MPI_Comm handle, Seconds began) {
  CallEvent event{.entry = entry, .began = began, .ended = now()};
  if (const Communicator* communicator = communicator_of(handle)) {
    event.communicator = communicator->number;
    event.ranks = communicator->ranks;
    event.members = communicator->world_ranks;
  }
  return event;
}

void tell(const CallEvent& event) {
  if (Observer* const observer = job().observer) {
    observer->observe(event);
  }
}

std::vector<Bytes> bytes_by_rank(const Integers& counts, MPI_Datatype type, int ranks) {
  std::vector<Bytes> bytes;
  for (int rank = 0; counts.is_given() && rank < ranks; ++rank) {
    bytes.push_back(bytes_of(counts[rank], type));
  }
  return bytes;
}

Bytes sum_of(const std::vector<Bytes>& bytes) {
  Bytes sum = 0;
  for (const Bytes one : bytes) {
    sum += one;
  }
  return sum;
}

/// Sizes that differ between ranks, and how much of them this rank sends and receives.
struct VectorSizes {
  std::vector<Bytes> by_rank{};
  Bytes sent = 0;
  Bytes received = 0;
};

VectorSizes vector_sizes(const CollectiveCall& call, const Communicator& on) {
  const auto receives = [&] { return bytes_by_rank(call.receive_counts, call.receive_type, on.ranks); };
  const Bytes own = bytes_of(call.send_count, call.send_type);
  const auto self = static_cast<std::size_t>(on.rank);
  switch (call.entry) {
    case Entry::kAlltoallv: {
      const std::vector<Bytes> in = receives();
      std::vector<Bytes> out =
          call.send == MPI_IN_PLACE ? in : bytes_by_rank(call.send_counts, call.send_type, on.ranks);
      const Bytes sent = sum_of(out);
      return {std::move(out), sent, sum_of(in)};
    }
    case Entry::kScatterv: {
      std::vector<Bytes> out =
          on.rank == call.root ? bytes_by_rank(call.send_counts, call.send_type, on.ranks) : std::vector<Bytes>{};
      const Bytes sent = sum_of(out);
      return {std::move(out), sent, bytes_of(call.receive_count, call.receive_type)};
    }
    case Entry::kGatherv:
      if (on.rank != call.root) {
        return {{}, own, 0};
      }
      [[fallthrough]];
    case Entry::kAllgatherv: {
      std::vector<Bytes> in = receives();
      const Bytes received = sum_of(in);
      return {in, call.send == MPI_IN_PLACE && self < in.size() ? in[self] : own, received};
    }
    default: {
      std::vector<Bytes> in = receives();
      const Bytes sent = sum_of(in);
      return {in, sent, self < in.size() ? in[self] : 0};
    }
  }
}

bool has_vector_sizes(Entry entry) {
  return entry == Entry::kAlltoallv || entry == Entry::kScatterv || entry == Entry::kGatherv ||
         entry == Entry::kAllgatherv || entry == Entry::kReduce_scatter;
}

/// Of regular collectives: a block's bytes, by whichever side is significant on this rank.
Bytes signature_bytes(const CollectiveCall& call, const Communicator& on) {
  const Bytes received = bytes_of(call.receive_count, call.receive_type);
  const Bytes sent = bytes_of(call.send_count, call.send_type);
  switch (call.entry) {
    case Entry::kGather:
      return on.rank == call.root ? received : sent;
    case Entry::kScatter:
      return on.rank == call.root ? sent : received;
    default:
      return received;
  }
}

}  // namespace

Bytes bytes_of(std::int64_t count, MPI_Datatype type) {
  int size = 0;
  if (count <= 0 || type == MPI_DATATYPE_NULL || PMPI_Type_size(type, &size) != MPI_SUCCESS) {
    return 0;
  }
  return count * std::max(size, 0);
}

void observe_collective(const CollectiveCall& call, Seconds began, Seconds ended, const Outcome& outcome) {
  CallEvent event = event_of(call.entry, call.communicator, began);
  event.ended = ended;
  event.algorithm = outcome.algorithm;
  event.probe = outcome.probe;
  const Communicator* const on = communicator_of(call.communicator);
  if (on == nullptr) {
    return;
  }
  event.common_number = on->common_number;
  event.peer = world_rank(*on, call.root);
  VectorSizes sizes;
  if (has_vector_sizes(call.entry)) {
    sizes = vector_sizes(call, *on);
    event.bytes = sizes.sent;
    event.received_bytes = sizes.received;
    event.bytes_by_rank = sizes.by_rank;
  } else {
    event.bytes = signature_bytes(call, *on);
  }
  tell(event);
}

void observe_message(const PointToPoint& message, Seconds began, std::span<const MPI_Request> started) {
  CallEvent event = event_of(message.entry, message.communicator, began);
  if (const Communicator* on = communicator_of(message.communicator)) {
    event.peer = world_rank(*on, message.target);
    event.source = world_rank(*on, message.source);
  }
  event.tag = message.tag;
  event.bytes = message.bytes;
  event.received_bytes = message.received_bytes;
  const std::vector<std::uint64_t> numbers = numbers_of(started);
  event.requests = numbers;
  tell(event);
}

void observe_requests(Entry entry, Seconds began, std::span<const MPI_Request> requests) {
  const std::vector<std::uint64_t> numbers = numbers_of(requests);
  tell({.entry = entry, .requests = numbers, .began = began, .ended = now()});
}

Bytes StatusRoom::bytes() const {
  int count = 0;
  return PMPI_Get_count(status_, MPI_BYTE, &count) == MPI_SUCCESS && count != MPI_UNDEFINED ? count : 0;
}

}  // namespace postage::preload
