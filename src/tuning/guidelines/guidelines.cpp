#include <postage/tuning/guidelines.hpp>

namespace postage {

const std::vector<Guideline>& guidelines() {
  using enum Collective;
  using enum SizeRule;
  static const std::vector<Guideline> all{
      {kBarrier, {{kAllreduce, kSame}}},
      {kBcast, {{kScatter, kByRanks}, {kAllgather, kByRanks}}, "scatter-ring-allgather"},
      {kReduce, {{kAllreduce, kSame}}},
      {kReduce, {{kReduceScatter, kSame}, {kGather, kByRanks}}, "rabenseifner"},
      {kAllreduce, {{kReduce, kSame}, {kBcast, kSame}}},
      {kAllreduce, {{kReduceScatter, kSame}, {kAllgather, kByRanks}}, "rabenseifner"},
      {kReduceScatter, {{kReduce, kSame}, {kScatter, kByRanks}}, "reduce-scatterv"},
      {kReduceScatter, {{kAllreduce, kSame}}},
      {kGather, {{kAllgather, kSame}}},
      {kGather, {{kReduce, kTimesRanks}}},
      {kScatter, {{kBcast, kTimesRanks}}},
      {kAllgather, {{kGather, kSame}, {kBcast, kTimesRanks}}, "gather-bcast"},
      {kAllgather, {{kAlltoall, kSame}}},
      {kAllgather, {{kAllreduce, kTimesRanks}}},
      {kExscan, {{kScan, kSame}}},
  };
  return all;
}

}  // namespace postage
