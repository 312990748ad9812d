#include "property/transport/rank_memory.hpp"

#include <postage/schedule/algorithms.hpp>

#include <array>
#include <bit>
#include <cstring>

namespace postage {
namespace {

using Buffer = std::vector<std::byte>;

struct Element {
  std::uint32_t factor;
  std::uint32_t summand;
};

template <typename Operation>
Reduction for_each_element(const Operation& operation) {
  return [operation](std::span<const std::byte> left, std::span<std::byte> right) {
    for (std::size_t at = 0; at < left.size(); at += sizeof(Element)) {
      Element l{};
      Element r{};
      std::memcpy(&l, left.data() + at, sizeof l);
      std::memcpy(&r, right.data() + at, sizeof r);
      const Element result = operation(l, r);
      std::memcpy(right.data() + at, &result, sizeof result);
    }
  };
}

/// What the rank contributes to an element of the schedule's blocks.
Element element_of(Rank rank, std::size_t i) {
  const auto x = static_cast<std::uint32_t>(rank) * 2654435761U + static_cast<std::uint32_t>(i) * 40503U + 12345U;
  return {(x ^ x >> 15U) * 2246822519U | 1U, (x ^ x >> 13U) * 3266489917U};
}

/// All blocks as the rank would contribute them.
Buffer contribution(const Schedule& schedule, Rank rank) {
  Buffer bytes(static_cast<std::size_t>(schedule.layout.total()));
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    bytes[at] = std::bit_cast<std::array<std::byte, sizeof(Element)>>(
        element_of(rank, at / sizeof(Element)))[at % sizeof(Element)];
  }
  return bytes;
}

Buffer cut(const Schedule& schedule, const Buffer& all, Index first, Index count) {
  return {all.begin() + schedule.layout.offset(first), all.begin() + schedule.layout.offset(first + count)};
}

void append(Buffer& to, const Buffer& from) {
  to.insert(to.end(), from.begin(), from.end());
}

/// The contributions of ranks 0, ..., last, combined from the right.
Buffer reduced(const Schedule& schedule, Rank last, const Reduction& reduction) {
  Buffer value = contribution(schedule, last);
  for (Rank rank = last - 1; rank >= 0; --rank) {
    reduction(contribution(schedule, rank), value);
  }
  return value;
}

Buffer what_is_given(const Schedule& schedule, Rank rank) {
  const Buffer all = contribution(schedule, rank);
  switch (schedule.collective) {
    case Collective::kBarrier:
    case Collective::kBcast:
      return {};
    case Collective::kGather:
    case Collective::kAllgather:
      return cut(schedule, all, rank, 1);
    case Collective::kScatter:
      return rank == schedule.root ? all : Buffer{};
    case Collective::kAlltoall:
      return cut(schedule, all, Index{rank} * schedule.ranks, schedule.ranks);
    default:
      return all;
  }
}

Buffer what_is_got(const Schedule& schedule, Rank rank, const Reduction& reduction) {
  const bool is_root = rank == schedule.root;
  Buffer got;
  switch (schedule.collective) {
    case Collective::kBarrier:
      return {};
    case Collective::kBcast:
      return contribution(schedule, schedule.root);
    case Collective::kScatter:
      return cut(schedule, contribution(schedule, schedule.root), rank, 1);
    case Collective::kReduce:
      return is_root ? reduced(schedule, schedule.ranks - 1, reduction) : Buffer{};
    case Collective::kAllreduce:
      return reduced(schedule, schedule.ranks - 1, reduction);
    case Collective::kReduceScatter:
      return cut(schedule, reduced(schedule, schedule.ranks - 1, reduction), rank, 1);
    case Collective::kScan:
      return reduced(schedule, rank, reduction);
    case Collective::kExscan:
      return rank == 0 ? Buffer{} : reduced(schedule, rank - 1, reduction);
    case Collective::kGather:
    case Collective::kAllgather:
    case Collective::kAlltoall:
      break;
  }
  for (Rank source = 0; source < schedule.ranks; ++source) {
    if (schedule.collective == Collective::kAlltoall) {
      append(got, cut(schedule, contribution(schedule, source), Index{source} * schedule.ranks + rank, 1));
    } else if (schedule.collective == Collective::kAllgather || is_root) {
      append(got, cut(schedule, contribution(schedule, source), source, 1));
    }
  }
  return got;
}

/// The receive buffer of a rank that works in place.
Buffer in_place_buffer(const Schedule& schedule, Rank rank) {
  const bool is_gather = schedule.collective == Collective::kGather || schedule.collective == Collective::kAllgather;
  if (!is_gather) {
    return what_is_given(schedule, rank);
  }
  Buffer buffer(static_cast<std::size_t>(schedule.layout.total()), std::byte{0x55});
  const Buffer own = what_is_given(schedule, rank);
  std::copy(own.begin(), own.end(), buffer.begin() + schedule.layout.offset(rank));
  return buffer;
}

}  // namespace

Reduction composition() {
  return for_each_element([](Element left, Element right) {
    return Element{left.factor * right.factor, left.factor * right.summand + left.summand};
  });
}

Reduction addition() {
  return for_each_element([](Element left, Element right) {
    return Element{left.factor + right.factor, left.summand + right.summand};
  });
}

RankMemory rank_memory(const Schedule& schedule, Rank rank, bool in_place, const Reduction& reduction) {
  RankMemory memory{.expected = what_is_got(schedule, rank, reduction)};
  if (in_place && schedule.collective == Collective::kScatter) {
    memory.send = what_is_given(schedule, rank);
    memory.expected.clear();
  } else if (in_place) {
    memory.receive = in_place_buffer(schedule, rank);
    if (schedule.collective == Collective::kExscan && rank == 0) {
      memory.expected = memory.receive;
    }
  } else {
    memory.send = what_is_given(schedule, rank);
    memory.receive.resize(memory.expected.size(), std::byte{0x55});
    if (schedule.collective == Collective::kBcast && rank == schedule.root) {
      memory.receive = memory.expected;
    }
  }
  return memory;
}

bool may_work_in_place(const Schedule& schedule, Rank rank) {
  switch (schedule.collective) {
    case Collective::kBarrier:
    case Collective::kBcast:
      return false;
    case Collective::kReduce:
    case Collective::kGather:
    case Collective::kScatter:
      return rank == schedule.root;
    case Collective::kAlltoall: {
      for (Index other = 0; other < schedule.ranks; ++other) {
        if (schedule.layout.size(rank * Index{schedule.ranks} + other) !=
            schedule.layout.size(other * Index{schedule.ranks} + rank)) {
          return false;
        }
      }
      return true;
    }
    default:
      return true;
  }
}

std::vector<std::byte> spread(const std::vector<std::byte>& bytes, const Strides& strides) {
  const auto size = static_cast<Bytes>(bytes.size());
  Buffer memory(static_cast<std::size_t>(strides.extent(size)), std::byte{0x5A});
  unpack(bytes, {size / strides.run, strides.run, strides.stride}, memory);
  return memory;
}

Reduction on_pieces(const Reduction& reduction, const Strides& strides) {
  if (strides.is_contiguous()) {
    return reduction;
  }
  return [reduction, strides](std::span<const std::byte> left, std::span<std::byte> right) {
    const auto run = static_cast<std::size_t>(strides.run);
    for (std::size_t at = 0; at < left.size(); at += static_cast<std::size_t>(strides.stride)) {
      reduction(left.subspan(at, run), right.subspan(at, run));
    }
  };
}

}  // namespace postage
