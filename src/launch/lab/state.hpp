#pragma once

#include <postage/launch/lab.hpp>

#include <filesystem>
#include <optional>

namespace postage {

/// Where a lab keeps its files: the plan that it was built by, its /etc/hosts, its launch agent.
[[nodiscard]] std::filesystem::path lab_folder(const std::string& lab);

/// What the folder says of a lab.
struct LabRecord {
  LabPlan plan;
  bool whole = false;  ///< building came to its end
};

/// Nothing where there is no such lab. Throws Error naming a damaged file.
[[nodiscard]] std::optional<LabRecord> read_lab(const std::string& lab);
void write_lab(const LabRecord& record);

/// Throws Error where `name` is no name that namespaces and files can have, UsageError for an invalid plan.
void check_lab_name(const std::string& name);
void check_lab_plan(const LabPlan& plan);
/// The same for a number of switches where there is not just one.
void check_switches(std::size_t hosts, std::size_t switches);

/// Throws Error where this process may not make namespaces.
void check_root();

/// One process at a time builds or removes labs while this lives; others wait. Throws Error.
class LabLock {
 public:
  LabLock();
  ~LabLock();
  LabLock(const LabLock&) = delete;
  LabLock& operator=(const LabLock&) = delete;

 private:
  int descriptor_;
};

}  // namespace postage
