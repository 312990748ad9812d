#include "transport/mpi/check.hpp"

#include <postage/base/error.hpp>
#include <postage/transport/mpi/mpi_transport.hpp>

#include <fmt/format.h>

#include <algorithm>
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

}  // namespace

MPI_Datatype StridedTypes::type_of(const StridedLayout& layout) {
  const auto known = std::find_if(types_.begin(), types_.end(), [&](const auto& one) { return one.first == layout; });
  if (known != types_.end()) {
    return known->second;
  }
  types_.emplace_back(layout, vector_type(layout));
  return types_.back().second;
}

StridedTypes::~StridedTypes() {
  for (auto& [layout, type] : types_) {
    MPI_Type_free(&type);
  }
}

void MpiTransport::send_strided(std::span<const std::byte> memory, const StridedLayout& layout, std::int32_t target,
                                int tag) {
  // A simulator moves the bytes of a datatype for nothing.
  account_for(packing_operations(layout));
  check(MPI_Send(memory.data(), 1, strided_types_.type_of(layout), target, tag, communicator_), "sending");
}

void MpiTransport::receive_strided(std::span<std::byte> memory, const StridedLayout& layout, std::int32_t source,
                                   int tag) {
  check(MPI_Recv(memory.data(), 1, strided_types_.type_of(layout), source, tag, communicator_, MPI_STATUS_IGNORE),
        "receiving");
  account_for(packing_operations(layout));
}

}  // namespace postage
