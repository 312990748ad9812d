#include "tuning/lint/environment/families.hpp"
#include "tuning/lint/mpich/algorithms.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace postage {
namespace {

constexpr std::string_view kCvar = "MPIR_CVAR_";
constexpr std::string_view kFileCvar = "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE";
constexpr LibraryVersion kCleanErrorSince{4, 1, 0};

constexpr std::array<std::string_view, 7> kNumberEndings{"_SIZE",  "_PROCS",     "_THROTTLE", "_CLIQUES",
                                                         "_TASKS", "_PER_CHILD", "_PER_NBR"};
constexpr std::array<std::string_view, 4> kPosixCollectives{"ALLREDUCE", "BARRIER", "BCAST", "REDUCE"};

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

class MpichVariables {
 public:
  MpichVariables(std::span<const Assignment> all, const LibraryVersion& version, LintFindings& findings)
      : all_(all), version_(version), findings_(findings) {}

  void check() {
    for (const Assignment& one : all_) {
      if (!one.name.starts_with(kCvar)) {
        continue;
      }
      const std::string name = one.name.substr(kCvar.size());
      if (name.ends_with("_POSIX_INTRA_ALGORITHM")) {
        check_posix(one, name.substr(0, name.size() - std::string_view("_POSIX_INTRA_ALGORITHM").size()));
      } else if (name.ends_with("_INTRA_ALGORITHM") || name.ends_with("_INTER_ALGORITHM")) {
        check_algorithm(one, lower(name.substr(0, name.size() - 16)), name.ends_with("INTER_ALGORITHM"));
      } else if (name.ends_with("_TUNING_JSON_FILE")) {
        check_file(one);
      } else if (name.starts_with("IBCAST_TREE_") || name.starts_with("IBCAST_RING_")) {
        check_tree(one, name);
      } else if (name == "COLLECTIVE_FALLBACK") {
        check_word(one, {"error", "print", "silent"});
      } else if (name == "DEVICE_COLLECTIVES") {
        check_word(one, {"all", "none", "percoll"});
      } else if (name.ends_with("_KVAL")) {
        check_radix(one, name);
      } else if (is_whole_number(name)) {
        check_number(one);
      } else if (name.ends_with("_DEVICE_COLLECTIVE")) {
        check_word(one,
                   {"1", "0", "yes", "no", "YES", "NO", "true", "false", "TRUE", "FALSE", "on", "off", "ON", "OFF"});
      } else if (name.find("ALGOR") != std::string::npos) {
        no_effect(one, "name", fmt::format("MPICH has no variable {}", one.name),
                  "MPIR_CVAR_<COLLECTIVE>_INTRA_ALGORITHM");
      }
    }
  }

 private:
  void no_effect(const Assignment& one, std::string check, std::string what, std::string instead) {
    findings_.add(one.line, LintEffect::kNoEffect, std::move(check), std::move(what), std::move(instead));
  }

  /// Endings of the numbers among the variables of collectives.
  static bool is_whole_number(std::string_view name) {
    return std::ranges::any_of(kNumberEndings, [&](std::string_view ending) { return name.ends_with(ending); });
  }

  /// Of shared memory. Later releases have more of them.
  void check_posix(const Assignment& one, std::string_view collective) {
    if (version_ >= kCleanErrorSince) {
      return;
    }
    if (std::ranges::find(kPosixCollectives, collective) == kPosixCollectives.end()) {
      no_effect(one, "name", fmt::format("MPICH {} has no variable {}", format_version(version_), one.name),
                fmt::format("one of {}", fmt::join(kPosixCollectives, ", ")));
      return;
    }
    check_word(one, {"auto", "mpir", "release_gather"});
  }

  void check_algorithm(const Assignment& one, const std::string& collective, bool is_inter) {
    if (std::ranges::find(mpich_collectives(), collective) == mpich_collectives().end()) {
      no_effect(one, "name", fmt::format("MPICH has no variable {}", one.name),
                "MPIR_CVAR_<COLLECTIVE>_INTRA_ALGORITHM");
      return;
    }
    std::string names = "auto";
    for (const MpichAlgorithm& algorithm : mpich_algorithms()) {
      if (algorithm.collective == collective &&
          (algorithm.kind == (is_inter ? "inter" : "intra") || algorithm.kind == "allcomm") &&
          algorithm.since <= version_ && version_ < algorithm.before) {
        names += ", " + algorithm.name;
      }
    }
    if (collective.front() == 'i') {
      names += ", sched_auto";
    }
    if ((", " + names + ",").find(", " + one.value + ",") == std::string::npos) {
      findings_.add(one.line, LintEffect::kAborts, "algorithm",
                    fmt::format("MPICH {} has no algorithm {} of {}: MPI_Init aborts", format_version(version_),
                                one.value, collective),
                    "one of " + names);
    }
    if (!is_inter && one.value != "auto" && find_assignment(all_, kFileCvar) != nullptr) {
      no_effect(one, "file-and-variable", fmt::format("it replaces the rules of {} that the JSON file has", collective),
                "one of both");
    }
  }

  void check_word(const Assignment& one, std::initializer_list<std::string_view> words) {
    if (std::ranges::find(words, one.value) == words.end()) {
      std::string list;
      for (const std::string_view word : words) {
        list += (list.empty() ? "" : ", ") + std::string(word);
      }
      findings_.add(one.line, LintEffect::kAborts, "value",
                    fmt::format("'{}' is no value of {}: MPI_Init aborts", one.value, one.name), "one of " + list);
    }
  }

  bool check_number(const Assignment& one) {
    const bool is_signed = one.value.starts_with('-') || one.value.starts_with('+');
    const std::string_view digits = std::string_view(one.value).substr(is_signed ? 1 : 0);
    const bool is_number =
        !digits.empty() && std::ranges::all_of(digits, [](unsigned char c) { return std::isdigit(c) != 0; });
    if (!is_number) {
      findings_.add(one.line, LintEffect::kAborts, "number",
                    fmt::format("'{}' is no number: MPI_Init aborts", one.value), "digits alone");
    }
    return is_number;
  }

  /// A k-ary tree may be a chain. All trees are k-ary unless their type is given, but those of gather and scatter.
  [[nodiscard]] bool may_be_chain(const std::string& name) const {
    if (!name.ends_with("_TREE_KVAL") || name.starts_with("IGATHER") || name.starts_with("ISCATTER")) {
      return false;
    }
    const std::string stem = name.substr(0, name.size() - std::string_view("KVAL").size());
    const Assignment* const type = find_assignment(all_, std::string(kCvar) + stem + "TYPE");
    return type == nullptr || type->value == "kary";
  }

  void check_radix(const Assignment& one, const std::string& name) {
    const int least = may_be_chain(name) ? 1 : 2;
    if (check_number(one) && std::atoll(one.value.c_str()) < least) {
      findings_.add(
          one.line, LintEffect::kAborts, "radix",
          fmt::format("{} is below {}: the first call that reads it crashes, never ends or has a wrong result",
                      one.value, least),
          fmt::format("a number from {} on", least));
    }
  }

  void check_file(const Assignment& one) {
    if (is_missing_file(one.value)) {
      findings_.add(one.line, LintEffect::kAborts, "no-file",
                    fmt::format("there is no file {} on this machine: MPI_Init {}", one.value,
                                version_ < kCleanErrorSince ? "crashes" : "fails"),
                    "a file on every node");
    }
  }

  void check_tree(const Assignment& one, const std::string& name) {
    const Assignment* const algorithm = find_assignment(all_, "MPIR_CVAR_IBCAST_INTRA_ALGORITHM");
    const std::string wanted = name.starts_with("IBCAST_RING_") ? "tsp_ring" : "tsp_tree";
    const Assignment* const bcast = find_assignment(all_, "MPIR_CVAR_BCAST_INTRA_ALGORITHM");
    const bool is_blocking_tree = bcast != nullptr && bcast->value.find("tree") != std::string::npos;
    if (!is_blocking_tree && (algorithm == nullptr || algorithm->value != wanted)) {
      no_effect(
          one, "switch", fmt::format("{} is read by the algorithm {} only", one.name, wanted),
          fmt::format(
              "MPIR_CVAR_IBCAST_INTRA_ALGORITHM={} beside it, and MPIR_CVAR_BCAST_INTRA_ALGORITHM=nb for MPI_Bcast",
              wanted));
    }
    if (name.ends_with("_KVAL")) {
      check_radix(one, name);
    } else if (name.ends_with("_SIZE")) {
      check_number(one);
    }
    if (name == "IBCAST_TREE_TYPE" && one.value != "kary" && one.value != "knomial_1" && one.value != "knomial_2") {
      findings_.add(one.line, LintEffect::kMisread, "tree-type",
                    fmt::format("there is no tree type {}, and no message says so", one.value),
                    "kary, knomial_1 or knomial_2");
    }
  }

  std::span<const Assignment> all_;
  const LibraryVersion& version_;
  LintFindings& findings_;
};

}  // namespace

std::string mpich_variable(std::string_view name) {
  if (name.starts_with(kCvar)) {
    return std::string(name);
  }
  for (const std::string_view prefix : {"MPIR_PARAM_", "MPICH_"}) {
    const std::string rest = name.starts_with(prefix) ? std::string(name.substr(prefix.size())) : "";
    const bool is_known = rest.ends_with("_INTRA_ALGORITHM") || rest.ends_with("_INTER_ALGORITHM") ||
                          rest.ends_with("_TUNING_JSON_FILE") || rest.ends_with("_DEVICE_COLLECTIVE") ||
                          rest == "COLLECTIVE_FALLBACK" || rest == "DEVICE_COLLECTIVES";
    if (is_known) {  // Cray's MPI has variables of its own that begin with MPICH_.
      return std::string(kCvar) + rest;
    }
  }
  return "";
}

void lint_mpich_variables(std::span<const Assignment> all, const LibraryVersion& version, LintFindings& findings) {
  std::vector<Assignment> renamed(all.begin(), all.end());
  for (Assignment& one : renamed) {
    const std::string name = mpich_variable(one.name);
    one.name = name.empty() ? one.name : name;
  }
  MpichVariables(renamed, version, findings).check();
}

}  // namespace postage
