#include "model/parameters.hpp"

#include <postage/model/flow.hpp>
#include <postage/model/table_reader.hpp>

#include <algorithm>
#include <limits>
#include <optional>

namespace postage::model_descriptors {
namespace {

Bytes threshold_or_none(const GroupReader& group, std::string_view symbol) {
  return group.has(symbol) ? static_cast<Bytes>(group.exact(symbol)) : std::numeric_limits<Bytes>::max();
}

FlowLimits read_limits(const GroupReader& group) {
  const auto limit = [&](std::string_view rate) { return group.has(rate) ? group.inverse(rate) : 0; };
  return {limit("B_pair"), limit("B_send"), limit("B_receive"), limit("B_node")};
}

FlowLink read_link_of_flow(const GroupReader& group) {
  return {.send_overhead = group.curve("o_s"),
          .receive_overhead = group.curve("o_r"),
          .host = read_host_link_overheads(group),
          .latency = group.value("L"),
          .seconds_per_byte = group.value("G"),
          .limits = read_limits(group),
          .reverse_share = group.value_or("x", 0),
          .occupancy = group.value_or("k", 1),
          .rendezvous_above = threshold_or_none(group, "S"),
          .awaited_from = threshold_or_none(group, "E"),
          .in_turn = group.value_or("R", 0),
          .further = group.has("r") ? group.curve("r") : CostCurve{},
          .release = group.value_or("g", 0),
          .drains = group.has("D"),
          .in_order = group.has("F")};
}

FlowProcessor read_processor_of_flow(const BuildRequest& request, const ParameterScope& scope,
                                     const GroupReader& group) {
  const auto channel = scope.channel.empty() ? std::nullopt : std::optional(channel_number(request, scope.channel));
  return {group.curve("o_s"), group.curve("o_r"), channel, read_limits(group)};
}

Model build_flow(const BuildRequest& request) {
  Flow model{.links = build_links(request, read_link_of_flow)};
  for (const auto& [scope, groups] : groups_by_scope(request)) {
    if (scope.is_processor()) {
      const auto rank = static_cast<std::size_t>(scope.processor);
      model.processors.resize(std::max(model.processors.size(), rank + 1));
      const GroupReader group(request.table, *groups.front(), request.bound);
      model.processors[rank] = read_processor_of_flow(request, scope, group);
    }
  }
  model.share_exponent = read_platform_value(request, "q");
  model.share_bytes = read_platform_value(request, "W");
  model.envelope = read_platform_value(request, "e");
  model.penalties = {read_platform_value(request, "beta_s"), read_platform_value(request, "beta_e"),
                     std::max(read_platform_value(request, "gamma_s"), 1.0)};
  const std::vector<int> stand_for = processors_that_stand_for(request);
  model.processors.resize(std::max(model.processors.size(), stand_for.size()));
  for (std::size_t rank = 0; rank < stand_for.size(); ++rank) {
    if (stand_for[rank] >= 0 && !model.processors[rank]) {
      model.processors[rank] = model.processors[static_cast<std::size_t>(stand_for[rank])];
    }
  }
  return make_model(request, std::move(model));
}

/// When messages leave, and in which order they move.
std::vector<ParameterDescription> parameters_of_protocols() {
  return {
      optional({"S", "B", "larger messages keep their sender until they have arrived"}),
      optional({"E", "B", "messages of at least so many bytes leave only when they are awaited"}),
      optional({"R", "1",
                "larger messages than S are taken in by their receiver's processor, one at a time: the share of L that "
                "it works for those that waited; without it messages move by themselves"}),
      optional(overhead(curve("r",
                              "time of a message larger than S that its receiver waits for while it takes in others, "
                              "instead of R L + G m"))),
      optional(overhead({"g", "s",
                         "between the starts of two messages larger than S that others fetch from one rank: what of a "
                         "fetch only one can do there at a time"})),
      optional({"D", "1",
                "1 where a rank that takes in messages goes on only when it has all that others had begun to send to "
                "it"}),
      optional({"F", "1",
                "1 where messages from one rank to another move one after another, the first one first, as those of a "
                "connection do; without it they share B_pair"})};
}

std::vector<ParameterDescription> parameters_of_flow() {
  const auto limit = [](std::string_view symbol, std::string_view meaning) {
    return optional(bandwidth({symbol, "B/s", meaning}));
  };
  std::vector<ParameterDescription> list{
      of_processor(as_curve(kSendOverhead)),
      of_processor(as_curve(kReceiveOverhead)),
      kLatency,
      kGapPerByte,
      optional(overhead(
          curve("w", "additional time of a message whose buffer its sender has rewritten since it was last sent"))),
      optional(overhead(curve("h",
                              "additional time of a message no larger than S that leaves only when it is awaited, as "
                              "those of gets do: what sender and receiver tell one another before"))),
      optional(
          overhead(curve("d",
                         "additional time of such a message, beside h, whose buffer its sender has rewritten since "
                         "it was last sent"))),
      optional(overhead(curve("y",
                              "additional time of a message larger than S that its receiver fetches while its sender "
                              "fetches one from there"))),
      optional(overhead(curve("z",
                              "additional time of a message that is sent before its receiver waits for it, beside "
                              "t_0"))),
      optional(overhead(curve("a",
                              "from the arrival of a message larger than S until its sender goes on, which hears of it "
                              "from the receiver"))),
      optional(overhead(curve("b",
                              "additional time of m bytes in messages larger than S where their receiver's processor "
                              "moves so many in one collective that its caches do not hold them"))),
      optional(overhead(curve("u",
                              "additional time of copying or combining m bytes into memory that other ranks have "
                              "fetched since it was last written; a part of w"))),
      limit("B_pair",
            "rate of all messages from a rank to another together; without it, and the following, they "
            "do not slow one another down"),
      limit("B_send", "rate of all messages that leave a rank"),
      limit("B_receive", "rate of all messages that enter a rank"),
      limit("B_node", "rate of all messages that leave a node, and of all that enter one; of all inside a node"),
      optional({"x", "1", "what a message's acknowledgements take of the opposite direction, as a share of its rate"}),
      optional({"k", "1",
                "how long a byte occupies the network's links and hosts' own, over a byte of the largest messages; "
                "without it 1"}),
      of_platform({"q", "1",
                   "messages that compete have rates in proportion to (L + W s)^-q, where s is the sum of the seconds "
                   "per byte of the links on their way; without it to 1"}),
      of_platform({"W", "B", "what bandwidths count for in the share of a message, see q; without it 0"}),
      of_platform({"e", "B",
                   "what a network adds to each message between nodes: L has it where a message is alone, and messages "
                   "that share links share it, too; without it 0"}),
      of_platform({"beta_s", "1",
                   "each of n > 1 messages that leave a node is beta_s n times slower than alone, where messages slow "
                   "one another as on InfiniBand"}),
      of_platform(
          {"beta_e", "1",
           "each of the messages that enter a node from h > 1 nodes, c from its own, is beta_e c h times slower "
           "than alone, see beta_s"}),
      of_platform({"gamma_s", "1",
                   "messages from a node of which one goes where more than two go are so many times slower still, see "
                   "beta_s"}),
      optional({"v", "1", "standard deviation of L and of G m, as a share of each"})};
  for (const std::vector<ParameterDescription>& further : {parameters_of_protocols(), host_overhead_parameters()}) {
    list.insert(list.end(), further.begin(), further.end());
  }
  return list;
}

}  // namespace

ModelDescriptor flow() {
  return {
      .name = "flow",
      .title = "flows",
      .equation = "o_s(m) + L + G*m + o_r(m) alone; together max-min fair within B_pair, B_send, B_receive and B_node",
      .source =
          "D. Bertsekas, R. Gallager, Data Networks, 1992, section 6.5.2; P. Velho et al., ACM TOMACS 23(4), 2013",
      .parameters = parameters_of_flow(),
      .example = "L=5us,o=1us,G=1ns,B_node=1GB/s,S=64K",
      .build = build_flow,
      .properties = Flow::kProperties,
      .needs = {"protocols", "echoes", "handshakes", "copies", "pipelines", "trains", "shared", "fans", "butterfly",
                "network"},
      .order = 160,
      .accuracy_rank = 1};
}

}  // namespace postage::model_descriptors
