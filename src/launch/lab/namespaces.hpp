#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace postage {

/// The calling thread is in a named network namespace while this lives. Throws Error.
class NamespaceScope {
 public:
  explicit NamespaceScope(const std::string& name);
  ~NamespaceScope();
  NamespaceScope(const NamespaceScope&) = delete;
  NamespaceScope& operator=(const NamespaceScope&) = delete;

 private:
  int old_;
};

/// Named network namespaces that begin with `prefix`, in order of name.
[[nodiscard]] std::vector<std::string> namespaces_with(const std::string& prefix);

/// Processes in any of the named network namespaces.
[[nodiscard]] std::vector<pid_t> processes_in(const std::vector<std::string>& namespaces);

/// Kills them until none is left. Throws Error where one does not go.
void kill_processes_in(const std::vector<std::string>& namespaces);

/// Makes this process one on a host of its own: network namespace, host name, /etc/hosts, /sys and shared memory.
/// Nothing that it mounts is seen by others. Throws Error.
void become_host(const std::string& network_namespace, const std::string& host_name, const std::string& hosts_file);

}  // namespace postage
