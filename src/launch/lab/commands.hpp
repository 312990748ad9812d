#pragma once

#include <filesystem>
#include <string>

namespace postage {

/// Runs ip and tc in namespaces of a lab.
class LabCommands {
 public:
  /// Throws Error where one of them is not on the PATH.
  explicit LabCommands(const std::string& lab);

  // Each throws Error with what the command says where it fails.
  void add(const std::string& network_namespace) const;
  void remove(const std::string& network_namespace) const;
  /// Batches of commands; nothing is done for an empty one.
  void ip(const std::string& network_namespace, const std::string& batch) const;
  void tc(const std::string& network_namespace, const std::string& batch) const;

 private:
  void run_batch(const std::string& program, const std::string& network_namespace, const std::string& batch) const;

  std::filesystem::path batch_;
  std::string ip_;
  std::string tc_;
};

}  // namespace postage
