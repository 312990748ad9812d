#pragma once

#include "shm/copy/buffer.hpp"

#include <sys/types.h>
#include <sys/uio.h>

#include <cstdint>

namespace postage::shm {

/// process_vm_readv, process_vm_writev, or what a test puts in their place.
using RemoteCall = ssize_t (*)(pid_t process, const iovec* local, unsigned long local_count, const iovec* remote,
                               unsigned long remote_count, unsigned long flags);

/// Moves bytes [offset, offset + bytes) of a message between this process and another one, by as many calls as it
/// takes: a call may move less than it was asked for. Returns 0, or the errno of the call that moved nothing.
[[nodiscard]] int copy_remote(RemoteCall call, pid_t process, const Buffer& local, const RemoteBuffer& remote,
                              std::uint64_t offset, std::uint64_t bytes);

/// True where moving so many bytes from one address to the other by the kernel's `rep movsb` takes four to six times as
/// long on AMD processors: where the target lies 1 to 15 bytes further into its page than the source.
[[nodiscard]] bool is_slow_remote(std::uint64_t to, std::uint64_t from, std::uint64_t bytes);

/// The same by process_vm_readv. What is slow is read to where it lies alike in its page, and copied from there.
[[nodiscard]] int read_remote(pid_t process, const Buffer& local, const RemoteBuffer& remote, std::uint64_t offset,
                              std::uint64_t bytes);

/// 0 if `token` stands at `address` of that process: then the number means the process that it should, and reading it
/// is allowed. Else an errno, EPERM where something else stands there.
[[nodiscard]] int read_token(pid_t process, std::uint64_t address, std::uint64_t token);

}  // namespace postage::shm
