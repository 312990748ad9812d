#include "model/parameters.hpp"

#include <postage/model/hockney.hpp>
#include <postage/model/table_reader.hpp>

namespace postage::model_descriptors {
namespace {

Model build_hockney(const BuildRequest& request) {
  return make_model(request, Hockney{build_links(request, [](const GroupReader& group) {
                      return HockneyLink{group.value("alpha"), group.value("beta")};
                    })});
}

}  // namespace

ModelDescriptor hockney() {
  return {.name = "hockney",
          .title = "Hockney",
          .equation = "alpha + beta*m",
          .source =
              "R. W. Hockney, Parallel Computing 20(3), 1994; by pair of ranks Lastovetsky and Rychkov, IJHPCA 23(2), "
              "2009, section 3",
          .parameters = {latency({"alpha", "s", "latency"}), bandwidth({"beta", "s/B", "inverse bandwidth"})},
          .example = "alpha=10us,beta=1ns",
          .build = build_hockney,
          .order = 10,
          .accuracy_rank = 11};
}

}  // namespace postage::model_descriptors
