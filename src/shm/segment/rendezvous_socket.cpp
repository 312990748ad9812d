#include "shm/segment/rendezvous_socket.hpp"

#include "shm/segment/layout.hpp"

#include <postage/base/error.hpp>

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <span>
#include <thread>
#include <vector>

namespace postage::shm {
namespace {

using Clock = std::chrono::steady_clock;

struct Hello {
  std::uint64_t magic = kMagic;
  std::int32_t rank = 0;
  std::int32_t ranks = 0;
};

/// With a file descriptor, unless it refuses.
struct Answer {
  std::uint64_t magic = kMagic;
  std::array<char, 400> refusal{};
};

struct Address {
  sockaddr_un socket{};
  socklen_t length = 0;
};

class Deadline {
 public:
  explicit Deadline(Seconds patience) : end_(Clock::now() + std::chrono::duration<double>(patience)) {}
  [[nodiscard]] bool passed() const { return Clock::now() >= end_; }
  [[nodiscard]] int milliseconds() const {
    const std::chrono::duration<double, std::milli> left = end_ - Clock::now();
    return static_cast<int>(std::ceil(std::clamp(left.count(), 0.0, 1e9)));
  }

 private:
  std::chrono::time_point<Clock, std::chrono::duration<double>> end_;
};

/// A leading zero byte makes the name abstract.
Address address_of(const RendezvousSocket& rendezvous) {
  const std::string name = fmt::format("postage-shm/{}/{}", geteuid(), rendezvous.name);
  Address address;
  address.socket.sun_family = AF_UNIX;
  if (rendezvous.name.empty() || name.size() + 1 > sizeof address.socket.sun_path) {
    throw UsageError(
        fmt::format("'{}' is not a name for a shared-memory segment: use 1 to 64 characters", rendezvous.name));
  }
  std::copy(name.begin(), name.end(), address.socket.sun_path + 1);
  address.length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  return address;
}

Descriptor make_socket() {
  Descriptor socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  if (socket.number() < 0) {
    throw Error(fmt::format("cannot make the rendezvous socket ({})", std::strerror(errno)));
  }
  return socket;
}

bool is_same_user(const Descriptor& peer) {
  ucred credentials{};
  socklen_t length = sizeof credentials;
  return getsockopt(peer.number(), SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0 && credentials.uid == geteuid();
}

/// False where nothing came in time or the other side is gone.
bool wait_readable(const Descriptor& socket, const Deadline& deadline) {
  pollfd waiting{.fd = socket.number(), .events = POLLIN, .revents = 0};
  int ready = -1;
  do {
    ready = poll(&waiting, 1, deadline.milliseconds());
  } while (ready < 0 && errno == EINTR);
  return ready > 0;
}

bool receive_hello(const Descriptor& peer, const Deadline& deadline, Hello& hello) {
  return wait_readable(peer, deadline) &&
         recv(peer.number(), &hello, sizeof hello, 0) == static_cast<ssize_t>(sizeof hello) && hello.magic == kMagic;
}

/// One message, with a file descriptor where there is no refusal.
void answer(const Descriptor& peer, int file, const std::string& refusal) {
  Answer body;
  std::copy_n(refusal.begin(), std::min(refusal.size(), body.refusal.size() - 1), body.refusal.begin());
  iovec part{.iov_base = &body, .iov_len = sizeof body};
  alignas(cmsghdr) std::array<std::byte, CMSG_SPACE(sizeof(int))> control{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (refusal.empty()) {
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(header), &file, sizeof file);
  }
  // A rank that died since is missed later, by all.
  static_cast<void>(sendmsg(peer.number(), &message, MSG_NOSIGNAL));
}

Descriptor descriptor_in(msghdr& message) {
  Descriptor file;
  for (cmsghdr* header = CMSG_FIRSTHDR(&message); header != nullptr; header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS) {
      int number = -1;
      std::memcpy(&number, CMSG_DATA(header), sizeof number);
      file = Descriptor(number);
    }
  }
  return file;
}

Descriptor receive_answer(const Descriptor& socket, const RendezvousSocket& rendezvous, const Deadline& deadline) {
  Answer body;
  iovec part{.iov_base = &body, .iov_len = sizeof body};
  alignas(cmsghdr) std::array<std::byte, CMSG_SPACE(sizeof(int))> control{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  if (!wait_readable(socket, deadline) ||
      recvmsg(socket.number(), &message, MSG_CMSG_CLOEXEC) != static_cast<ssize_t>(sizeof body) ||
      body.magic != kMagic) {
    throw Error(
        fmt::format("rank 0 of the shared-memory segment '{}' refused rank {}", rendezvous.name, rendezvous.rank));
  }
  body.refusal.back() = '\0';
  if (body.refusal.front() != '\0') {
    throw Error(body.refusal.data());
  }
  Descriptor file = descriptor_in(message);
  if (file.number() < 0) {
    throw Error(fmt::format("rank 0 of the shared-memory segment '{}' sent no memory to rank {}", rendezvous.name,
                            rendezvous.rank));
  }
  return file;
}

Descriptor listen_at(const RendezvousSocket& rendezvous) {
  const Address address = address_of(rendezvous);
  Descriptor socket = make_socket();
  if (bind(socket.number(), reinterpret_cast<const sockaddr*>(&address.socket), address.length) != 0 ||
      listen(socket.number(), rendezvous.ranks) != 0) {
    throw Error(
        fmt::format("cannot bind the rendezvous socket '{}' ({}); does another group of this user use that name?",
                    rendezvous.name, std::strerror(errno)));
  }
  return socket;
}

/// Why a process cannot join; empty if it can.
std::string objection(const RendezvousSocket& rendezvous, const Hello& hello, const std::vector<bool>& joined) {
  if (hello.ranks != rendezvous.ranks) {
    return fmt::format(
        "the ranks of the shared-memory segment '{}' do not agree: rank 0 expects {} of them, rank {} expects {}",
        rendezvous.name, rendezvous.ranks, hello.rank, hello.ranks);
  }
  if (hello.rank < 1 || hello.rank >= rendezvous.ranks || joined[static_cast<std::size_t>(hello.rank)]) {
    return fmt::format("two processes join the shared-memory segment '{}' as rank {}", rendezvous.name, hello.rank);
  }
  return {};
}

}  // namespace

void send_segment(const RendezvousSocket& rendezvous, int file, const std::string& refusal) {
  const Deadline deadline(rendezvous.patience);
  const Descriptor socket = listen_at(rendezvous);
  std::vector<bool> joined(static_cast<std::size_t>(rendezvous.ranks), false);
  for (std::int32_t missing = rendezvous.ranks - 1; missing > 0;) {
    if (!wait_readable(socket, deadline)) {
      throw Error(fmt::format("{} of {} ranks did not join the shared-memory segment '{}' within {}", missing,
                              rendezvous.ranks, rendezvous.name, format_seconds(rendezvous.patience)));
    }
    const Descriptor peer(accept4(socket.number(), nullptr, nullptr, SOCK_CLOEXEC));
    Hello hello;
    if (peer.number() < 0 || !is_same_user(peer) || !receive_hello(peer, deadline, hello)) {
      continue;  // not of this group
    }
    const std::string wrong = objection(rendezvous, hello, joined);
    answer(peer, file, wrong.empty() ? refusal : wrong);
    if (!wrong.empty()) {
      throw Error(wrong);
    }
    joined[static_cast<std::size_t>(hello.rank)] = true;
    --missing;
  }
}

Descriptor receive_segment(const RendezvousSocket& rendezvous) {
  const Deadline deadline(rendezvous.patience);
  const Address address = address_of(rendezvous);
  Descriptor socket = make_socket();
  while (connect(socket.number(), reinterpret_cast<const sockaddr*>(&address.socket), address.length) != 0) {
    if (errno != ECONNREFUSED && errno != EINTR && errno != EAGAIN) {
      throw Error(fmt::format("cannot reach rank 0 of the shared-memory segment '{}' ({})", rendezvous.name,
                              std::strerror(errno)));
    }
    if (deadline.passed()) {
      throw Error(fmt::format("rank 0 did not open the shared-memory segment '{}' within {}", rendezvous.name,
                              format_seconds(rendezvous.patience)));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  if (!is_same_user(socket)) {
    throw Error(fmt::format("the shared-memory segment '{}' was opened by another user", rendezvous.name));
  }
  const Hello hello{.rank = rendezvous.rank, .ranks = rendezvous.ranks};
  static_cast<void>(::send(socket.number(), &hello, sizeof hello, MSG_NOSIGNAL));
  return receive_answer(socket, rendezvous, deadline);
}

}  // namespace postage::shm
