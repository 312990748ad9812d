#include "tuning/lint/mpich/algorithms.hpp"

#include <postage/base/error.hpp>

#include <algorithm>
#include <cctype>
#include <sstream>
#include <string>

namespace postage {
namespace {

// A line a collective and kind; names with what they need: '!' and letters, w power of two, s count of a power of two,
// b built-in operation, c commutative, i in place, n not in place, p spans nodes, r equal blocks, k consecutive, 1 a
// single node, 2 two ranks or more; '>' the first release, '<' the first without it. Seen in libmpich 4.0.2's own
// strings and assertions, and in src/mpi/coll/coll_algorithms.txt of later releases.
constexpr const char* kMpichList = R"(
barrier intra dissemination<4.1 k_dissemination>4.1 recexch>4.1 smp!p
barrier inter bcast
bcast intra binomial scatter_recursive_doubling_allgather scatter_ring_allgather smp!p tree>4.1 pipelined_tree>4.1
bcast inter remote_send_local_bcast
gather intra binomial
gather inter linear local_gather_remote_send
gatherv allcomm linear
scatter intra binomial
scatter inter linear remote_send_local_scatter
scatterv allcomm linear
allgather intra brucks recursive_doubling!w ring k_brucks>4.1 recexch_doubling>4.1 recexch_halving>4.1
allgather inter local_gather_remote_bcast
allgatherv intra brucks recursive_doubling!w ring
allgatherv inter remote_gather_local_bcast
alltoall intra brucks!n pairwise!n pairwise_sendrecv_replace!i scattered!n k_brucks!n>4.1
alltoall inter pairwise_exchange
alltoallv intra pairwise_sendrecv_replace!i scattered!n
alltoallv inter pairwise_exchange
alltoallw intra pairwise_sendrecv_replace!i scattered!n
alltoallw inter pairwise_exchange
reduce intra binomial smp!cp reduce_scatter_gather!sb
reduce inter local_reduce_remote_send
allreduce intra smp!cp recursive_doubling reduce_scatter_allgather!sb tree>4.1 recexch>4.1 ring!c>4.1 k_reduce_scatter_allgather!c>4.1 ccl>4.1
allreduce inter reduce_exchange_bcast
reduce_scatter intra noncommutative!wr pairwise!c recursive_doubling recursive_halving!c
reduce_scatter inter remote_reduce_local_scatter
reduce_scatter_block intra noncommutative!w pairwise!c recursive_doubling recursive_halving!c
reduce_scatter_block inter remote_reduce_local_scatter
scan intra recursive_doubling smp!k
exscan intra recursive_doubling
ibarrier intra sched_recursive_doubling tsp_recexch tsp_k_dissemination>4.1
ibarrier inter sched_bcast
ibcast intra sched_binomial sched_smp!p sched_scatter_recursive_doubling_allgather!w sched_scatter_ring_allgather tsp_tree tsp_scatterv_recexch_allgatherv tsp_scatterv_ring_allgatherv>4.1 tsp_ring
ibcast inter sched_flat
igather intra sched_binomial tsp_tree
igather inter sched_long sched_short
igatherv allcomm sched_linear tsp_linear
iscatter intra sched_binomial tsp_tree
iscatter inter sched_linear sched_remote_send_local_scatter
iscatterv allcomm sched_linear tsp_linear
iallgather intra sched_ring sched_brucks sched_recursive_doubling!w tsp_ring tsp_brucks tsp_recexch_doubling tsp_recexch_halving
iallgather inter sched_local_gather_remote_bcast
iallgatherv intra sched_brucks sched_recursive_doubling!w sched_ring tsp_recexch_doubling tsp_recexch_halving tsp_ring tsp_brucks
iallgatherv inter sched_remote_gather_local_bcast
ialltoall intra sched_brucks!n sched_inplace!i sched_pairwise!n sched_permuted_sendrecv!n tsp_ring tsp_brucks tsp_scattered
ialltoall inter sched_pairwise_exchange
ialltoallv intra sched_blocked!n sched_inplace!i tsp_scattered!n tsp_blocked!n tsp_inplace!i
ialltoallv inter sched_pairwise_exchange
ialltoallw intra sched_blocked!n sched_inplace!i tsp_blocked!n tsp_inplace!i
ialltoallw inter sched_pairwise_exchange
ireduce intra sched_smp!cp sched_binomial sched_reduce_scatter_gather!sb tsp_tree!c2 tsp_ring!2
ireduce inter sched_local_reduce_remote_send
iallreduce intra sched_naive sched_smp!cp sched_recursive_doubling sched_reduce_scatter_allgather!sb tsp_recexch_single_buffer tsp_recexch_multiple_buffer tsp_tree tsp_ring!c tsp_recexch_reduce_scatter_recexch_allgatherv!c
iallreduce inter sched_remote_reduce_local_bcast
ireduce_scatter intra sched_noncommutative!wr sched_recursive_doubling sched_pairwise!c sched_recursive_halving!c tsp_recexch!c
ireduce_scatter inter sched_remote_reduce_local_scatterv
ireduce_scatter_block intra sched_noncommutative!w sched_recursive_doubling sched_pairwise!c sched_recursive_halving!c tsp_recexch!c
ireduce_scatter_block inter sched_remote_reduce_local_scatterv
iscan intra sched_smp!p sched_recursive_doubling tsp_recursive_doubling
iexscan intra sched_recursive_doubling
neighbor_allgather allcomm
neighbor_allgatherv allcomm
neighbor_alltoall allcomm
neighbor_alltoallv allcomm
neighbor_alltoallw allcomm
ineighbor_allgather allcomm sched_linear tsp_linear
ineighbor_allgatherv allcomm sched_linear tsp_linear
ineighbor_alltoall allcomm sched_linear tsp_linear
ineighbor_alltoallv allcomm sched_linear tsp_linear
ineighbor_alltoallw allcomm sched_linear tsp_linear
bcast composition alpha beta gamma delta>4.1
allreduce composition alpha!c beta gamma!1 delta>4.1
reduce composition alpha!c beta!c gamma
barrier composition alpha beta
gather composition alpha
gatherv composition alpha
scatter composition alpha
scatterv composition alpha
alltoall composition alpha beta>4.1
alltoallv composition alpha
alltoallw composition alpha
allgather composition alpha beta>4.1
allgatherv composition alpha
reduce_scatter composition alpha
reduce_scatter_block composition alpha
scan composition alpha!k beta
exscan composition alpha
)";

MpichNeeds needs_of(std::string_view letters) {
  const auto has = [&](char letter) { return letters.find(letter) != std::string_view::npos; };
  return {.power_of_two = has('w'),
          .count_of_power = has('s'),
          .built_in_operation = has('b'),
          .commutative = has('c'),
          .in_place = has('i'),
          .not_in_place = has('n'),
          .whole_job = has('p'),
          .equal_blocks = has('r'),
          .consecutive = has('k'),
          .single_node = has('1'),
          .two_ranks = has('2')};
}

MpichAlgorithm mpich_algorithm_of(const std::string& collective, const std::string& kind, const std::string& word) {
  MpichAlgorithm algorithm{.collective = collective, .kind = kind};
  const std::size_t name_end = std::min(word.find_first_of("!<>"), word.size());
  algorithm.name = word.substr(0, name_end);
  for (std::size_t at = name_end; at < word.size();) {
    const std::size_t end = std::min(word.find_first_of("!<>", at + 1), word.size());
    const std::string value = word.substr(at + 1, end - at - 1);
    if (word[at] == '!') {
      algorithm.needs = needs_of(value);
    } else {
      (word[at] == '>' ? algorithm.since : algorithm.before) = parse_library_version(value);
    }
    at = end;
  }
  return algorithm;
}

std::vector<MpichAlgorithm> read_list() {
  std::vector<MpichAlgorithm> all;
  std::istringstream lines(kMpichList);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string collective;
    std::string kind;
    words >> collective >> kind;
    for (std::string word; words >> word;) {
      all.push_back(mpich_algorithm_of(collective, kind, word));
    }
    // Every blocking collective can be handed to its non-blocking one.
    if (kind == "intra" || kind == "allcomm") {
      if (!collective.empty() && collective.front() != 'i') {
        all.push_back({.collective = collective, .kind = "allcomm", .name = "nb"});
      }
    }
  }
  return all;
}

std::string capitalised(std::string name) {
  name.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(name.front())));
  return name;
}

}  // namespace

std::string MpichAlgorithm::key() const {
  if (kind == "composition") {
    return "composition=MPIDI_" + capitalised(collective) + "_intra_composition_" + name;
  }
  return "algorithm=MPIR_" + capitalised(collective) + "_" + kind + "_" + name;
}

std::span<const MpichAlgorithm> mpich_algorithms() {
  static const std::vector<MpichAlgorithm> kAll = read_list();
  return kAll;
}

bool has_intercommunicators(std::string_view collective) {
  return collective.find("scan") == std::string_view::npos && collective.find("neighbor") == std::string_view::npos;
}

std::span<const std::string> mpich_collectives() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names;
    for (const MpichAlgorithm& algorithm : mpich_algorithms()) {
      if (std::ranges::find(names, algorithm.collective) == names.end()) {
        names.push_back(algorithm.collective);
      }
    }
    return names;
  }();
  return kNames;
}

}  // namespace postage
