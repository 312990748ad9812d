#pragma once

#include "predict/timeline/rank_kinds.hpp"
#include "predict/timeline/transfer_costs.hpp"

#include <vector>

namespace postage {

/// A message that the rank which stands for a kind sends in a round.
struct KindMessage {
  Rank source = 0;  ///< kinds
  Rank target = 0;
  Bytes bytes = 0;
  ChannelId channel = 0;
  TransferForm form{};
  bool to_itself = false;  ///< no message
};

/// The messages of one round between kinds of ranks.
class KindMessages {
 public:
  KindMessages(const Schedule& schedule, const RankKinds& kinds, TransferCosts& costs);

  /// O(messages of one rank of each kind).
  void load(const RoundPosition& position);

  /// In the order in which each kind sends.
  [[nodiscard]] const std::vector<KindMessage>& messages() const { return messages_; }
  /// Places in messages() of those that a kind receives.
  [[nodiscard]] const std::vector<std::size_t>& received_by(Rank kind) const {
    return received_[static_cast<std::size_t>(kind)];
  }

 private:
  void send(const RoundPosition& position, std::size_t number, Rank rank);
  void receive(const RoundPosition& position, Rank rank);
  [[nodiscard]] std::size_t& first_of(std::size_t pattern, std::size_t kind) {
    return first_[pattern * received_.size() + kind];
  }

  const Schedule& schedule_;
  RankKinds kinds_;
  TransferCosts& costs_;
  std::vector<KindMessage> messages_;
  std::vector<std::size_t> first_;  ///< [pattern][kind]: the first message
  std::vector<std::vector<std::size_t>> received_;
};

}  // namespace postage
