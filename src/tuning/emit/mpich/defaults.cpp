#include "tuning/emit/mpich/tree.hpp"

#include <array>
#include <string>
#include <tuple>
#include <utility>

namespace postage {
namespace {

constexpr LibraryVersion kDisseminationRenamed{4, 1, 0};

using Chain = std::vector<std::pair<std::string, MpichNode>>;

MpichNode leaf(std::string_view name) {
  return mpich_leaf(name);
}

MpichNode by_size(std::string_view key, const std::vector<std::pair<std::string, MpichNode>>& steps, MpichNode rest) {
  Chain chain;
  for (const auto& [bound, node] : steps) {
    chain.emplace_back(std::string(key) + bound, node);
  }
  chain.emplace_back(std::string(key) + "=any", std::move(rest));
  return mpich_chain(std::move(chain));
}

MpichNode yes_or_no(const std::string& key, MpichNode yes, MpichNode no) {
  return mpich_chain({{key + "=yes", std::move(yes)}, {key + "=no", std::move(no)}});
}

MpichNode by_power(MpichNode power, MpichNode other) {
  return mpich_chain({{"comm_size=pow2", std::move(power)}, {"comm_size=any", std::move(other)}});
}

/// Broadcasts: binomial below 8 ranks and for short messages, then a scatter and an allgather.
MpichNode bcast_tree(const std::string& prefix, const std::string& less) {
  const MpichNode binomial = leaf(prefix + "binomial");
  const MpichNode ring = leaf(prefix + "scatter_ring_allgather");
  const MpichNode power = by_size(
      "avg_msg_size",
      {{less + "12288", binomial}, {less + "524288", leaf(prefix + "scatter_recursive_doubling_allgather")}}, ring);
  const MpichNode other = by_size("avg_msg_size", {{less + "12288", binomial}}, ring);
  return mpich_chain({{"comm_size<=7", binomial}, {"comm_size=pow2", power}, {"comm_size=any", other}});
}

/// Allreduce and reduce: Rabenseifner's for long vectors of built-in operations.
MpichNode reduction_tree(const std::string& simple, const std::string& rabenseifner, const std::string& bound) {
  const MpichNode built_in = mpich_chain({{"count<pow2", leaf(simple)}, {"count=any", leaf(rabenseifner)}});
  return by_size("avg_msg_size", {{bound, leaf(simple)}}, yes_or_no("is_op_built_in", built_in, leaf(simple)));
}

MpichNode allgather_tree(const std::string& prefix) {
  const MpichNode ring = leaf(prefix + "ring");
  return by_power(by_size("total_msg_size", {{"<524288", leaf(prefix + "recursive_doubling")}}, ring),
                  by_size("total_msg_size", {{"<81920", leaf(prefix + "brucks")}}, ring));
}

MpichNode reduce_scatter_tree(const std::string& prefix, bool has_blocks_to_compare) {
  const MpichNode commutative =
      by_size("total_msg_size", {{"<524288", leaf(prefix + "recursive_halving")}}, leaf(prefix + "pairwise"));
  const MpichNode doubling = leaf(prefix + "recursive_doubling");
  MpichNode other = by_power(leaf(prefix + "noncommutative"), doubling);
  if (has_blocks_to_compare) {
    other = yes_or_no("is_block_regular", other, doubling);
  }
  return yes_or_no("is_commutative", commutative, other);
}

MpichNode alltoall_tree() {
  const MpichNode pairwise = leaf("Alltoall_intra_pairwise");
  const MpichNode scattered = leaf("Alltoall_intra_scattered");
  const MpichNode few = by_size("avg_msg_size", {{"<=32768", scattered}}, pairwise);
  const MpichNode many =
      by_size("avg_msg_size", {{"<=256", leaf("Alltoall_intra_brucks")}, {"<=32768", scattered}}, pairwise);
  return yes_or_no("is_sendbuf_inplace", leaf("Alltoall_intra_pairwise_sendrecv_replace"),
                   mpich_chain({{"comm_size<=7", few}, {"comm_size=any", many}}));
}

MpichNode ialltoall_tree() {
  const MpichNode pairwise = leaf("Ialltoall_intra_sched_pairwise");
  const MpichNode permuted = leaf("Ialltoall_intra_sched_permuted_sendrecv");
  const MpichNode few = by_size("avg_msg_size", {{"<=32768", permuted}}, pairwise);
  const MpichNode many =
      by_size("avg_msg_size", {{"<=2048", leaf("Ialltoall_intra_sched_brucks")}, {"<=32768", permuted}}, pairwise);
  return yes_or_no("is_sendbuf_inplace", leaf("Ialltoall_intra_sched_inplace"),
                   mpich_chain({{"comm_size<=7", few}, {"comm_size=any", many}}));
}

/// What has one algorithm.
constexpr std::array<std::pair<std::string_view, std::string_view>, 21> kSingle{{
    {"gather", "Gather_intra_binomial"},
    {"scatter", "Scatter_intra_binomial"},
    {"gatherv", "Gatherv_allcomm_linear"},
    {"scatterv", "Scatterv_allcomm_linear"},
    {"exscan", "Exscan_intra_recursive_doubling"},
    {"neighbor_allgather", "Neighbor_allgather_allcomm_nb"},
    {"neighbor_allgatherv", "Neighbor_allgatherv_allcomm_nb"},
    {"neighbor_alltoall", "Neighbor_alltoall_allcomm_nb"},
    {"neighbor_alltoallv", "Neighbor_alltoallv_allcomm_nb"},
    {"neighbor_alltoallw", "Neighbor_alltoallw_allcomm_nb"},
    {"ibarrier", "Ibarrier_intra_sched_recursive_doubling"},
    {"igather", "Igather_intra_sched_binomial"},
    {"iscatter", "Iscatter_intra_sched_binomial"},
    {"igatherv", "Igatherv_allcomm_sched_linear"},
    {"iscatterv", "Iscatterv_allcomm_sched_linear"},
    {"iexscan", "Iexscan_intra_sched_recursive_doubling"},
    {"ineighbor_allgather", "Ineighbor_allgather_allcomm_sched_linear"},
    {"ineighbor_allgatherv", "Ineighbor_allgatherv_allcomm_sched_linear"},
    {"ineighbor_alltoall", "Ineighbor_alltoall_allcomm_sched_linear"},
    {"ineighbor_alltoallv", "Ineighbor_alltoallv_allcomm_sched_linear"},
    {"ineighbor_alltoallw", "Ineighbor_alltoallw_allcomm_sched_linear"},
}};

/// One algorithm between groups, or two by size.
constexpr std::array<std::tuple<std::string_view, std::string_view, std::string_view>, 30> kBetweenGroups{{
    {"bcast", "Bcast_inter_remote_send_local_bcast", ""},
    {"allreduce", "Allreduce_inter_reduce_exchange_bcast", ""},
    {"allgather", "Allgather_inter_local_gather_remote_bcast", ""},
    {"allgatherv", "Allgatherv_inter_remote_gather_local_bcast", ""},
    {"reduce", "Reduce_inter_local_reduce_remote_send", ""},
    {"reduce_scatter", "Reduce_scatter_inter_remote_reduce_local_scatter", ""},
    {"reduce_scatter_block", "Reduce_scatter_block_inter_remote_reduce_local_scatter", ""},
    {"gather", "Gather_inter_linear", "Gather_inter_local_gather_remote_send"},
    {"scatter", "Scatter_inter_linear", "Scatter_inter_remote_send_local_scatter"},
    {"barrier", "Barrier_inter_bcast", ""},
    {"alltoall", "Alltoall_inter_pairwise_exchange", ""},
    {"alltoallv", "Alltoallv_inter_pairwise_exchange", ""},
    {"alltoallw", "Alltoallw_inter_pairwise_exchange", ""},
    {"ibarrier", "Ibarrier_inter_sched_bcast", ""},
    {"ibcast", "Ibcast_inter_sched_flat", ""},
    {"iallreduce", "Iallreduce_inter_sched_remote_reduce_local_bcast", ""},
    {"iallgather", "Iallgather_inter_sched_local_gather_remote_bcast", ""},
    {"iallgatherv", "Iallgatherv_inter_sched_remote_gather_local_bcast", ""},
    {"ireduce", "Ireduce_inter_sched_local_reduce_remote_send", ""},
    {"ireduce_scatter", "Ireduce_scatter_inter_sched_remote_reduce_local_scatterv", ""},
    {"ireduce_scatter_block", "Ireduce_scatter_block_inter_sched_remote_reduce_local_scatterv", ""},
    {"igather", "Igather_inter_sched_long", "Igather_inter_sched_short"},
    {"iscatter", "Iscatter_inter_sched_linear", "Iscatter_inter_sched_remote_send_local_scatter"},
    {"ialltoall", "Ialltoall_inter_sched_pairwise_exchange", ""},
    {"ialltoallv", "Ialltoallv_inter_sched_pairwise_exchange", ""},
    {"ialltoallw", "Ialltoallw_inter_sched_pairwise_exchange", ""},
    {"gatherv", "Gatherv_allcomm_linear", ""},
    {"scatterv", "Scatterv_allcomm_linear", ""},
    {"igatherv", "Igatherv_allcomm_sched_linear", ""},
    {"iscatterv", "Iscatterv_allcomm_sched_linear", ""},
}};

MpichNode hierarchy(MpichNode parent, MpichNode other) {
  return mpich_chain({{"comm_hierarchy=parent", std::move(parent)}, {"comm_hierarchy=any", std::move(other)}});
}

MpichNode barrier_tree(const LibraryVersion& version) {
  return hierarchy(leaf("Barrier_intra_smp"), version < kDisseminationRenamed
                                                  ? leaf("Barrier_intra_dissemination")
                                                  : mpich_leaf("Barrier_intra_k_dissemination", {"k=2"}));
}

}  // namespace

MpichNode mpich_default(std::string_view name, const LibraryVersion& version) {
  for (const auto& [collective, algorithm] : kSingle) {
    if (collective == name) {
      return leaf(algorithm);
    }
  }
  if (name == "barrier") {
    return barrier_tree(version);
  }
  if (name == "bcast") {
    return bcast_tree("Bcast_intra_", "<=");
  }
  if (name == "ibcast") {
    return hierarchy(leaf("Ibcast_intra_sched_smp"), bcast_tree("Ibcast_intra_sched_", "<"));
  }
  if (name == "allreduce") {
    return reduction_tree("Allreduce_intra_recursive_doubling", "Allreduce_intra_reduce_scatter_allgather", "<=8");
  }
  if (name == "iallreduce") {
    return reduction_tree("Iallreduce_intra_sched_recursive_doubling",
                          "Iallreduce_intra_sched_reduce_scatter_allgather", "<=2048");
  }
  if (name == "reduce") {
    return reduction_tree("Reduce_intra_binomial", "Reduce_intra_reduce_scatter_gather", "<=2048");
  }
  if (name == "ireduce") {
    return reduction_tree("Ireduce_intra_sched_binomial", "Ireduce_intra_sched_reduce_scatter_gather", "<=2048");
  }
  if (name == "allgather" || name == "allgatherv") {
    return allgather_tree(name == "allgather" ? "Allgather_intra_" : "Allgatherv_intra_");
  }
  if (name == "iallgather" || name == "iallgatherv") {
    return allgather_tree(name == "iallgather" ? "Iallgather_intra_sched_" : "Iallgatherv_intra_sched_");
  }
  if (name == "reduce_scatter" || name == "reduce_scatter_block") {
    return reduce_scatter_tree(name == "reduce_scatter" ? "Reduce_scatter_intra_" : "Reduce_scatter_block_intra_",
                               name == "reduce_scatter");
  }
  if (name == "ireduce_scatter" || name == "ireduce_scatter_block") {
    return reduce_scatter_tree(
        name == "ireduce_scatter" ? "Ireduce_scatter_intra_sched_" : "Ireduce_scatter_block_intra_sched_",
        name == "ireduce_scatter");
  }
  if (name == "scan") {
    return yes_or_no("is_node_consecutive", leaf("Scan_intra_smp"), leaf("Scan_intra_recursive_doubling"));
  }
  if (name == "iscan") {
    return hierarchy(leaf("Iscan_intra_sched_smp"), leaf("Iscan_intra_sched_recursive_doubling"));
  }
  if (name == "alltoall") {
    return alltoall_tree();
  }
  if (name == "ialltoall") {
    return ialltoall_tree();
  }
  const std::string letter = name.ends_with("w") ? "w" : "v";
  if (name.starts_with("i")) {
    return yes_or_no("is_sendbuf_inplace", leaf("Ialltoall" + letter + "_intra_sched_inplace"),
                     leaf("Ialltoall" + letter + "_intra_sched_blocked"));
  }
  return yes_or_no("is_sendbuf_inplace", leaf("Alltoall" + letter + "_intra_pairwise_sendrecv_replace"),
                   leaf("Alltoall" + letter + "_intra_scattered"));
}

MpichNode mpich_default_inter(std::string_view name, const LibraryVersion& /*version*/) {
  for (const auto& [collective, usual, small] : kBetweenGroups) {
    if (collective == name) {
      return small.empty() ? leaf(usual) : by_size("total_msg_size", {{"<2048", leaf(small)}}, leaf(usual));
    }
  }
  return {};
}

}  // namespace postage
