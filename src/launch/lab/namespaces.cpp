#include "launch/lab/namespaces.hpp"

#include <postage/base/error.hpp>

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <set>

namespace postage {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFolder = "/run/netns";

[[noreturn]] void fail(const std::string& what) {
  throw Error(fmt::format("{}: {}", what, std::strerror(errno)));
}

void require(bool done, const std::string& what) {
  if (!done) {
    fail(what);
  }
}

void enter(int descriptor, const std::string& name) {
  require(setns(descriptor, CLONE_NEWNET) == 0, fmt::format("cannot enter network namespace {}", name));
}

int open_namespace(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  require(descriptor >= 0, fmt::format("cannot open network namespace {}", path));
  return descriptor;
}

std::string path_of_namespace(const std::string& name) {
  return fmt::format("{}/{}", kFolder, name);
}

/// Namespaces are files of one file system: their inodes tell them apart.
std::set<ino_t> inodes_of(const std::vector<std::string>& namespaces) {
  std::set<ino_t> inodes;
  for (const std::string& name : namespaces) {
    struct stat status {};
    if (stat(path_of_namespace(name).c_str(), &status) == 0) {
      inodes.insert(status.st_ino);
    }
  }
  return inodes;
}

}  // namespace

NamespaceScope::NamespaceScope(const std::string& name) : old_(open_namespace("/proc/thread-self/ns/net")) {
  const int descriptor = open_namespace(path_of_namespace(name));
  enter(descriptor, name);
  close(descriptor);
}

NamespaceScope::~NamespaceScope() {
  // A thread may always go back to where it came from.
  static_cast<void>(setns(old_, CLONE_NEWNET));
  close(old_);
}

std::vector<std::string> namespaces_with(const std::string& prefix) {
  std::vector<std::string> names;
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator(kFolder, none)) {
    if (const std::string name = entry.path().filename(); name.starts_with(prefix)) {
      names.push_back(name);
    }
  }
  std::ranges::sort(names);
  return names;
}

std::vector<pid_t> processes_in(const std::vector<std::string>& namespaces) {
  const std::set<ino_t> inodes = inodes_of(namespaces);
  std::vector<pid_t> found;
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator("/proc", none)) {
    const pid_t pid = std::atoi(entry.path().filename().c_str());
    struct stat status {};
    if (pid > 0 && stat((entry.path() / "ns/net").c_str(), &status) == 0 && inodes.count(status.st_ino) > 0) {
      found.push_back(pid);
    }
  }
  return found;
}

void kill_processes_in(const std::vector<std::string>& namespaces) {
  constexpr int most_rounds = 400;
  for (int round = 0; round < most_rounds; ++round) {
    const std::vector<pid_t> left = processes_in(namespaces);
    if (left.empty()) {
      return;
    }
    for (const pid_t pid : left) {
      kill(pid, SIGKILL);
    }
    usleep(5000);
  }
  throw Error(fmt::format("process {} in {} does not end", processes_in(namespaces).front(), namespaces.front()));
}

void become_host(const std::string& network_namespace, const std::string& host_name, const std::string& hosts_file) {
  const int descriptor = open_namespace(path_of_namespace(network_namespace));
  enter(descriptor, network_namespace);
  close(descriptor);
  require(unshare(CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC) == 0, "cannot make namespaces for a host of a lab");
  require(mount("", "/", nullptr, MS_REC | MS_SLAVE, nullptr) == 0, "cannot keep a host's mounts to itself");
  require(sethostname(host_name.data(), host_name.size()) == 0, "cannot name a host of a lab");
  require(mount(hosts_file.c_str(), "/etc/hosts", nullptr, MS_BIND, nullptr) == 0, "cannot give a host its /etc/hosts");
  // /sys shows the network of whoever mounted it.
  static_cast<void>(umount2("/sys", MNT_DETACH));
  require(mount("sysfs", "/sys", "sysfs", 0, nullptr) == 0, "cannot give a host its /sys");
  require(mount("tmpfs", "/dev/shm", "tmpfs", 0, nullptr) == 0, "cannot give a host its shared memory");
}

}  // namespace postage
