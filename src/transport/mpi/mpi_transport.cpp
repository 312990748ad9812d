#include "transport/binding.hpp"
#include "transport/mpi/check.hpp"
#include "transport/mpi/clock.hpp"
#include "transport/mpi/middleware.hpp"

#include <postage/base/freed_memory.hpp>
#include <postage/base/library_name.hpp>
#include <postage/transport/mpi/mpi_transport.hpp>

#include <fmt/format.h>

#include <array>

namespace postage {
namespace {

/// A type of so many bytes, more than `piece_bytes`; the caller frees it.
MPI_Datatype large_type(std::size_t bytes, int piece_bytes) {
  const auto piece_size = static_cast<std::size_t>(piece_bytes);
  const std::array<int, 2> lengths{static_cast<int>(bytes / piece_size), static_cast<int>(bytes % piece_size)};
  const std::array<MPI_Aint, 2> offsets{0, static_cast<MPI_Aint>(bytes / piece_size * piece_size)};
  std::array<MPI_Datatype, 2> types{MPI_DATATYPE_NULL, MPI_BYTE};
  MPI_Datatype whole = MPI_DATATYPE_NULL;
  check(MPI_Type_contiguous(piece_bytes, MPI_BYTE, types.data()), "describing a large message");
  check(MPI_Type_create_struct(2, lengths.data(), offsets.data(), types.data(), &whole), "describing a large message");
  check(MPI_Type_commit(&whole), "describing a large message");
  MPI_Type_free(types.data());
  return whole;
}

StridedLayout contiguous_layout(std::size_t bytes) {
  const auto size = static_cast<Bytes>(bytes);
  return {size > 0 ? 1 : 0, size, size};
}

}  // namespace

MpiTransport::MpiTransport(MPI_Comm communicator, int largest_count) : largest_count_(largest_count) {
  check(MPI_Comm_dup(communicator, &communicator_), "duplicating a communicator");
  MPI_Comm_set_errhandler(communicator_, MPI_ERRORS_RETURN);
  MPI_Comm_rank(communicator_, &rank_);
  MPI_Comm_size(communicator_, &size_);
  if (clock_is_virtual()) {
    keep_freed_memory();  // simulating messages would else take twice as long, for faults of new pages
  }
  global_clock_ = clock_is_virtual() || all_on_one_host();
  middleware_ = middleware_of(communicator_);
}

MpiTransport::~MpiTransport() {
  MPI_Comm_free(&communicator_);
}

bool MpiTransport::all_on_one_host() const {
  MPI_Comm node = MPI_COMM_NULL;
  MPI_Comm_split_type(communicator_, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  int on_node = 0;
  MPI_Comm_size(node, &on_node);
  MPI_Comm_free(&node);
  int least = 0;
  MPI_Allreduce(&on_node, &least, 1, MPI_INT, MPI_MIN, communicator_);
  return least == size_;
}

std::string MpiTransport::host() const {
  std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
  int length = 0;
  MPI_Get_processor_name(name.data(), &length);
  return {name.data(), static_cast<std::size_t>(length)};
}

int MpiTransport::bound_pu() const {
  return clock_is_virtual() ? -1 : bound_hardware_thread();
}

std::string MpiTransport::implementation() const {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> version{};
  int length = 0;
  MPI_Get_library_version(version.data(), &length);
  return library_name({version.data(), static_cast<std::size_t>(length)});
}

/// Calls with a count and a datatype that together are so many bytes: bytes where the count can say it, and otherwise
/// one element of a type made for this message, which lives until MPI has done with it.
template <typename Call>
void MpiTransport::with_count_and_type(std::size_t bytes, const Call& call) const {
  const auto largest = static_cast<std::size_t>(largest_count_);
  if (bytes <= largest) {
    call(static_cast<int>(bytes), MPI_BYTE);
    return;
  }
  MPI_Datatype whole = large_type(bytes, largest_count_);
  call(1, whole);
  MPI_Type_free(&whole);
}

void MpiTransport::send(std::span<const std::byte> message, std::int32_t target, int tag) {
  spend_on_contiguous(message.size(), target);
  with_count_and_type(message.size(), [&](int count, MPI_Datatype type) {
    check(MPI_Send(message.data(), count, type, target, tag, communicator_), "sending");
  });
}

void MpiTransport::receive(std::span<std::byte> message, std::int32_t source, int tag) {
  with_count_and_type(message.size(), [&](int count, MPI_Datatype type) {
    check(MPI_Recv(message.data(), count, type, source, tag, communicator_, MPI_STATUS_IGNORE), "receiving");
  });
  spend_on_contiguous(message.size(), source);
}

void MpiTransport::spend_on_contiguous(std::size_t bytes, std::int32_t peer) {
  if (middleware_) {
    middleware_->spend(contiguous_layout(bytes), peer);
  }
}

Transport::Request MpiTransport::keep(MPI_Request request) {
  if (free_.empty()) {
    requests_.push_back(request);
    return requests_.size() - 1;
  }
  const Request slot = free_.back();
  free_.pop_back();
  requests_[slot] = request;
  return slot;
}

Transport::Request MpiTransport::start_send(std::span<const std::byte> message, std::int32_t target, int tag) {
  spend_on_contiguous(message.size(), target);
  MPI_Request request = MPI_REQUEST_NULL;
  with_count_and_type(message.size(), [&](int count, MPI_Datatype type) {
    check(MPI_Isend(message.data(), count, type, target, tag, communicator_, &request), "sending");
  });
  return keep(request);
}

Transport::Request MpiTransport::start_rendezvous(std::span<const std::byte> message, std::int32_t target, int tag) {
  MPI_Request request = MPI_REQUEST_NULL;
  with_count_and_type(message.size(), [&](int count, MPI_Datatype type) {
    check(MPI_Issend(message.data(), count, type, target, tag, communicator_, &request), "sending");
  });
  return keep(request);
}

Transport::Request MpiTransport::start_receive(std::span<std::byte> message, std::int32_t source, int tag) {
  MPI_Request request = MPI_REQUEST_NULL;
  with_count_and_type(message.size(), [&](int count, MPI_Datatype type) {
    check(MPI_Irecv(message.data(), count, type, source, tag, communicator_, &request), "receiving");
  });
  return middleware_ ? keep_receive(request, contiguous_layout(message.size()), source) : keep(request);
}

void MpiTransport::wait_all(std::span<const Request> requests) {
  free_.insert(free_.end(), requests.begin(), requests.end());
  if (requests.size() == 1) {
    check(MPI_Wait(&requests_[requests.front()], MPI_STATUS_IGNORE), "waiting for a message");
    spend_on_received(requests);
    return;
  }
  waiting_.clear();
  for (const Request request : requests) {
    waiting_.push_back(requests_[request]);
  }
  check(MPI_Waitall(static_cast<int>(waiting_.size()), waiting_.data(), MPI_STATUSES_IGNORE), "waiting for messages");
  spend_on_received(requests);
}

void MpiTransport::barrier() {
  check(MPI_Barrier(communicator_), "a barrier");
}

Seconds MpiTransport::now() const {
  return clock_now();
}

bool MpiTransport::is_virtual() const {
  return clock_is_virtual();
}

void MpiTransport::wait_until(Seconds time) {
  wait_on_clock_until(time);
}

void MpiTransport::account_for(double operations) {
  spend_on_clock(operations);
}

}  // namespace postage
