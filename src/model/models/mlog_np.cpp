#include "model/parameters.hpp"
#include "model/transfers_reader.hpp"

#include <postage/model/log_np.hpp>
#include <postage/model/table_reader.hpp>

namespace postage::model_descriptors {
namespace {

Model build_mlog_np(const BuildRequest& request) {
  return make_model(request, MLogNP{build_links(request, read_implicit_transfers)});
}

}  // namespace

ModelDescriptor mlog_np() {
  return {
      .name = "mlognp",
      .title = "mlog_nP",
      .equation = "sum of o_i + l_i over i = 0 .. n-1, with n, o and l of each channel",
      .source = "Tu et al., Accurate Analytical Models for Message Passing on Multi-core Clusters, 2009, section III.A",
      .parameters = implicit_transfer_parameters(),
      .example =
          "[shared-cache] o_0=0:1us;16K:4us,o_1=0:1us;16K:4us [inter-node] o_0=0:1us;16K:6us,"
          "o_1=0:20us;16K:150us,o_2=0:1us;16K:6us",
      .build = build_mlog_np,
      .needs = {"strided", "delayed"},
      .order = 130,
      .accuracy_rank = 8};
}

}  // namespace postage::model_descriptors
