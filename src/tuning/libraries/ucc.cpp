#include "tuning/libraries/lists.hpp"

namespace postage::library_lists {

// The @ names of TL/UCP in UCC_TL_UCP_TUNE: src/components/tl/ucp/<collective>/<collective>.c. Its knomial trees have
// the radix that UCC_TL_UCP_<COLLECTIVE>_KN_RADIX says, 4 by default.
std::vector<LibraryAlgorithm> ucc() {
  using enum Collective;
  const ParameterValues usual_radix{{"radix", 4}};
  return {
      {.collective = kBarrier, .ours = "", .number = 0, .name = "knomial"},
      {.collective = kBcast, .ours = "knomial", .number = 0, .name = "knomial", .fixed_parameters = usual_radix},
      {.collective = kBcast, .ours = "", .number = 1, .name = "sag_knomial"},
      {.collective = kReduce, .ours = "knomial", .number = 0, .name = "knomial", .fixed_parameters = usual_radix},
      {.collective = kAllreduce, .ours = "", .number = 0, .name = "knomial"},
      {.collective = kAllreduce, .ours = "", .number = 1, .name = "sra_knomial"},
      {.collective = kAllgather, .ours = "", .number = 0, .name = "knomial"},
      {.collective = kAllgather, .ours = "ring", .number = 1, .name = "ring"},
      {.collective = kAllgather,
       .ours = "neighbor-exchange",
       .number = 2,
       .name = "neighbor",
       .ranks = LibraryRankRule::kEven},
      {.collective = kAlltoall, .ours = "pairwise", .number = 0, .name = "pairwise"},
      {.collective = kAlltoall, .ours = "bruck", .number = 1, .name = "bruck", .fixed_parameters = {{"radix", 2}}},
      {.collective = kReduceScatter, .ours = "ring", .number = 0, .name = "ring"},
  };
}

}  // namespace postage::library_lists
