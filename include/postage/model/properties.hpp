#pragma once

#include <string_view>

namespace postage {

/// What evaluators may assume of a model; a concrete model's constant kProperties, or its member
/// `properties` where they depend on its value.
struct ModelProperties {
  /// A transfer's cost depends on those that share its channel.
  bool feels_contention = false;
  /// A message is a sequence of transfers that all ranks of a round make in step: the first of all, then the second of
  /// all, ... (Rico-Gallego et al., Modeling Contention and Mapping Effects in Multi-core Clusters, 2015, section 3).
  bool moves_in_step = false;
  /// A message takes longer where its receiver sends in the same round.
  bool feels_exchange = false;
  /// Every message with data is a get, whose cost has the address's in it, and is acknowledged: what
  /// Protocol::kDefault stands for. Messages that a rank starts in one round, or in several without waiting, share it
  /// as their source until the last has ended (Ali et al., section 5.2). The parameter g_ack makes predictions
  /// intervals.
  bool gets_data = false;
  /// The cost of a message is that of its protocol, eager or rendezvous.
  bool knows_rendezvous = false;
  /// The evaluator of flows follows its messages, which share rates (see Flow).
  bool has_flows = false;
  /// The concurrency of its surfaces counts the messages of both directions, twice those of one direction.
  bool counts_both_directions = false;
  /// Its curves end where a protocol does, so that larger messages are not outside of what was measured: the table's
  /// FitQuality alone says which sizes are known.
  bool has_curves_of_one_protocol = false;
  /// The parameter with the size of the segments in which messages go, so that surfaces over the size are asked for no
  /// more than one segment; empty where there is none.
  std::string_view segment_symbol{};
};

}  // namespace postage
