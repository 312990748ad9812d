#include <postage/base/error.hpp>
#include <postage/schedule/algorithms.hpp>

#include <array>
#include <utility>

namespace postage {
namespace {

constexpr std::array<std::pair<Collective, std::string_view>, 11> kNames{{
    {Collective::kBarrier, "barrier"},
    {Collective::kBcast, "bcast"},
    {Collective::kReduce, "reduce"},
    {Collective::kAllreduce, "allreduce"},
    {Collective::kGather, "gather"},
    {Collective::kScatter, "scatter"},
    {Collective::kAllgather, "allgather"},
    {Collective::kAlltoall, "alltoall"},
    {Collective::kReduceScatter, "reduce_scatter"},
    {Collective::kScan, "scan"},
    {Collective::kExscan, "exscan"},
}};

}  // namespace

std::string_view name_of(Collective collective) {
  for (const auto& [value, name] : kNames) {
    if (value == collective) {
      return name;
    }
  }
  throw Error("a collective without a name");
}

Collective parse_collective(std::string_view text) {
  std::string valid;
  for (const auto& [value, name] : kNames) {
    if (name == text) {
      return value;
    }
    valid += (valid.empty() ? "" : ", ") + std::string(name);
  }
  throw UsageError(unknown_name("collective", std::string(text), valid));
}

bool has_root(Collective collective) {
  switch (collective) {
    case Collective::kBcast:
    case Collective::kReduce:
    case Collective::kGather:
    case Collective::kScatter:
      return true;
    default:
      return false;
  }
}

bool is_reduction(Collective collective) {
  switch (collective) {
    case Collective::kReduce:
    case Collective::kAllreduce:
    case Collective::kReduceScatter:
    case Collective::kScan:
    case Collective::kExscan:
      return true;
    default:
      return false;
  }
}

Index defined_blocks(Collective collective, Index ranks) {
  switch (collective) {
    case Collective::kGather:
    case Collective::kScatter:
    case Collective::kAllgather:
    case Collective::kReduceScatter:
      return ranks;
    case Collective::kAlltoall:
      return ranks * ranks;
    default:
      return 0;
  }
}

}  // namespace postage
