#include "tuning/lint/mpich/leaf.hpp"

#include "tuning/lint/mpich/file_kind.hpp"
#include "tuning/lint/mpich/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <utility>

namespace postage {
namespace {

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

/// "MPIDI_POSIX_mpi_bcast_release_gather", "MPIR_Bcast_impl": of this collective.
bool is_shared_memory_algorithm(std::string value, const std::string& collective) {
  std::ranges::transform(value, value.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const bool may_gather =
      collective == "bcast" || collective == "barrier" || collective == "reduce" || collective == "allreduce";
  return (may_gather && value == "mpidi_posix_mpi_" + collective + "_release_gather") ||
         value == "mpidi_posix_mpi_" + collective + "_ipc_read" || value == "mpir_" + collective + "_impl";
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
    need(needs.two_ranks && is.least_ranks < 2, "two-ranks", "the communicator has one rank, as one of one node has",
         "\"comm_size<=1\" with another algorithm before it");
  }

  void check_kind() {
    const bool is_inter = algorithm_.kind == "inter";
    if (algorithm_.kind == "intra" && !place_.conditions.intra && has_intercommunicators(place_.collective)) {
      findings_.add(leaf_.line, LintEffect::kAborts, "comm-type",
                    fmt::format("{} on an intercommunicator aborts: {} is for intracommunicators", place_.collective,
                                algorithm_.name),
                    "it below \"comm_type=intra\", and \"comm_type=inter\" with one of its algorithms");
    }
    if ((is_inter && place_.conditions.intra.value_or(true)) ||
        (algorithm_.kind == "intra" && place_.conditions.intra == false)) {
      findings_.add(
          leaf_.line, LintEffect::kAborts, "comm-type",
          fmt::format("{} is for {}communicators, and these rules are not", leaf_.name, is_inter ? "inter" : "intra"),
          fmt::format("it below \"comm_type={}\"", is_inter ? "inter" : "intra"));
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
  if (mpich_file_of(key) == MpichFile::kSharedMemory) {
    if (!is_shared_memory_algorithm(key.value, std::string(place.collective))) {
      findings.add(leaf.line, LintEffect::kAborts, "algorithm",
                   fmt::format("shared memory has no algorithm {} of {}: MPI_Init aborts where this is read", key.value,
                               place.collective),
                   fmt::format("MPIDI_POSIX_mpi_{}_release_gather", place.collective));
    }
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
  check_mpich_parameters(leaf, *algorithm, version, findings);
}

}  // namespace postage
