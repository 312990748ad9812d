#include "model/loggp_reader.hpp"
#include "model/parameters.hpp"

#include <postage/model/cell_plogp.hpp>
#include <postage/model/table_reader.hpp>

namespace postage::model_descriptors {
namespace {

/// X, of which the paper knows only 0 <= X <= q g_Ack, is a prediction's interval: the gap of acknowledgements counts
/// at its upper end alone.
Model build_cell_plogp(const BuildRequest& request) {
  const bool with_gap_of_acks = request.bound == Bound::kUpper;
  const auto read_link = [&](const GroupReader& group) {
    return CellPLogPLink{.latency = group.curve("L"),
                         .gap = group.curve("g"),
                         .contention = group.has("C") ? read_contention(group) : CostSurface(),
                         .gap_of_ack = with_gap_of_acks ? group.value_or("g_ack", 0) : 0,
                         .latency_of_ack = group.has("L_ack") ? std::optional(group.value("L_ack")) : std::nullopt,
                         .congests_from = static_cast<Bytes>(group.exact_or("m_C", 256)),
                         .free_messages = group.exact_or("n_C", 2)};
  };
  return make_model(request, CellPLogP{build_links(request, read_link)});
}

}  // namespace

ModelDescriptor cell_plogp() {
  return {
      .name = "plogp-cell",
      .title = "extended PLogP",
      .equation =
          "L(m) + C(m, n), then L(1) for the acknowledgement of data; g(m) more for each that shares the "
          "source, and 0 <= X <= g_ack for its acknowledgement",
      .source = "Q. Ali, S. P. Midkiff, V. S. Pai, PPoPP 2010, section 3",
      .parameters = {latency(curve("L", "latency of data, with the overheads and the address in it")), as_curve(kGap),
                     optional(latency({"L_ack", "s", "latency L(1) of acknowledgements; L(16) where not given"})),
                     optional(bandwidth(surface("C", "n", "congestion of n messages that cross the channel"))),
                     optional(with_role(ParameterRole::kMessageRate,
                                        {"g_ack", "s", "gap between acknowledgements: bounds the interval X"})),
                     optional({"m_C", "B", "largest message that does not congest; 256 where not given"}),
                     optional({"n_C", "1", "messages that cross without congestion; 2 where not given"})},
      .example = "L=16:0.2us;32K:2us,g=16:0.1us;32K:1.5us,gamma=0.05ns",
      .build = build_cell_plogp,
      .properties = CellPLogP::kProperties,
      .needs = {"trains", "fans", "butterfly"},
      .order = 90,
      .accuracy_rank = 15};
}

}  // namespace postage::model_descriptors
