#include "model/loggp_reader.hpp"
#include "model/parameters.hpp"

#include <postage/model/cell_plogp.hpp>
#include <postage/model/table_reader.hpp>

namespace postage::model_descriptors {
namespace {

CellPLogPLink read_link_of_cell_plogp(const GroupReader& group) {
  return {group.curve("L"), group.curve("g"), group.has("C") ? read_contention(group) : CostSurface(),
          group.value_or("g_ack", 0)};
}

Model build_cell_plogp(const BuildRequest& request) {
  return make_model(request, CellPLogP{build_links(request, read_link_of_cell_plogp)});
}

}  // namespace

ModelDescriptor cell_plogp() {
  return {.name = "plogp-cell",
          .title = "extended PLogP",
          .equation = "L(m) + C(m, n); a message that leaves before the one before it has arrived: g(m) after that",
          .source = "Q. Ali, S. P. Midkiff, V. S. Pai, PPoPP 2010, section 3",
          .parameters = {curve("L", "latency, with the overheads in it"), as_curve(kGap),
                         optional(surface("C", "n", "congestion of n messages that cross the channel")),
                         optional({"g_ack", "s", "gap between acknowledgements: bounds the interval X"})},
          .example = "L=16:0.2us;32K:2us,g=16:0.1us;32K:1.5us,gamma=0.05ns",
          .build = build_cell_plogp,
          .properties = CellPLogP::kProperties,
          .needs = {"trains", "fans", "butterfly"},
          .order = 90,
          .accuracy_rank = 15};
}

}  // namespace postage::model_descriptors
