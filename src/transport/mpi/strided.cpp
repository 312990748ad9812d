#include "transport/mpi/check.hpp"
#include "transport/mpi/middleware.hpp"

#include <postage/base/error.hpp>
#include <postage/transport/mpi/mpi_transport.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>

namespace postage {
namespace {

MPI_Datatype vector_type(const StridedLayout& layout) {
  constexpr auto most = std::numeric_limits<int>::max();
  if (layout.runs > most || layout.run_bytes > most || layout.stride > most) {
    throw Error(fmt::format("{} runs of {} bytes, {} bytes apart, are more than MPI's datatypes can say", layout.runs,
                            layout.run_bytes, layout.stride));
  }
  MPI_Datatype type = MPI_DATATYPE_NULL;
  check(MPI_Type_vector(static_cast<int>(layout.runs), static_cast<int>(layout.run_bytes),
                        static_cast<int>(layout.stride), MPI_BYTE, &type),
        "describing a strided message");
  check(MPI_Type_commit(&type), "describing a strided message");
  return type;
}

MPI_Datatype element_type(const Strides& strides) {
  MPI_Datatype piece = MPI_DATATYPE_NULL;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  check(MPI_Type_contiguous(static_cast<int>(strides.run), MPI_BYTE, &piece), "describing an element");
  check(MPI_Type_create_resized(piece, 0, static_cast<MPI_Aint>(strides.stride), &type), "describing an element");
  check(MPI_Type_commit(&type), "describing an element");
  MPI_Type_free(&piece);
  return type;
}

/// right = left + right, of numbers in pieces that lie as the datatype says.
template <typename Number>
void add_pieces(void* left, void* right, int* count, MPI_Datatype* type) {
  int run = 0;
  MPI_Aint lower = 0;
  MPI_Aint stride = 0;
  MPI_Type_size(*type, &run);
  MPI_Type_get_extent(*type, &lower, &stride);
  for (MPI_Aint piece = 0; piece < *count * stride; piece += stride) {
    for (MPI_Aint at = piece; at < piece + run; at += static_cast<MPI_Aint>(sizeof(Number))) {
      Number a{};
      Number b{};
      std::memcpy(&a, static_cast<const std::byte*>(left) + at, sizeof a);
      std::memcpy(&b, static_cast<const std::byte*>(right) + at, sizeof b);
      b = static_cast<Number>(a + b);
      std::memcpy(static_cast<std::byte*>(right) + at, &b, sizeof b);
    }
  }
}

}  // namespace

MPI_Datatype StridedTypes::element_of(const Strides& strides) {
  const auto known =
      std::find_if(elements_.begin(), elements_.end(), [&](const auto& one) { return one.first == strides; });
  if (known != elements_.end()) {
    return known->second;
  }
  elements_.emplace_back(strides, element_type(strides));
  return elements_.back().second;
}

MPI_Op StridedTypes::sum_of(Bytes element_bytes) {
  const auto [known, is_new] = sums_.try_emplace(element_bytes, MPI_OP_NULL);
  if (is_new) {
    const bool doubles = element_bytes == static_cast<Bytes>(sizeof(double));
    check(MPI_Op_create(doubles ? add_pieces<double> : add_pieces<unsigned char>, 1, &known->second),
          "making an operation");
  }
  return known->second;
}

MPI_Datatype StridedTypes::type_of(const StridedLayout& layout) {
  const auto known = std::find_if(types_.begin(), types_.end(), [&](const auto& one) { return one.first == layout; });
  if (known != types_.end()) {
    return known->second;
  }
  types_.emplace_back(layout, vector_type(layout));
  return types_.back().second;
}

StridedTypes::~StridedTypes() {
  for (auto& [strides, type] : elements_) {
    MPI_Type_free(&type);
  }
  for (auto& [bytes, sum] : sums_) {
    MPI_Op_free(&sum);
  }
  for (auto& [layout, type] : types_) {
    MPI_Type_free(&type);
  }
}

void MpiTransport::send_strided(std::span<const std::byte> memory, const StridedLayout& layout, std::int32_t target,
                                int tag) {
  spend_on_message(layout, target);
  check(MPI_Send(memory.data(), 1, strided_types_.type_of(layout), target, tag, communicator_), "sending");
}

void MpiTransport::receive_strided(std::span<std::byte> memory, const StridedLayout& layout, std::int32_t source,
                                   int tag) {
  check(MPI_Recv(memory.data(), 1, strided_types_.type_of(layout), source, tag, communicator_, MPI_STATUS_IGNORE),
        "receiving");
  spend_on_message(layout, source);
}

Transport::Request MpiTransport::start_send_strided(std::span<const std::byte> memory, const StridedLayout& layout,
                                                    std::int32_t target, int tag) {
  spend_on_message(layout, target);
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Isend(memory.data(), 1, strided_types_.type_of(layout), target, tag, communicator_, &request), "sending");
  return keep(request);
}

Transport::Request MpiTransport::start_receive_strided(std::span<std::byte> memory, const StridedLayout& layout,
                                                       std::int32_t source, int tag) {
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Irecv(memory.data(), 1, strided_types_.type_of(layout), source, tag, communicator_, &request), "receiving");
  return keep_receive(request, layout, source);
}

/// A simulator moves the bytes of a datatype for nothing.
void MpiTransport::spend_on_message(const StridedLayout& layout, std::int32_t peer) {
  if (middleware_) {
    middleware_->spend(layout, peer);
  } else {
    account_for(packing_operations(layout));
  }
}

Transport::Request MpiTransport::keep_receive(MPI_Request request, const StridedLayout& layout, std::int32_t source) {
  const Request kept = keep(request);
  if (middleware_ || (is_virtual() && layout.stride != layout.run_bytes)) {
    receiving_[kept] = {layout, source};
  }
  return kept;
}

void MpiTransport::spend_on_received(std::span<const Request> requests) {
  for (const Request request : receiving_.empty() ? std::span<const Request>() : requests) {
    if (const auto found = receiving_.find(request); found != receiving_.end()) {
      spend_on_message(found->second.first, found->second.second);
      receiving_.erase(found);
    }
  }
}

}  // namespace postage
