#include "tuning/lint/mpich/leaf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <utility>

namespace postage {
namespace {

constexpr LibraryVersion kTreeNamesSince{4, 3, 0};

std::string known_names(std::string_view collective, std::string_view kind, const LibraryVersion& version) {
  std::string names;
  for (const MpichAlgorithm& algorithm : mpich_algorithms()) {
    const bool is_composition = algorithm.kind == "composition";
    if (algorithm.collective == collective && is_composition == (kind == "composition") && algorithm.since <= version &&
        version < algorithm.before) {
      const std::string key = algorithm.key();
      names += (names.empty() ? "" : ", ") + key.substr(key.find('=') + 1);
    }
  }
  return names.empty() ? "none is known" : "one of " + names;
}

/// Those of the shared-memory module, which a file of its own selects.
bool is_posix(std::string_view value) {
  return value.starts_with("MPIDI_POSIX_");
}

class LeafCheck {
 public:
  LeafCheck(const JsonLine& leaf, const MpichLeafPlace& place, const MpichAlgorithm& algorithm, LintFindings& findings)
      : leaf_(leaf), place_(place), algorithm_(algorithm), findings_(findings) {}

  void check_needs() {
    const MpichNeeds& needs = algorithm_.needs;
    const MpichConditions& is = place_.conditions;
    need(needs.power_of_two && !is.is_power_of_two(), "power-of-two", "the number of ranks is no power of two",
         "\"comm_size=pow2\" above it");
    need(needs.count_of_power && !is.has_enough_elements(), "count",
         "there are fewer elements than the largest power of two up to the number of ranks",
         "\"count<pow2\" with another algorithm before it");
    need(needs.built_in_operation && !is.built_in_operation.value_or(false), "operation",
         "the operation is the user's own", "\"is_op_built_in=yes\" above it");
    need(needs.commutative && !is.commutative.value_or(false), "commutative", "the operation does not commute",
         "\"is_commutative=yes\" above it");
    need(needs.not_in_place && is.in_place.value_or(true), "in-place", "the call is in place",
         "\"is_sendbuf_inplace=no\" above it, and pairwise_sendrecv_replace for yes");
    need(needs.in_place && !is.in_place.value_or(false), "in-place", "the call is not in place",
         "\"is_sendbuf_inplace=yes\" above it");
    need(needs.whole_job && !is.whole_job.value_or(false), "hierarchy",
         "the communicator does not span nodes, or is a part of one that does", "\"comm_hierarchy=parent\" above it");
    need(needs.equal_blocks && !is.equal_blocks.value_or(false), "equal-blocks", "blocks differ",
         "\"is_block_regular=yes\" above it");
    need(needs.consecutive && !is.consecutive.value_or(false), "consecutive",
         "the ranks of a node do not follow one another", "\"is_node_consecutive=yes\" above it");
    need(needs.single_node && !is.single_node.value_or(false), "single-node",
         "the communicator spans several nodes, for which it is not made", "\"comm_size=node_comm_size\" above it");
  }

  void check_kind() {
    const bool is_inter = algorithm_.kind == "inter";
    if ((is_inter && place_.conditions.intra.value_or(true)) ||
        (algorithm_.kind == "intra" && place_.conditions.intra == false)) {
      findings_.add(
          leaf_.line, LintEffect::kAborts, "comm-type",
          fmt::format("{} is for {}communicators, and these rules are not", leaf_.name, is_inter ? "inter" : "intra"),
          fmt::format("it below \"comm_type={}\"", is_inter ? "inter" : "intra"));
    }
  }

  void check_parameters(const LibraryVersion& version) {
    for (const JsonLine& parameter : leaf_.items) {
      const MpichKey key = parse_mpich_key(parameter.name);
      const bool is_number =
          !key.value.empty() && std::ranges::all_of(key.value, [](unsigned char c) { return std::isdigit(c) != 0; });
      if (key.name == "tree_type" && !is_number && version < kTreeNamesSince) {
        findings_.add(parameter.line, LintEffect::kMisread, "tree-type",
                      fmt::format("MPICH before {} reads a number for tree_type: '{}' is 0, kary",
                                  format_version(kTreeNamesSince), key.value),
                      "0 (kary), 1 (knomial_1) or 2 (knomial_2)");
      } else if (key.name == "tree_type" && is_number && version >= kTreeNamesSince) {
        findings_.add(parameter.line, LintEffect::kMisread, "tree-type",
                      fmt::format("MPICH {} reads a name for tree_type", format_version(version)),
                      "kary, knomial_1 or knomial_2");
      }
    }
    const bool is_tree = algorithm_.collective == "ibcast" && algorithm_.name == "tsp_tree";
    for (const char* name : {"tree_type", "k", "chunk_size"}) {
      const bool is_given =
          std::ranges::any_of(leaf_.items, [&](const JsonLine& one) { return parse_mpich_key(one.name).name == name; });
      if (is_tree && !is_given) {
        findings_.add(leaf_.line, LintEffect::kMisread, "parameters",
                      fmt::format("{} is not given, and has no default here", name),
                      "\"tree_type=...\", \"k=...\", \"chunk_size=...\" below it");
      }
    }
  }

 private:
  void need(bool is_missing, std::string check, const std::string& when, std::string instead) {
    if (!is_missing) {
      return;
    }
    const bool is_composition = algorithm_.kind == "composition";
    findings_.add(leaf_.line, LintEffect::kAborts, "needs-" + std::move(check),
                  is_composition ? fmt::format("{} is not made for calls where {}: they abort or give wrong results",
                                               leaf_.name, when)
                                 : fmt::format("{} aborts where {}", algorithm_.name, when),
                  std::move(instead));
  }

  const JsonLine& leaf_;
  const MpichLeafPlace& place_;
  const MpichAlgorithm& algorithm_;
  LintFindings& findings_;
};

}  // namespace

void check_mpich_leaf(const JsonLine& leaf, const MpichKey& key, const MpichLeafPlace& place,
                      const LibraryVersion& version, LintFindings& findings) {
  if (is_posix(key.value)) {
    return;
  }
  const std::string full = key.name + "=" + key.value;
  const auto algorithm = std::ranges::find_if(mpich_algorithms(), [&](const MpichAlgorithm& one) {
    return one.key() == full && one.since <= version && version < one.before;
  });
  if (algorithm == mpich_algorithms().end()) {
    findings.add(leaf.line, LintEffect::kAborts, "algorithm",
                 fmt::format("MPICH {} has no {} {}: MPI_Init aborts", format_version(version), key.name, key.value),
                 known_names(place.collective, key.name, version));
    return;
  }
  if (algorithm->collective != place.collective) {
    findings.add(leaf.line, LintEffect::kAborts, "algorithm",
                 fmt::format("{} is one of {}, and these rules are of {}: the first call aborts", key.value,
                             algorithm->collective, place.collective),
                 known_names(place.collective, key.name, version));
    return;
  }
  const bool is_never_called = !has_intercommunicators(place.collective) && place.conditions.intra == false;
  if (is_never_called) {
    return;
  }
  LeafCheck check(leaf, place, *algorithm, findings);
  check.check_kind();
  check.check_needs();
  check.check_parameters(version);
}

}  // namespace postage
