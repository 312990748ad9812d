#include "model/parameters.hpp"
#include "model/transfers_reader.hpp"

#include <postage/model/log_3p.hpp>
#include <postage/model/table_reader.hpp>

namespace postage::model_descriptors {
namespace {

MiddlewareLevel read_level_of_log_3p(const GroupReader& group) {
  return {group.curve("o_mw"), read_strided_latency(group, "l_mw"), group.curve("o_net")};
}

Model build_log_3p(const BuildRequest& request) {
  return make_model(request, Log3P{build_single_link(request, read_level_of_log_3p)});
}

std::vector<ParameterDescription> parameters_of_log_3p() {
  std::vector<ParameterDescription> list = middleware_parameters();
  list.push_back(latency(curve("o_net", "network")));
  return list;
}

}  // namespace

ModelDescriptor log_3p() {
  return {
      .name = "log3p",
      .title = "log_3P",
      .equation = "o_mw + l_mw + o_net",
      .source = "K. W. Cameron, R. Ge, X.-H. Sun, IEEE Transactions on Computers 56(3), 2007; Tu et al., 2009, eq. 3",
      .parameters = parameters_of_log_3p(),
      .example = "o_mw=0:2us;16K:12us,l_mw=0/8:1us;16K/8:18us,o_net=0:20us;16K:150us",
      .build = build_log_3p,
      .needs = {"strided", "delayed"},
      .order = 120,
      .accuracy_rank = 12};
}

}  // namespace postage::model_descriptors
