/// Preloaded into the ranks of a lab's job under MPICH with UCX. In MPI_Finalize some ranks wait for answers from the
/// network to the end of their connections, while others wait already at the process manager in a read that serves no
/// network: with four hosts or more the job often never ends. Here such a read serves the network while it waits.

#include <dlfcn.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstddef>

namespace {

using Progress = unsigned (*)(void*);
using Destroy = void (*)(void*);
using Read = ssize_t (*)(int, void*, std::size_t);

/// UCX's worker of this thread, once it has made progress, and whether it is at it.
struct Service {
  void* worker = nullptr;
  bool is_busy = false;
};
thread_local Service service;

template <typename Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

bool is_socket(int descriptor) {
  int type = 0;
  socklen_t size = sizeof type;
  return getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) == 0;
}

}  // namespace

extern "C" unsigned ucp_worker_progress(void* worker) {
  static const auto original = next<Progress>("ucp_worker_progress");
  service = {worker, true};
  const unsigned count = original(worker);
  service.is_busy = false;
  return count;
}

extern "C" void ucp_worker_destroy(void* worker) {
  static const auto original = next<Destroy>("ucp_worker_destroy");
  service = {};
  original(worker);
}

extern "C" ssize_t read(int descriptor, void* buffer, std::size_t size) {
  static const auto original = next<Read>("read");
  if (service.worker != nullptr && !service.is_busy && is_socket(descriptor)) {
    constexpr int milliseconds = 1;
    pollfd waiting{descriptor, POLLIN, 0};
    while (poll(&waiting, 1, milliseconds) == 0) {
      ucp_worker_progress(service.worker);
    }
  }
  return original(descriptor, buffer, size);
}
