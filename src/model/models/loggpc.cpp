#include "model/loggp_reader.hpp"
#include "model/parameters.hpp"

#include <postage/model/loggpc.hpp>
#include <postage/model/table_reader.hpp>

namespace postage::model_descriptors {
namespace {

Model build_loggpc(const BuildRequest& request) {
  return make_model(request, LogGPC{build_links(request, [](const GroupReader& group) {
                      return LogGPCLink{read_loggp(group), read_contention(group)};
                    })});
}

}  // namespace

ModelDescriptor loggpc() {
  return {.name = "loggpc",
          .title = "LoGPC",
          .equation = "LogGP + C(m, n)",
          .source = "C. A. Moritz, M. I. Frank, LoGPC, IEEE TPDS 12(4), 2001",
          .parameters = {kLatency, kSendOverhead, kReceiveOverhead, kGap, kGapPerByte,
                         bandwidth(surface("C", "n", "what a message waits for the n - 1 others"))},
          .example = "L=5us,o=1us,g=2us,G=1ns,C=0/2:1us;64K/2:30us;0/8:4us;64K/8:200us",
          .build = build_loggpc,
          .properties = LogGPC::kProperties,
          .needs = {"overheads", "trains", "shared"},
          .order = 60,
          .accuracy_rank = 4};
}

}  // namespace postage::model_descriptors
