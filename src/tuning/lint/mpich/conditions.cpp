#include "tuning/lint/mpich/conditions.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <initializer_list>

namespace postage {
namespace {

constexpr LibraryVersion kAnySuffixSince{4, 1, 0};
/// The largest element of a built-in type: two long doubles.
constexpr std::int64_t kLargestElement = 32;

bool among(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

/// Without the i of a non-blocking collective.
std::string_view blocking(std::string_view collective) {
  return collective.starts_with('i') ? collective.substr(1) : collective;
}

bool is_size(std::string_view name) {
  return among(name, {"avg_msg_size", "total_msg_size", "comm_size", "count", "comm_avg_ppn"});
}

bool is_yes_or_no(std::string_view name) {
  return among(name, {"is_multi_threaded", "is_commutative", "is_sendbuf_inplace", "is_op_built_in", "is_block_regular",
                      "is_node_consecutive"});
}

}  // namespace

MpichKey parse_mpich_key(std::string_view text) {
  std::string key(text);
  std::erase(key, ' ');
  const std::size_t at = key.find_first_of("<=");
  if (at == std::string::npos) {
    return {.name = key};
  }
  const bool is_two = key.compare(at, 2, "<=") == 0;
  return {.name = key.substr(0, at),
          .comparison = key.substr(at, is_two ? 2 : 1),
          .value = key.substr(at + (is_two ? 2 : 1))};
}

bool is_known(const MpichKey& key, const LibraryVersion& version) {
  if (key.is_any()) {
    return version >= kAnySuffixSince ||
           among(key.name, {"comm_size", "avg_msg_size", "total_msg_size", "count", "comm_hierarchy"});
  }
  if (key.comparison == "=") {
    return (key.name == "collective") || (key.name == "comm_type" && among(key.value, {"intra", "inter"})) ||
           (key.name == "comm_size" && among(key.value, {"pow2", "node_comm_size"})) ||
           (key.name == "comm_hierarchy" && among(key.value, {"parent", "node_roots", "node", "flat"})) ||
           (is_yes_or_no(key.name) && among(key.value, {"yes", "no"}));
  }
  return is_size(key.name) && !key.comparison.empty() &&
         (key.name != "count" || key.comparison == "<=" || key.value == "pow2");
}

bool may_end_chain(const MpichKey& key) {
  return key.is_any() || key.is_leaf() || key.name == "collective" || key.name == "comm_type" ||
         key.name == "comm_hierarchy" || is_yes_or_no(key.name);
}

bool is_defined(const MpichKey& key, std::string_view collective) {
  const std::string_view name = blocking(collective);
  if (key.is_any()) {
    return true;
  }
  if (key.name == "avg_msg_size") {
    return among(name, {"bcast", "reduce", "allreduce", "alltoall"});
  }
  if (key.name == "total_msg_size") {
    return among(name, {"bcast", "reduce", "allreduce", "alltoall", "alltoallv", "alltoallw", "allgather", "allgatherv",
                        "gather", "scatter", "reduce_scatter", "reduce_scatter_block"});
  }
  if (key.name == "count") {
    return among(name, {"bcast", "reduce", "allreduce", "allgather", "allgatherv", "reduce_scatter",
                        "reduce_scatter_block"}) &&
           collective != "ibcast";
  }
  if (key.name == "is_sendbuf_inplace") {
    return among(name, {"alltoall", "alltoallv", "alltoallw"});
  }
  if (key.name == "is_commutative") {
    return among(name, {"reduce", "allreduce", "reduce_scatter", "reduce_scatter_block"});
  }
  if (key.name == "is_op_built_in") {
    return among(name, {"reduce", "allreduce"});
  }
  return key.name != "is_block_regular" || name == "reduce_scatter";
}

void MpichConditions::apply(const MpichKey& key, bool holds) {
  const bool yes = (key.value != "no") == holds;
  const std::array<std::pair<std::string_view, std::optional<bool>*>, 5> flags{{
      {"is_op_built_in", &built_in_operation},
      {"is_commutative", &commutative},
      {"is_sendbuf_inplace", &in_place},
      {"is_block_regular", &equal_blocks},
      {"is_node_consecutive", &consecutive},
  }};
  for (const auto& [name, flag] : flags) {
    if (key.name == name) {
      *flag = yes;
    }
  }
  if (key.is_any()) {
    return;
  }
  // So far from the largest number that one more still is a number.
  constexpr std::int64_t kMostBound = std::int64_t{1} << 62;
  const std::int64_t bound = std::clamp<std::int64_t>(std::atoll(key.value.c_str()), -kMostBound, kMostBound) -
                             (key.comparison == "<" ? 1 : 0);
  if (key.name == "comm_type") {
    intra = (key.value == "intra") == holds;
  } else if (key.name == "comm_hierarchy") {
    whole_job = key.value == "parent" ? holds : (holds ? std::optional(false) : whole_job);
  } else if (key.name == "comm_size" && key.value == "pow2") {
    power_of_two = holds;
  } else if (key.name == "comm_size" && key.value == "node_comm_size") {
    single_node = holds;
  } else if (key.name == "comm_size" && holds) {
    most_ranks = std::min(most_ranks, bound);
  } else if (key.name == "comm_size") {
    least_ranks = std::max(least_ranks, bound + 1);
  } else if (key.name == "count" && key.value == "pow2") {
    count_below_power = holds;
  } else if (key.name == "avg_msg_size" && !holds) {
    least_bytes = std::max(least_bytes, bound + 1);
  }
}

bool MpichConditions::is_power_of_two() const {
  return power_of_two.value_or(false) || most_ranks <= 2 ||
         (least_ranks == most_ranks && std::has_single_bit(static_cast<std::uint64_t>(least_ranks)));
}

bool MpichConditions::has_enough_elements() const {
  const bool is_large = most_ranks < (std::int64_t{1} << 40) && least_bytes / kLargestElement >= most_ranks;
  return is_large || (count_below_power && !*count_below_power);
}

}  // namespace postage
