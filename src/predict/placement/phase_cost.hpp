#pragma once

#include "predict/placement/largest.hpp"
#include "predict/rounds/rank_work.hpp"

#include <postage/predict/placement_cost.hpp>

#include <array>
#include <unordered_map>
#include <vector>

namespace postage {

/// Which rank is on which slot, and what slots are joined by.
struct Places {
  const ChannelMap* slots = nullptr;
  const Model* model = nullptr;
  std::vector<Rank> slot_of_rank{};
  std::vector<Rank> rank_of_slot{};
  std::vector<std::int32_t> node_of_slot{};
  std::vector<std::vector<Rank>> slots_of_node{};

  [[nodiscard]] std::int32_t node_of(Rank rank) const {
    return node_of_slot[static_cast<std::size_t>(slot_of_rank[static_cast<std::size_t>(rank)])];
  }
};

/// The messages of one phase: what each costs, what each rank does, and what shares what.
class PhaseCost {
 public:
  PhaseCost(const MessagePhase& phase, const Places& places);

  /// Counts everything anew.
  void recount();
  /// Before the slots of two ranks change, and after.
  void take_away(Rank a, Rank b);
  void put_back(Rank a, Rank b);

  [[nodiscard]] Seconds seconds() const;  ///< of all its times
  /// The power mean of ranks' times, of all its times.
  [[nodiscard]] Seconds mean() const;
  [[nodiscard]] std::int64_t charged() const { return charged_; }
  /// In the step that takes longest.
  [[nodiscard]] Rank slowest_rank() const;
  [[nodiscard]] bool empty() const { return messages_.empty(); }

 private:
  struct Message {
    StartedMessage message;
    ChannelId channel = 0;
    double part = 1;  ///< of the messages that share a rank with it, where these count as one: see RoundLoads
    TransferCost cost{};
  };
  /// Messages, each as its part.
  struct Traffic {
    double leaving = 0;
    double entering = 0;
    double all_inside = 0;
  };

  void set_parts();
  template <typename Visit>
  void for_each_of(Rank a, Rank b, const Visit& visit);
  void count(std::size_t number, int sign);
  void count_links(const StartedMessage& message, int sign);
  void mark_nodes_of(const StartedMessage& message);
  void refresh_message(std::size_t number);
  void refresh_rank(Rank rank);
  void refresh_marked();
  [[nodiscard]] TransferQuestion question_of(const Message& one) const;

  const Places& places_;
  double times_;
  std::vector<Message> messages_{};
  std::vector<std::size_t> first_of_rank_{};   ///< into of_rank_, one more than ranks
  std::vector<std::size_t> of_rank_{};         ///< numbers of the messages that a rank sends or receives
  std::vector<bool> sends_{};                  ///< [rank]
  std::vector<Traffic> traffic_{};             ///< [node]
  std::vector<std::vector<double>> inside_{};  ///< [node][channel], as far as there are messages
  std::array<Largest, 3> work_{};              ///< [step][rank]; without steps only the first
  double sum_of_powers_ = 0;
  std::int64_t charged_ = 0;
  std::unordered_map<std::uint64_t, std::size_t> number_of_link_{};
  Largest link_seconds_{};
  std::vector<LinkOnRoute> route_{};
  // Of one change:
  std::vector<std::size_t> stamp_of_message_{};
  std::vector<std::size_t> stamp_of_rank_{};
  std::vector<std::size_t> stamp_of_node_{};
  std::size_t stamp_ = 0;
  std::vector<std::int32_t> marked_nodes_{};
  std::vector<Rank> marked_ranks_{};
};

}  // namespace postage
