#include "tuning/lint/mpich/parameters.hpp"

#include "tuning/lint/mpich/conditions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <initializer_list>
#include <sstream>
#include <string>
#include <vector>

namespace postage {
namespace {

constexpr LibraryVersion kTreeNamesSince{4, 3, 0};
constexpr LibraryVersion kMostReadSince{4, 1, 0};
/// Of a built-in type.
constexpr long kLongestElement = 32;

// A line an algorithm: its collective, its name and its parameters; '?' before those that may be left out. Seen in
// parse_container_params of src/mpi/coll/src/csel_container.c.
constexpr const char* kParameterList = R"(
barrier k_dissemination k
barrier recexch k ?single_phase_recv
bcast tree tree_type k ?is_non_blocking ?topo_overhead ?topo_diff_groups ?topo_diff_switches ?topo_same_switches
bcast pipelined_tree tree_type k chunk_size ?is_non_blocking ?recv_pre_posted
allgather k_brucks k
allgather recexch_doubling k ?single_phase_recv
allgather recexch_halving k ?single_phase_recv
alltoall k_brucks k
allreduce tree tree_type k chunk_size ?buffer_per_child ?topo_overhead ?topo_diff_groups ?topo_diff_switches ?topo_same_switches
allreduce recexch k ?single_phase_recv
allreduce k_reduce_scatter_allgather k ?single_phase_recv
allreduce ccl ccl
ibarrier tsp_recexch k
ibarrier tsp_k_dissemination k
ibcast tsp_tree tree_type k chunk_size
ibcast tsp_ring chunk_size
ibcast tsp_scatterv_recexch_allgatherv scatterv_k allgatherv_k
ibcast tsp_scatterv_ring_allgatherv scatterv_k
igather tsp_tree k
iscatter tsp_tree k
iallgather tsp_brucks k
iallgather tsp_recexch_doubling k
iallgather tsp_recexch_halving k
iallgatherv tsp_brucks k
iallgatherv tsp_recexch_doubling k
iallgatherv tsp_recexch_halving k
ialltoall tsp_brucks k buffer_per_phase
ialltoall tsp_scattered batch_size bblock
ialltoallv tsp_scattered batch_size bblock
ialltoallv tsp_blocked bblock
ialltoallw tsp_blocked bblock
ireduce tsp_tree tree_type k chunk_size ?buffer_per_child ?topo_overhead ?topo_diff_groups ?topo_diff_switches ?topo_same_switches
ireduce tsp_ring chunk_size ?buffer_per_child
iallreduce tsp_tree tree_type k chunk_size ?buffer_per_child
iallreduce tsp_recexch_single_buffer k
iallreduce tsp_recexch_multiple_buffer k
iallreduce tsp_recexch_reduce_scatter_recexch_allgatherv k
ireduce_scatter tsp_recexch k
ireduce_scatter_block tsp_recexch k
)";

std::vector<std::string> parameters_of(const MpichAlgorithm& algorithm) {
  std::istringstream lines(kParameterList);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string collective;
    std::string name;
    if (words >> collective >> name && collective == algorithm.collective && name == algorithm.name) {
      std::vector<std::string> parameters;
      for (std::string word; words >> word;) {
        parameters.push_back(word);
      }
      return parameters;
    }
  }
  return {};
}

bool is_whole_number(std::string_view text) {
  const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);
  return !digits.empty() && std::ranges::all_of(digits, [](unsigned char c) { return std::isdigit(c) != 0; });
}

class ParameterCheck {
 public:
  ParameterCheck(const JsonLine& leaf, const LibraryVersion& version, LintFindings& findings)
      : leaf_(leaf), version_(version), findings_(findings) {}

  void check_all(const std::vector<std::string>& known) {
    for (const JsonLine& one : leaf_.items) {
      const MpichKey key = parse_mpich_key(one.name);
      const bool is_known = std::ranges::any_of(
          known, [&](const std::string& name) { return name == key.name || name == "?" + key.name; });
      if (!is_known || key.comparison != "=") {
        add(one, LintEffect::kNoEffect, "parameter", fmt::format("{} reads no \"{}\" below it", leaf_.name, one.name),
            known.empty() ? "{}, since it has no parameters" : list_of(known));
      } else if (key.name == "tree_type") {
        check_tree_type(one, key);
      } else if (key.name == "k" || key.name.ends_with("_k")) {
        check_value(one, key, has_kary_tree() ? 1 : 2);
      } else if (key.name == "chunk_size") {
        check_chunk(one, key);
      }
    }
  }

  void check_missing(const std::vector<std::string>& known) {
    for (const std::string& name : known) {
      if (!name.starts_with('?') && find(name) == nullptr) {
        findings_.add(leaf_.line, LintEffect::kMisread, "parameters",
                      fmt::format("{} is not given, and has no default here", name), list_of(known) + " below it");
      }
    }
  }

 private:
  void add(const JsonLine& one, LintEffect effect, std::string check, std::string what, std::string instead) {
    findings_.add(one.line, effect, std::move(check), std::move(what), std::move(instead));
  }

  /// "\"tree_type=...\", \"k=...\""
  static std::string list_of(const std::vector<std::string>& known) {
    std::string list;
    for (const std::string& name : known) {
      list += fmt::format("{}\"{}=...\"", list.empty() ? "" : ", ", name.substr(name.starts_with('?') ? 1 : 0));
    }
    return list;
  }

  [[nodiscard]] const JsonLine* find(const std::string& name) const {
    const auto found = std::ranges::find_if(leaf_.items, [&](const JsonLine& one) {
      const MpichKey key = parse_mpich_key(one.name);
      return key.name == name && key.comparison == "=";
    });
    return found == leaf_.items.end() ? nullptr : &*found;
  }

  /// A k-ary tree may be a chain.
  [[nodiscard]] bool has_kary_tree() const {
    const JsonLine* const type = find("tree_type");
    return type != nullptr && (parse_mpich_key(type->name).value == "0" || parse_mpich_key(type->name).value == "kary");
  }

  void check_tree_type(const JsonLine& one, const MpichKey& key) {
    constexpr std::array<std::string_view, 6> kNames{"kary",           "knomial_1",        "knomial_2",
                                                     "topology_aware", "topology_aware_k", "topology_wave"};
    const bool is_number = is_whole_number(key.value);
    const int number = std::atoi(key.value.c_str());
    if (version_ >= kTreeNamesSince) {
      if (std::ranges::find(kNames, key.value) == kNames.end()) {
        add(one, LintEffect::kMisread, "tree-type",
            fmt::format("MPICH {} reads a name for tree_type", format_version(version_)),
            "kary, knomial_1 or knomial_2");
      }
    } else if (!is_number) {
      add(one, LintEffect::kMisread, "tree-type",
          fmt::format("MPICH before {} reads a number for tree_type: '{}' is 0, kary", format_version(kTreeNamesSince),
                      key.value),
          "0 (kary), 1 (knomial_1) or 2 (knomial_2)");
    } else if (number < 0 || number > 2) {
      add(one, LintEffect::kAborts, "tree-type", fmt::format("there is no tree {}: the first call aborts", key.value),
          "0 (kary), 1 (knomial_1) or 2 (knomial_2)");
    }
  }

  void check_value(const JsonLine& one, const MpichKey& key, long least) {
    const long value = std::atoi(key.value.c_str());
    if (value < least) {
      add(one, LintEffect::kAborts, "parameter-value",
          fmt::format("\"{}\" is below {}: the first call aborts or never ends", one.name, least),
          fmt::format("a number from {} on", least));
    } else {
      check_suffix(one, key, value);
    }
  }

  void check_chunk(const JsonLine& one, const MpichKey& key) {
    const long value = std::atoi(key.value.c_str());
    if (value > 0 && value < kLongestElement) {
      add(one, LintEffect::kAborts, "parameter-value",
          fmt::format("\"{}\" is read as {} bytes: calls with longer elements crash", one.name, value),
          "0 for whole messages, or some thousand bytes");
    } else {
      check_suffix(one, key, value);
    }
  }

  void check_suffix(const JsonLine& one, const MpichKey& key, long value) {
    if (!is_whole_number(key.value)) {
      add(one, LintEffect::kMisread, "number", fmt::format("\"{}\" is read by atoi as {}", one.name, value),
          "digits alone");
    }
  }

  const JsonLine& leaf_;
  const LibraryVersion& version_;
  LintFindings& findings_;
};

}  // namespace

void check_mpich_parameters(const JsonLine& leaf, const MpichAlgorithm& algorithm, const LibraryVersion& version,
                            LintFindings& findings) {
  const std::vector<std::string> known = parameters_of(algorithm);
  const bool is_read_early =
      algorithm.collective == "ibcast" || algorithm.collective == "ireduce" || algorithm.collective == "iallreduce";
  if (!known.empty() && version < kMostReadSince && !is_read_early) {
    findings.add(leaf.line, LintEffect::kAborts, "unread-parameters",
                 fmt::format("MPICH before {} reads from a file no parameters of {}: {} aborts or never ends",
                             format_version(kMostReadSince), algorithm.collective, algorithm.name),
                 "another algorithm");
    return;
  }
  ParameterCheck check(leaf, version, findings);
  check.check_all(known);
  check.check_missing(known);
}

}  // namespace postage
