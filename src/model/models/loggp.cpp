#include "model/loggp_reader.hpp"
#include "model/parameters.hpp"

#include <postage/model/loggp.hpp>
#include <postage/model/table_reader.hpp>

namespace postage::model_descriptors {
namespace {

Model build_loggp(const BuildRequest& request) {
  return make_model(request, LogGP{build_links(request, read_loggp)});
}

}  // namespace

ModelDescriptor loggp() {
  return {.name = "loggp",
          .title = "LogGP",
          .equation = "o_s + L + (m-1)*G + o_r; next message after g + (m-1)*G",
          .source = "A. Alexandrov et al., LogGP, SPAA 1995",
          .parameters = {kLatency, kSendOverhead, kReceiveOverhead, kGap, kGapPerByte},
          .example = "L=5us,o=1us,g=2us,G=1ns",
          .build = build_loggp,
          .needs = {"overheads", "trains"},
          .order = 30,
          .accuracy_rank = 2};
}

}  // namespace postage::model_descriptors
