#include "model/parameters.hpp"

#include <postage/model/logp.hpp>
#include <postage/model/table_reader.hpp>

namespace postage::model_descriptors {
namespace {

LogPLink read_link_of_logp(const GroupReader& group) {
  return {group.value("L"), group.value("o_s"), group.value("o_r"), group.value("g"),
          static_cast<Bytes>(group.exact_or("w", 0))};
}

Model build_logp(const BuildRequest& request) {
  return make_model(request, LogP{build_links(request, read_link_of_logp)});
}

}  // namespace

ModelDescriptor logp() {
  return {.name = "logp",
          .title = "LogP",
          .equation = "o_s + L + o_r, for a small message; a longer one as several of w bytes, one every max(g, o)",
          .source = "D. Culler et al., LogP, PPOPP 1993",
          .parameters = {kLatency, kSendOverhead, kReceiveOverhead, kGap,
                         optional({"w", "B", "bytes that one small message carries; without it every message is one"})},
          .example = "L=5us,o=1us,g=2us",
          .build = build_logp,
          .needs = {"overheads", "trains"},
          .order = 20,
          .accuracy_rank = 9};
}

}  // namespace postage::model_descriptors
