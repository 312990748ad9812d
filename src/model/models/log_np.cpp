#include "model/parameters.hpp"
#include "model/transfers_reader.hpp"

#include <postage/model/log_np.hpp>
#include <postage/model/table_reader.hpp>

namespace postage::model_descriptors {
namespace {

Model build_log_np(const BuildRequest& request) {
  return make_model(request, LogNP{build_single_link(request, read_implicit_transfers)});
}

}  // namespace

ModelDescriptor log_np() {
  return {
      .name = "lognp",
      .title = "log_nP",
      .equation = "sum of o_i + l_i over i = 0 .. n-1",
      .source = "K. W. Cameron, R. Ge, X.-H. Sun, IEEE Transactions on Computers 56(3), 2007; Tu et al., 2009, eq. 1",
      .parameters = implicit_transfer_parameters(),
      .example =
          "o_0=0:1us;16K:6us,l_0=0/8:1us;16K/8:9us;0/512:1us;16K/512:20us,o_1=0:20us;16K:150us,"
          "o_2=0:1us;16K:6us",
      .build = build_log_np,
      .needs = {"strided", "delayed"},
      .order = 110,
      .accuracy_rank = 13};
}

}  // namespace postage::model_descriptors
