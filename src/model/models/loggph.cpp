#include "model/loggp_reader.hpp"
#include "model/parameters.hpp"

#include <postage/model/loggp.hpp>
#include <postage/model/table_reader.hpp>

namespace postage::model_descriptors {
namespace {

Model build_loggph(const BuildRequest& request) {
  return make_model(request, LogGPH{build_links(request, read_loggp)});
}

}  // namespace

ModelDescriptor loggph() {
  return {.name = "loggph",
          .title = "LogGPH",
          .equation = "LogGP with a set of parameters for each channel",
          .source =
              "Rico-Gallego et al., Modeling Contention and Mapping Effects in Multi-core Clusters, 2015, sections 2 "
              "and 5",
          .parameters = {kLatency, kSendOverhead, kReceiveOverhead, kGap, kGapPerByte},
          .example = "[shared-cache] L=0.5us,o=0.2us,g=0.5us,G=0.1ns [inter-node] L=20us,o=1us,g=2us,G=1ns",
          .build = build_loggph,
          .needs = {"overheads", "trains"},
          .order = 50,
          .accuracy_rank = 7};
}

}  // namespace postage::model_descriptors
