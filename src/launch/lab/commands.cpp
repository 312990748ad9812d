#include "launch/lab/commands.hpp"

#include "launch/lab/state.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/launch/find_program.hpp>
#include <postage/launch/launch.hpp>

#include <fmt/format.h>

#include <vector>

namespace postage {
namespace {

constexpr Seconds kCommandLimit = 30;

std::string required_command(const std::string& name) {
  const std::filesystem::path path = find_in_path(name);
  if (path.empty()) {
    throw Error(fmt::format("a lab needs the command {}, which is not on the PATH: apt-get install iproute2", name));
  }
  return path.string();
}

void run_lab_command(const std::vector<std::string>& command) {
  static_cast<void>(run_command(command, kCommandLimit));
}

}  // namespace

LabCommands::LabCommands(const std::string& lab)
    : batch_(lab_folder(lab) / "batch"), ip_(required_command("ip")), tc_(required_command("tc")) {}

void LabCommands::add(const std::string& network_namespace) const {
  run_lab_command({ip_, "netns", "add", network_namespace});
}

void LabCommands::remove(const std::string& network_namespace) const {
  run_lab_command({ip_, "netns", "delete", network_namespace});
}

void LabCommands::ip(const std::string& network_namespace, const std::string& batch) const {
  run_batch(ip_, network_namespace, batch);
}

void LabCommands::tc(const std::string& network_namespace, const std::string& batch) const {
  run_batch(tc_, network_namespace, batch);
}

void LabCommands::run_batch(const std::string& program, const std::string& network_namespace,
                            const std::string& batch) const {
  if (!batch.empty()) {
    write_file(batch_, batch);
    run_lab_command({program, "-n", network_namespace, "-batch", batch_.string()});
  }
}

}  // namespace postage
