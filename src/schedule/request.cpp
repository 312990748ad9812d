#include "schedule/algorithms/families.hpp"

#include <postage/base/error.hpp>

#include <fmt/format.h>

#include <limits>

namespace postage {
namespace {

void check_numbers(const ScheduleRequest& request) {
  if (request.ranks < 1) {
    throw UsageError(fmt::format("P is {}; a collective needs at least 1 rank", request.ranks));
  }
  if (request.root < 0 || request.root >= request.ranks) {
    throw UsageError(fmt::format("root {} is not a rank of P = {}; the valid ones are 0 to {}", request.root,
                                 request.ranks, request.ranks - 1));
  }
  if (request.bytes < 0 || request.segment_bytes < 0 || request.element_bytes < 1) {
    throw UsageError("sizes must not be negative, and an element has at least 1 byte");
  }
  if (request.bytes % request.element_bytes != 0) {
    throw UsageError(
        fmt::format("{} bytes are not a whole number of elements of {} bytes", request.bytes, request.element_bytes));
  }
}

/// `bytes` are one rank's block, and not all of them.
bool has_a_block_for_each(Collective collective) {
  return collective == Collective::kScatter || collective == Collective::kGather ||
         collective == Collective::kAllgather || collective == Collective::kAlltoall;
}

void check_block_bytes(Collective collective, const ScheduleRequest& request) {
  const auto listed = static_cast<Index>(request.block_bytes.size());
  const Index wanted = defined_blocks(collective, request.ranks);
  if (listed != 0 && listed != wanted) {
    throw UsageError(wanted == 0 ? fmt::format("{} has no blocks of different sizes", name_of(collective))
                                 : fmt::format("{} block sizes are given; {} among {} ranks has {}", listed,
                                               name_of(collective), request.ranks, wanted));
  }
  if (has_a_block_for_each(collective) && request.bytes > std::numeric_limits<Bytes>::max() / request.ranks) {
    throw UsageError(fmt::format("blocks of {} bytes for each of {} ranks are more bytes than can be counted",
                                 request.bytes, request.ranks));
  }
  for (const Bytes bytes : request.block_bytes) {
    if (bytes < 0 || bytes % request.element_bytes != 0) {
      throw UsageError(fmt::format("a block of {} bytes is not a whole number of elements of {} bytes", bytes,
                                   request.element_bytes));
    }
  }
}

}  // namespace

void check_request(Collective collective, const ScheduleRequest& request) {
  check_numbers(request);
  check_block_bytes(collective, request);
}

}  // namespace postage
