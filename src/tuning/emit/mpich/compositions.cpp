#include "tuning/emit/mpich/tree.hpp"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <string>
#include <string_view>
#include <utility>

namespace postage {
namespace {

constexpr LibraryVersion kMoreCompositionsSince{4, 1, 0};

/// "bcast", "gamma": {"composition=MPIDI_Bcast_intra_composition_gamma": {}}
MpichNode composition_of(std::string_view collective, std::string_view name) {
  const int first = std::toupper(static_cast<unsigned char>(collective.front()));
  MpichNode node;
  node.members.emplace_back(
      fmt::format("composition=MPIDI_{}{}_intra_composition_{}", static_cast<char>(first), collective.substr(1), name),
      MpichNode{});
  return node;
}

MpichNode where_nodes_are_known(MpichNode split, MpichNode flat) {
  return mpich_chain({{"comm_hierarchy=parent", std::move(split)}, {"comm_hierarchy=any", std::move(flat)}});
}

MpichNode usual_bcast() {
  const MpichNode alpha = composition_of("bcast", "alpha");
  const MpichNode beta = composition_of("bcast", "beta");
  const MpichNode gamma = composition_of("bcast", "gamma");
  const MpichNode power =
      mpich_chain({{"avg_msg_size<=12287", alpha}, {"avg_msg_size<=524287", beta}, {"avg_msg_size=any", gamma}});
  const MpichNode other = mpich_chain({{"avg_msg_size<=12287", alpha}, {"avg_msg_size=any", gamma}});
  return where_nodes_are_known(
      mpich_chain({{"comm_size<=7", alpha}, {"comm_size=pow2", power}, {"comm_size=any", other}}), gamma);
}

MpichNode if_commutative(MpichNode yes, MpichNode no) {
  return mpich_chain({{"is_commutative=yes", std::move(yes)}, {"is_commutative=no", std::move(no)}});
}

MpichNode usual_allreduce() {
  const MpichNode beta = composition_of("allreduce", "beta");
  return mpich_chain(
      {{"comm_size=node_comm_size", composition_of("allreduce", "gamma")},
       {"comm_size=any", where_nodes_are_known(if_commutative(composition_of("allreduce", "alpha"), beta), beta)}});
}

MpichNode usual_reduce() {
  const MpichNode gamma = composition_of("reduce", "gamma");
  const MpichNode split = mpich_chain({{"avg_msg_size<=2048", composition_of("reduce", "beta")},
                                       {"avg_msg_size=any", composition_of("reduce", "alpha")}});
  return where_nodes_are_known(if_commutative(split, gamma), gamma);
}

}  // namespace

std::vector<MpichComposition> mpich_compositions(const LibraryVersion& version) {
  const MpichNode barrier = composition_of("barrier", "beta");
  const MpichNode scan = composition_of("scan", "beta");
  std::vector<MpichComposition> all{
      {"bcast", composition_of("bcast", "gamma"), usual_bcast()},
      {"allreduce", composition_of("allreduce", "beta"), usual_allreduce()},
      {"reduce", composition_of("reduce", "gamma"), usual_reduce()},
      {"barrier", barrier, where_nodes_are_known(composition_of("barrier", "alpha"), barrier)},
      {"scan", scan,
       mpich_chain({{"is_node_consecutive=yes", composition_of("scan", "alpha")}, {"is_node_consecutive=no", scan}})}};
  const std::string exchange = version < kMoreCompositionsSince ? "alpha" : "beta";
  for (const auto& [collective, name] :
       std::array<std::pair<std::string, std::string>, 12>{{{"gather", "alpha"},
                                                            {"gatherv", "alpha"},
                                                            {"scatter", "alpha"},
                                                            {"scatterv", "alpha"},
                                                            {"alltoall", exchange},
                                                            {"alltoallv", "alpha"},
                                                            {"alltoallw", "alpha"},
                                                            {"allgather", exchange},
                                                            {"allgatherv", "alpha"},
                                                            {"reduce_scatter", "alpha"},
                                                            {"reduce_scatter_block", "alpha"},
                                                            {"exscan", "alpha"}}}) {
    all.push_back({collective, composition_of(collective, name), composition_of(collective, name)});
  }
  return all;
}

}  // namespace postage
