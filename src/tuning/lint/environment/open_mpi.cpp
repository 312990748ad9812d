#include "tuning/lint/environment/families.hpp"
#include "tuning/lint/environment/open_mpi_values.hpp"
#include "tuning/lint/openmpi/tuned_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string>

namespace postage {
namespace {

constexpr LibraryVersion kSharedMemoryRenamed{5, 0, 0};

/// A parameter of the MCA: OMPI_MCA_NAME in an environment, NAME in a file of parameters.
std::string parameter_of(const Assignment& one) {
  constexpr std::string_view kPrefix = "OMPI_MCA_";
  return one.name.starts_with(kPrefix) ? one.name.substr(kPrefix.size()) : one.name;
}

class OpenMpiVariables {
 public:
  OpenMpiVariables(std::span<const Assignment> all, const LibraryVersion& version, LintFindings& findings)
      : all_(all), version_(version), findings_(findings) {}

  void check() {
    for (const Assignment& one : all_) {
      const std::string name = parameter_of(one);
      lint_open_mpi_value(one, name, findings_);
      if (name.starts_with("coll_tuned_")) {
        check_tuned(one, name.substr(11));
      } else if (name.starts_with("coll_han_")) {
        check_han(one, name.substr(9));
      } else if (name.starts_with("btl_vader_") && version_ >= kSharedMemoryRenamed) {
        no_effect(one, "renamed", fmt::format("from Open MPI 5.0 on vader is called sm: {} is not read", name),
                  "btl_sm_" + name.substr(10));
      } else if (name.starts_with("btl_sm_") && version_ < kSharedMemoryRenamed) {
        no_effect(one, "renamed", "before Open MPI 5.0 the component of shared memory that is used is vader",
                  "btl_vader_" + name.substr(7));
      }
    }
  }

 private:
  void no_effect(const Assignment& one, std::string check, std::string what, std::string instead) {
    findings_.add(one.line, LintEffect::kNoEffect, std::move(check), std::move(what), std::move(instead));
  }

  const Assignment* find(std::string_view parameter) const {
    const auto found =
        std::find_if(all_.rbegin(), all_.rend(), [&](const Assignment& one) { return parameter_of(one) == parameter; });
    return found == all_.rend() ? nullptr : &*found;
  }

  bool is_on(std::string_view parameter) const {
    const Assignment* const found = find(parameter);
    if (found == nullptr) {
      return false;
    }
    for (const char* yes : {"t", "true", "enabled", "yes", "y"}) {
      if (found->value == yes) {
        return true;
      }
    }
    char* end = nullptr;
    const long number = std::strtol(found->value.c_str(), &end, 0);
    return !found->value.empty() && *end == '\0' && number != 0;
  }

  /// Whatever else is called a rule is no parameter, and Open MPI sets unknown ones without a word.
  static bool is_misspelt(std::string_view name) {
    return name.find("rule") != std::string_view::npos && name != "use_dynamic_rules" &&
           name != "dynamic_rules_filename" && name != "dynamic_rules_fileformat";
  }

  void check_tuned(const Assignment& one, const std::string& name) {
    if (is_misspelt(name)) {
      no_effect(one, "name", fmt::format("coll/tuned has no parameter coll_tuned_{}", name),
                "coll_tuned_use_dynamic_rules or coll_tuned_dynamic_rules_filename");
    }
    if (name == "use_dynamic_rules") {
      return;
    }
    const bool is_algorithm = name.ends_with("_algorithm");
    check_left_out(one, name);
    if (name == "dynamic_rules_filename" || name.find("_algorithm") != std::string::npos) {
      if (!is_on("coll_tuned_use_dynamic_rules")) {
        no_effect(one, "switch", fmt::format("coll_tuned_{} is not read without coll_tuned_use_dynamic_rules", name),
                  "coll_tuned_use_dynamic_rules = 1 beside it");
      }
    }
    if (name == "dynamic_rules_filename") {
      check_file(one, "the built-in decision holds");
    } else if (is_algorithm) {
      check_algorithm(one, name.substr(0, name.size() - 10));
    }
  }

  /// Of a component that the list of them leaves out, and of an algorithm that nothing forces.
  void check_left_out(const Assignment& one, const std::string& name) {
    const Assignment* const list = find("coll");
    if (list != nullptr && !lists_component(list->value, "tuned")) {
      no_effect(one, "component", fmt::format("coll = {} leaves out the component tuned", list->value),
                "to leave coll as it is");
    }
    const auto at = name.find("_algorithm_");
    if (at != std::string::npos && name.find("knomial_radix") == std::string::npos &&
        find("coll_tuned_" + name.substr(0, at + 10)) == nullptr) {
      no_effect(one, "no-algorithm",
                fmt::format("coll_tuned_{} is read with coll_tuned_{} only", name, name.substr(0, at + 10)),
                "both, or the column of a file of rules");
    }
  }

  void check_file(const Assignment& one, std::string_view consequence) {
    if (is_missing_file(one.value)) {
      findings_.add(one.line, LintEffect::kFileIgnored, "no-file",
                    fmt::format("there is no file {} on this machine: {}", one.value, consequence),
                    "a file on every node");
    }
  }

  void check_algorithm(const Assignment& one, const std::string& collective) {
    const std::vector<LibraryAlgorithm> algorithms = tuned_algorithms(open_mpi_collective(collective), version_);
    if (algorithms.empty()) {
      no_effect(one, "collective", fmt::format("coll/tuned has no algorithms of {}", collective), "to leave it out");
      return;
    }
    if (!tuned_algorithm_number(open_mpi_collective(collective), version_, one.value)) {
      std::string list;
      for (const LibraryAlgorithm& algorithm : algorithms) {
        list += fmt::format("{}{} {}", list.empty() ? "" : ", ", algorithm.number, algorithm.name);
      }
      no_effect(one, "algorithm", fmt::format("{} has no algorithm {}: the value is not taken", collective, one.value),
                "one of " + list);
    }
    if (find("coll_tuned_dynamic_rules_filename") != nullptr) {
      no_effect(one, "file-and-parameter",
                version_ < kSharedMemoryRenamed
                    ? fmt::format("the file of rules wins where it has rules of {}", collective)
                    : fmt::format("it replaces the rules of {} that the file has", collective),
                "one of both");
    }
  }

  void check_han(const Assignment& one, const std::string& name) {
    if (name == "dynamic_rules_filename") {
      if (!is_on("coll_han_use_dynamic_file_rules")) {
        no_effect(one, "switch", "coll_han_dynamic_rules_filename is not read without coll_han_use_dynamic_file_rules",
                  "coll_han_use_dynamic_file_rules = 1 beside it");
      }
      check_file(one, "HAN's parameters hold");
      if (version_ < kSharedMemoryRenamed && find("coll_han_priority") == nullptr) {
        no_effect(one, "priority", "before Open MPI 5.0 HAN has priority 0 and is not used",
                  "coll_han_priority = 40 beside it");
      }
    }
  }

  std::span<const Assignment> all_;
  const LibraryVersion& version_;
  LintFindings& findings_;
};

}  // namespace

void lint_open_mpi_variables(std::span<const Assignment> all, const LibraryVersion& version, LintFindings& findings) {
  OpenMpiVariables(all, version, findings).check();
}

}  // namespace postage
