#include "shm/segment/mapping.hpp"
#include "shm/segment/rendezvous_socket.hpp"

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
using shm::RendezvousSocket;
using shm::SegmentShape;

/// What a rank tells the others before the rendezvous.
struct ProcessDescription {
  std::array<char, 40> boot{};     ///< differs between nodes and between boots
  std::uint64_t namespace_id = 0;  ///< of the network: abstract sockets reach no further
  std::uint64_t number = 0;        ///< makes rank 0's name for the rendezvous unique
};

ProcessDescription describe_this_process() {
  ProcessDescription self;
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

std::shared_ptr<Mapping> send_new_segment(const RendezvousSocket& rendezvous, const SegmentOptions& options) {
  std::shared_ptr<Mapping> mapping;
  std::string failure;
  try {
    mapping = std::make_shared<Mapping>(SegmentShape::of(rendezvous.ranks, options), options);
  } catch (const Error& error) {
    failure = error.what();
  }
  // The others wait for an answer also where there is nothing to send.
  shm::send_segment(rendezvous, mapping ? mapping->descriptor() : -1, failure);
  if (!mapping) {
    throw Error(failure);
  }
  return mapping;
}

}  // namespace

ShmSegment ShmSegment::create(std::int32_t ranks, const SegmentOptions& options) {
  return ShmSegment(std::make_shared<Mapping>(SegmentShape::of(ranks, options), options));
}

ShmSegment ShmSegment::rendezvous(std::string_view name, std::int32_t rank, std::int32_t ranks,
                                  const SegmentOptions& options) {
  static_cast<void>(SegmentShape::of(ranks, options));
  check_rank(rank, ranks);
  const RendezvousSocket socket{.name = std::string(name), .rank = rank, .ranks = ranks, .patience = options.patience};
  return ShmSegment(rank == 0 ? send_new_segment(socket, options)
                              : std::make_shared<Mapping>(shm::receive_segment(socket)));
}

ShmSegment ShmSegment::agree(std::int32_t rank, std::int32_t ranks, const AllgatherFunction& allgather,
                             const SegmentOptions& options) {
  check_rank(rank, ranks);
  const ProcessDescription self = describe_this_process();
  std::vector<ProcessDescription> all(static_cast<std::size_t>(ranks));
  allgather(std::as_bytes(std::span(&self, 1)), std::as_writable_bytes(std::span(all)));
  for (std::size_t other = 0; other < all.size(); ++other) {
    if (all[other].boot != all.front().boot || all[other].namespace_id != all.front().namespace_id) {
      throw Error(
          fmt::format("ranks 0 and {} are not on one node, or not in one network namespace; shared memory joins "
                      "ranks of one node",
                      other));
    }
  }
  return ShmSegment::rendezvous(fmt::format("agreed-{:016x}", all.front().number), rank, ranks, options);
}

std::int32_t ShmSegment::ranks() const {
  return static_cast<std::int32_t>(mapping_->layout().shape().ranks);
}

Bytes ShmSegment::bytes() const {
  return static_cast<Bytes>(mapping_->bytes());
}

}  // namespace postage
