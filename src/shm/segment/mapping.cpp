#include "shm/segment/mapping.hpp"

#include <postage/base/error.hpp>
#include <postage/base/units.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>
#include <vector>

namespace postage::shm {
namespace {

/// Up to this size all pages are mapped before the first message.
constexpr std::uint64_t kPopulated = std::uint64_t{64} << 20;

/// All hardware threads of the core that `pu` begins, itself included: "0,64" or "0-1" in the kernel's file.
std::vector<int> threads_of_core(int pu) {
  std::ifstream list(fmt::format("/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list", pu));
  std::vector<int> threads{pu};
  int first = 0;
  while (list >> first) {
    int last = first;
    if (list.peek() == '-') {
      list.ignore() >> last;
    }
    for (int thread = first; thread <= last; ++thread) {
      threads.push_back(thread);
    }
    list.ignore();
  }
  return threads;
}

/// What hwloc says, in the form in which ranks look it up.
void write_locations(Header& header) {
  for (const Core& core : discover_topology().cores) {
    for (const int pu : threads_of_core(core.pu)) {
      if (pu >= 0 && static_cast<std::size_t>(pu) < kMostPus) {
        header.locations[static_cast<std::size_t>(pu)] = {static_cast<std::int16_t>(core.socket),
                                                          static_cast<std::int16_t>(core.cache)};
      }
    }
  }
}

struct flock lock_of(std::int32_t rank, short type) {
  struct flock lock {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  lock.l_start = rank;
  lock.l_len = 1;
  return lock;
}

}  // namespace

Mapping::Mapping(const SegmentShape& shape, const SegmentOptions& options)
    : file_(unnamed_file(options.directory, shape.total_bytes())), bytes_(shape.total_bytes()) {
  map();
  Header& header = layout().header();
  header = {};
  header.shape = shape;
  header.patience = options.patience;
  write_locations(header);
  header.magic = kMagic;
}

Mapping::Mapping(Descriptor file) : file_(std::move(file)) {
  struct stat status {};
  if (fstat(file_.number(), &status) != 0 || static_cast<std::uint64_t>(status.st_size) < sizeof(Header)) {
    throw Error("the file that another rank sent is not a shared-memory segment");
  }
  bytes_ = static_cast<std::uint64_t>(status.st_size);
  map();
  const Header& header = layout().header();
  if (header.magic != kMagic || header.shape.total_bytes() != bytes_) {
    munmap(base_, bytes_);
    throw Error("the ranks of this shared-memory segment run different versions of postage");
  }
}

Mapping::~Mapping() {
  munmap(base_, bytes_);
}

void Mapping::map() {
  void* base = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, file_.number(), 0);
  if (base == MAP_FAILED) {
    throw Error(fmt::format("cannot map {} of shared memory ({})", format_bytes(static_cast<Bytes>(bytes_)),
                            std::strerror(errno)));
  }
  base_ = static_cast<std::byte*>(base);
}

void Mapping::populate() const {
  if (bytes_ <= kPopulated) {
    // Older kernels refuse: then pages come one after another.
    static_cast<void>(madvise(base_, bytes_, MADV_POPULATE_WRITE));
  }
}

bool Mapping::lock(std::int32_t rank) const {
  struct flock lock = lock_of(rank, F_WRLCK);
  return fcntl(file_.number(), F_SETLK, &lock) == 0;
}

void Mapping::unlock(std::int32_t rank) const {
  struct flock lock = lock_of(rank, F_UNLCK);
  fcntl(file_.number(), F_SETLK, &lock);
}

bool Mapping::locked_elsewhere(std::int32_t rank) const {
  struct flock lock = lock_of(rank, F_WRLCK);
  return fcntl(file_.number(), F_GETLK, &lock) != 0 || lock.l_type != F_UNLCK;
}

}  // namespace postage::shm
