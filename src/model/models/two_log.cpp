#include "model/parameters.hpp"
#include "model/transfers_reader.hpp"

#include <postage/model/table_reader.hpp>
#include <postage/model/two_log.hpp>

namespace postage::model_descriptors {
namespace {

MiddlewareLevel read_level_of_two_log(const GroupReader& group) {
  return {group.curve("o_mw"), read_strided_latency(group, "l_mw"),
          group.has("o_net") ? group.curve("o_net") : CostCurve()};
}

Model build_two_log(const BuildRequest& request) {
  return make_model(request, TwoLog{build_links(request, read_level_of_two_log)});
}

std::vector<ParameterDescription> parameters_of_two_log() {
  std::vector<ParameterDescription> list = middleware_parameters();
  list.push_back(optional(latency(curve("o_net", "network; none within a node"))));
  return list;
}

}  // namespace

ModelDescriptor two_log() {
  return {.name = "2log23p",
          .title = "2log_{2,3}P",
          .equation = "o_mw + l_mw within a node, o_mw + l_mw + o_net between nodes",
          .source = "Tu et al., Accurate Analytical Models for Message Passing on Multi-core Clusters, 2009, eq. 4-5",
          .parameters = parameters_of_two_log(),
          .example =
              "[shared-cache] o_mw=0:1us;16K:8us,l_mw=0/8:1us;16K/8:10us [inter-node] o_mw=0:2us;16K:12us,"
              "l_mw=0/8:1us;16K/8:18us,o_net=0:20us;16K:150us",
          .build = build_two_log,
          .needs = {"strided", "delayed"},
          .order = 140,
          .accuracy_rank = 6};
}

}  // namespace postage::model_descriptors
