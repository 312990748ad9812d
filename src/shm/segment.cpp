#include "shm/mapping.hpp"
#include "shm/meeting.hpp"

#include <postage/base/error.hpp>
#include <postage/shm/segment.hpp>

#include <fmt/format.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <string>
#include <vector>

namespace postage {
namespace {

using shm::Mapping;
using shm::MeetingPlace;
using shm::SegmentShape;

/// What a rank tells the others before they meet.
struct Introduction {
  std::array<char, 40> boot{};     ///< differs between nodes and between boots
  std::uint64_t namespace_id = 0;  ///< of the network: abstract sockets reach no further
  std::uint64_t number = 0;        ///< makes rank 0's name for the meeting one that nobody else uses
};

Introduction introduce_oneself() {
  Introduction self;
  std::ifstream boot("/proc/sys/kernel/random/boot_id");
  boot.get(self.boot.data(), static_cast<std::streamsize>(self.boot.size()));
  struct stat status {};
  self.namespace_id = stat("/proc/self/ns/net", &status) == 0 ? status.st_ino : 0;
  if (getrandom(&self.number, sizeof self.number, 0) != sizeof self.number) {
    self.number = static_cast<std::uint64_t>(getpid());
  }
  return self;
}

void check_rank(std::int32_t rank, std::int32_t ranks) {
  if (rank < 0 || rank >= ranks) {
    throw UsageError(fmt::format("there is no rank {} among {}", rank, ranks));
  }
}

std::shared_ptr<Mapping> give_new_segment(const MeetingPlace& place, const SegmentOptions& options) {
  std::shared_ptr<Mapping> mapping;
  std::string failure;
  try {
    mapping = std::make_shared<Mapping>(SegmentShape::of(place.ranks, options), options);
  } catch (const Error& error) {
    failure = error.what();
  }
  // The others wait for an answer also where there is nothing to give.
  shm::give(place, mapping ? mapping->descriptor() : -1, failure);
  if (!mapping) {
    throw Error(failure);
  }
  return mapping;
}

}  // namespace

ShmSegment ShmSegment::create(std::int32_t ranks, const SegmentOptions& options) {
  return ShmSegment(std::make_shared<Mapping>(SegmentShape::of(ranks, options), options));
}

ShmSegment ShmSegment::meet(std::string_view name, std::int32_t rank, std::int32_t ranks,
                            const SegmentOptions& options) {
  static_cast<void>(SegmentShape::of(ranks, options));
  check_rank(rank, ranks);
  const MeetingPlace place{.name = std::string(name), .rank = rank, .ranks = ranks, .patience = options.patience};
  return ShmSegment(rank == 0 ? give_new_segment(place, options) : std::make_shared<Mapping>(shm::take(place)));
}

ShmSegment ShmSegment::agree(std::int32_t rank, std::int32_t ranks, const ExchangeFunction& exchange,
                             const SegmentOptions& options) {
  check_rank(rank, ranks);
  const Introduction self = introduce_oneself();
  std::vector<Introduction> all(static_cast<std::size_t>(ranks));
  exchange(std::as_bytes(std::span(&self, 1)), std::as_writable_bytes(std::span(all)));
  for (std::size_t other = 0; other < all.size(); ++other) {
    if (all[other].boot != all.front().boot || all[other].namespace_id != all.front().namespace_id) {
      throw Error(
          fmt::format("ranks 0 and {} are not on one node, or not in one network namespace; a channel joins ranks "
                      "of one node",
                      other));
    }
  }
  return meet(fmt::format("agreed-{:016x}", all.front().number), rank, ranks, options);
}

std::int32_t ShmSegment::ranks() const {
  return static_cast<std::int32_t>(mapping_->layout().shape().ranks);
}

Bytes ShmSegment::bytes() const {
  return static_cast<Bytes>(mapping_->bytes());
}

}  // namespace postage
