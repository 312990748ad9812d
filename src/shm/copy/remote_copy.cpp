#include "shm/copy/remote_copy.hpp"

#include <array>
#include <cerrno>

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
  return {reinterpret_cast<std::byte*>(static_cast<std::uintptr_t>(remote.address)), remote.bytes, remote.block,
          remote.stride};
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

}  // namespace

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
