#include "shm/collectives/direct_memory.hpp"

#include "shm/copy/page.hpp"
#include "shm/segment/rendezvous_socket.hpp"

#include <postage/base/error.hpp>

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <exception>
#include <string>

namespace postage::shm {
namespace {

/// Of the posts and the slots behind them.
constexpr std::size_t kPostedBytes = sizeof(RankArea) - offsetof(RankArea, posts);

Descriptor send_new_file(const RendezvousSocket& rendezvous, std::uint64_t bytes, const DirectOptions& options) {
  Descriptor file;
  std::string failure;
  try {
    file = unnamed_file(options.directory, bytes);
  } catch (const Error& error) {
    failure = error.what();
  }
  // The others wait for an answer also where there is nothing to send.
  send_segment(rendezvous, file.number(), failure);
  if (!failure.empty()) {
    throw Error(failure);
  }
  return file;
}

RankArea* map(const Descriptor& file, std::uint64_t bytes) {
  void* const base = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.number(), 0);
  if (base == MAP_FAILED) {
    throw Error(fmt::format("cannot map {} of shared memory ({})", format_bytes(static_cast<Bytes>(bytes)),
                            std::strerror(errno)));
  }
  return static_cast<RankArea*>(base);
}

}  // namespace

DirectMemory::DirectMemory(std::int32_t rank, std::int32_t ranks, std::uint64_t number, const DirectOptions& options)
    : bytes_(static_cast<std::uint64_t>(ranks) * sizeof(RankArea)),
      token_(number ^ (static_cast<std::uint64_t>(rank) + 1) * 0x9e3779b97f4a7c15U) {
  const RendezvousSocket rendezvous{
      .name = fmt::format("direct-{:016x}", number), .rank = rank, .ranks = ranks, .patience = options.patience};
  const Descriptor file = rank == 0 ? send_new_file(rendezvous, bytes_, options) : receive_segment(rendezvous);
  areas_ = map(file, bytes_);
  // Written by its owner first, so that it lies in the owner's NUMA node and no collective waits for its pages.
  std::memset(static_cast<void*>(area(rank).posts), 0, kPostedBytes);
  publish(area(rank).card);
}

void DirectMemory::touch(std::int32_t rank) const {
  const auto* const bytes = reinterpret_cast<const volatile unsigned char*>(area(rank).posts);
  for (std::size_t at = 0; at < kPostedBytes; at += kPageBytes) {
    static_cast<void>(bytes[at]);
  }
}

DirectMemory::~DirectMemory() {
  munmap(areas_, bytes_);
}

void DirectMemory::publish(RankCard& card) const {
#ifdef PR_SET_PTRACER
  // Where Yama restricts ptrace, siblings may read this process only if it says so.
  prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
#endif
  card.pid = getpid();
  card.token = token_;
  card.token_address = reinterpret_cast<std::uintptr_t>(&token_);
  card.present.store(1, std::memory_order_release);
}

}  // namespace postage::shm
