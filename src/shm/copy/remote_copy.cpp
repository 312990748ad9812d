#include "shm/copy/remote_copy.hpp"

#include "shm/copy/page.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <memory>
#include <new>

namespace postage::shm {
namespace {

/// Enough for a call to move much, few enough to fill quickly; the kernel takes up to 1024.
constexpr std::size_t kParts = 64;

struct Parts {
  std::array<iovec, kParts> parts{};
  std::size_t count = 0;
  std::uint64_t bytes = 0;
};

Buffer as_buffer(const RemoteBuffer& remote) {
  return {std::bit_cast<std::byte*>(remote.address), remote.bytes, remote.block, remote.stride};
}

Parts parts_of(const Buffer& buffer, std::uint64_t offset, std::uint64_t bytes) {
  Parts result;
  for_each_run(buffer, offset, bytes, [&](std::byte* run, std::uint64_t length) {
    result.parts[result.count++] = {run, length};
    result.bytes += length;
    return result.count < kParts;
  });
  return result;
}

/// Larger ones would leave the nearest caches before they are copied on.
constexpr std::uint64_t kMostAtOnce = 32 << 10;

/// Of this thread, for so many bytes at any offset from a page.
std::byte* room_on_pages() {
  struct FreeAligned {
    void operator()(std::byte* memory) const { ::operator delete[](memory, std::align_val_t{kPageBytes}); }
  };
  thread_local const std::unique_ptr<std::byte[], FreeAligned> room(
      static_cast<std::byte*>(::operator new[](kMostAtOnce + kPageBytes, std::align_val_t{kPageBytes})));
  return room.get();
}

}  // namespace

bool is_slow_remote(std::uint64_t to, std::uint64_t from, std::uint64_t bytes) {
#if defined(__x86_64__)
  const std::uint64_t further = (to - from) % kPageBytes;
  return further > 0 && further < 16 && bytes >= kPageBytes;
#else
  static_cast<void>(to);
  static_cast<void>(from);
  static_cast<void>(bytes);
  return false;
#endif
}

int read_remote(pid_t process, const Buffer& local, const RemoteBuffer& remote, std::uint64_t offset,
                std::uint64_t bytes) {
  const bool is_slower = local.is_contiguous() && remote.block == remote.bytes &&
                         is_slow_remote(reinterpret_cast<std::uintptr_t>(local.data), remote.address, bytes);
  if (!is_slower) {
    return copy_remote(process_vm_readv, process, local, remote, offset, bytes);
  }
  for (const std::uint64_t end = offset + bytes; offset < end;) {
    const std::uint64_t some = std::min(kMostAtOnce, end - offset);
    std::byte* const room = room_on_pages() + (remote.address + offset) % kPageBytes;
    const Buffer here{room, some, some, some};
    const RemoteBuffer there{remote.address + offset, some, some, some};
    if (const int error = copy_remote(process_vm_readv, process, here, there, 0, some); error != 0) {
      return error;
    }
    copy_by_blocks(local.data + offset, room, some);
    offset += some;
  }
  return 0;
}

int copy_remote(RemoteCall call, pid_t process, const Buffer& local, const RemoteBuffer& remote, std::uint64_t offset,
                std::uint64_t bytes) {
  const Buffer there = as_buffer(remote);
  while (bytes > 0) {
    const Parts here_parts = parts_of(local, offset, bytes);
    const Parts there_parts = parts_of(there, offset, bytes);
    const ssize_t moved =
        call(process, here_parts.parts.data(), here_parts.count, there_parts.parts.data(), there_parts.count, 0);
    if (moved < 0 && errno == EINTR) {
      continue;
    }
    if (moved <= 0) {
      return moved < 0 ? errno : EFAULT;
    }
    offset += static_cast<std::uint64_t>(moved);
    bytes -= static_cast<std::uint64_t>(moved);
  }
  return 0;
}

int read_token(pid_t process, std::uint64_t address, std::uint64_t token) {
  std::uint64_t found = 0;
  const Buffer here{reinterpret_cast<std::byte*>(&found), sizeof found, sizeof found, sizeof found};
  const int error = copy_remote(process_vm_readv, process, here, {address, sizeof found, sizeof found, sizeof found}, 0,
                                sizeof found);
  if (error != 0) {
    return error;
  }
  return found == token ? 0 : EPERM;
}

}  // namespace postage::shm
