#include "model/parameters.hpp"

#include <postage/model/table_reader.hpp>
#include <postage/model/tau_lop.hpp>

#include <fmt/format.h>

#include <cmath>

namespace postage::model_descriptors {
namespace {

constexpr std::string_view kTransfersOn = "n@";

double read_transfers(const GroupReader& group) {
  const double transfers = group.exact("n");
  if (transfers < 1 || transfers != std::floor(transfers)) {
    throw group.wrong("n", fmt::format("is {}; a message takes a whole number of transfers, at least 1", transfers));
  }
  return transfers;
}

/// n@CHANNEL: transfers of the message on another channel, half of them at each end.
void read_ends(const BuildRequest& request, const GroupReader& group, TauLopLink& link) {
  const std::vector<std::string> given = group.symbols_with_prefix(kTransfersOn);
  if (given.empty()) {
    return;
  }
  if (given.size() > 1) {
    throw group.wrong(given[1], "names a second channel; a message passes one channel at its ends");
  }
  link.end_channel = channel_number(request, std::string_view(given[0]).substr(kTransfersOn.size()));
  link.end_transfers = group.exact(given[0]) / 2;
  if (link.end_transfers < 1 || link.end_transfers != std::floor(link.end_transfers)) {
    throw group.wrong(given[0],
                      fmt::format("is {}; it counts the transfers at both ends: 2, 4, ...", 2 * link.end_transfers));
  }
}

Model build_tau_lop(const BuildRequest& request) {
  std::vector<ChannelId> ends;
  TauLop model{build_links(request, [&](const GroupReader& group) {
    TauLopLink link{.overhead = group.curve("o"),
                    .transfer = group.surface("L"),
                    .transfers = read_transfers(group),
                    .segment = static_cast<Bytes>(group.exact_or("S", 0))};
    read_ends(request, group, link);
    if (link.segment > 0 && !link.has_shared_buffer()) {
      throw group.wrong("S", "needs n = 2: segments go through one shared buffer");
    }
    if (link.end_transfers > 0) {
      ends.push_back(link.end_channel);
    }
    return link;
  })};
  for (const ChannelId end : ends) {
    if (!model.links.has_channel(end)) {
      throw Error(fmt::format("the taulop model has no parameters for channel {}, which messages pass at their ends",
                              request.channels[end]));
    }
  }
  return make_model(request, std::move(model));
}

}  // namespace

ModelDescriptor tau_lop() {
  return {
      .name = "taulop",
      .title = "tau-Lop",
      .equation = "o(m) + the sum of L(m, tau) over the message's transfers",
      .source = "Rico-Gallego et al., Modeling Contention and Mapping Effects in Multi-core Clusters, 2015, section 3",
      .parameters = {overhead(curve("o", "overhead, until data enters the channel")),
                     latency(surface("L", "tau", "time of tau concurrent transfers of m bytes each")),
                     {"n", "1", "transfers of a message on the channel: 2 through a shared buffer, 1 over a network"},
                     optional(
                         {"n@c", "1", "transfers of a message on channel c, half of them at each end: memory and NIC"}),
                     optional({"S", "B", "messages through a shared buffer go in segments of this size"})},
      .example =
          "[shared-cache] o=1us,L=0/1:0.3us;64K/1:10us;0/4:0.4us;64K/4:25us,n=2 "
          "[inter-node] o=5us,L=0/1:10us;64K/1:60us;0/4:20us;64K/4:240us,n=1,n@shared-cache=2",
      .build = build_tau_lop,
      .properties = TauLop::kProperties,
      .needs = {"shared"},
      .order = 150,
      .accuracy_rank = 5};
}

}  // namespace postage::model_descriptors
