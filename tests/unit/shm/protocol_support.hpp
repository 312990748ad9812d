#pragma once

#include "support/ranks.hpp"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <string>

namespace postage::test {

inline ShmOptions with_thresholds(const ProtocolThresholds& thresholds) {
  ShmOptions options;
  options.thresholds = ThresholdTable::uniform(thresholds);
  return options;
}

inline std::string as_text(const ProtocolCounts& counts) {
  return "eager " + std::to_string(counts.eager) + ", buffered " + std::to_string(counts.buffered) + ", pipelined " +
         std::to_string(counts.pipelined) + ", single " + std::to_string(counts.single_copy) + ", cooperative " +
         std::to_string(counts.cooperative);
}

/// From here on the kernel refuses this process to touch others' memory, as some containers do.
inline void forbid_touching_others() {
  std::array<sock_filter, 5> filter{{
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_readv, 1, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_writev, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  }};
  const sock_fprog program{.len = static_cast<unsigned short>(filter.size()), .filter = filter.data()};
  require(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0,
          "seccomp");
}

}  // namespace postage::test
