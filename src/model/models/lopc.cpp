#include "model/loggp_reader.hpp"
#include "model/parameters.hpp"

#include <postage/model/loggpc.hpp>
#include <postage/model/table_reader.hpp>

namespace postage::model_descriptors {
namespace {

LogGPCLink read_link_of_lopc(const GroupReader& group) {
  const LogGPLink message{group.value("L"), group.value("o_s"), group.value("o_r"), group.value("g"), 0};
  return {message, read_contention(group)};
}

Model build_lopc(const BuildRequest& request) {
  return make_model(request, LogGPC{build_links(request, read_link_of_lopc)});
}

}  // namespace

ModelDescriptor lopc() {
  return {.name = "lopc",
          .title = "LoPC",
          .equation = "LogP + C(m, n)",
          .source = "M. I. Frank, A. Agarwal, M. K. Vernon, LoPC, PPOPP 1997",
          .parameters = {kLatency, kSendOverhead, kReceiveOverhead, kGap,
                         bandwidth(surface("C", "n", "what a message waits for the n - 1 others"))},
          .example = "L=5us,o=1us,g=2us,C=0/2:1us;4K/2:1us;0/8:4us;4K/8:4us",
          .build = build_lopc,
          .properties = LogGPC::kProperties,
          .needs = {"overheads", "trains", "shared"},
          .order = 70,
          .accuracy_rank = 16};
}

}  // namespace postage::model_descriptors
