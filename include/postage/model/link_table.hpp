#pragma once

#include <postage/base/error.hpp>
#include <postage/model/transfer.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace postage {

/// One set of a model's parameters, for messages of at least `from_bytes`.
template <typename Parameters>
struct Regime {
  Bytes from_bytes = 0;
  Parameters parameters;
};

/// The parameters for messages of this size, of regimes that are sorted by size and start at 0. O(log regimes).
template <typename Parameters>
[[nodiscard]] const Parameters& find_regime(const std::vector<Regime<Parameters>>& regimes, Bytes bytes) {
  const auto next = std::upper_bound(regimes.begin(), regimes.end(), bytes,
                                     [](Bytes size, const auto& regime) { return size < regime.from_bytes; });
  return std::prev(next)->parameters;
}

/// Finds the parameters of a transfer: those of its pair of ranks if there are any, else those of its channel, else
/// those of all channels; among them those of the message's size. Regimes are sorted by size and the first starts at 0.
template <typename Parameters>
class LinkTable {
 public:
  using Regimes = std::vector<Regime<Parameters>>;

  void set_channel(ChannelId channel, Regimes regimes) {
    if (channels_.size() <= channel) {
      channels_.resize(std::size_t{channel} + 1);
    }
    channels_[channel] = std::move(regimes);
  }
  /// `first` < `second`; the parameters hold in both directions.
  void set_pair(std::int32_t first, std::int32_t second, Regimes regimes) {
    pairs_[{first, second}] = classes_.size();
    classes_.push_back(std::move(regimes));
  }
  /// Another pair with the parameters of one that has some; nothing where that has none.
  void set_alike(std::int32_t first, std::int32_t second, const std::pair<std::int32_t, std::int32_t>& like) {
    if (const auto found = pairs_.find(like); found != pairs_.end()) {
      const std::size_t of_class = found->second;
      pairs_[{first, second}] = of_class;
    }
  }

  /// Ranks by groups, for set_alike_groups.
  void set_groups(std::vector<int> group_of_rank) { group_of_rank_ = std::move(group_of_rank); }
  /// All pairs of two groups over a channel that have none of their own, with the parameters of a pair that has some.
  void set_alike_groups(ChannelId channel, int low, int high, const std::pair<std::int32_t, std::int32_t>& like) {
    if (const auto found = pairs_.find(like); found != pairs_.end()) {
      of_groups_[{channel, low, high}] = found->second;
    }
  }
  /// All pairs of ranks over a channel that are in no group's list.
  void set_rest(ChannelId channel, const std::pair<std::int32_t, std::int32_t>& like) {
    if (const auto found = pairs_.find(like); found != pairs_.end()) {
      rests_[channel] = found->second;
    }
  }

  /// For the channels that have none of their own.
  void set_all_channels(Regimes regimes) { all_channels_ = std::move(regimes); }

  /// Calls change(parameters) for those of every pair, channel and regime.
  template <typename Change>
  void change(const Change& change_one) {
    const auto change_all = [&](Regimes& regimes) {
      for (Regime<Parameters>& regime : regimes) {
        change_one(regime.parameters);
      }
    };
    std::for_each(channels_.begin(), channels_.end(), change_all);
    change_all(all_channels_);
    std::for_each(classes_.begin(), classes_.end(), change_all);
  }

  [[nodiscard]] bool has_channel(ChannelId channel) const {
    return !all_channels_.empty() || (channel < channels_.size() && !channels_[channel].empty());
  }
  [[nodiscard]] bool has_pairs() const { return !pairs_.empty(); }

  /// O(log pairs + log regimes). Throws Error if nothing is known of the channel.
  [[nodiscard]] const Parameters& at(const TransferQuestion& question) const {
    return find_regime(regimes_of(question), question.bytes);
  }

 private:
  [[nodiscard]] const Regimes& regimes_of(const TransferQuestion& question) const {
    if (!pairs_.empty() && question.source >= 0 && question.target >= 0) {
      const auto found = pairs_.find(std::minmax(question.source, question.target));
      if (found != pairs_.end()) {
        return classes_[found->second];
      }
      if (const Regimes* alike = of_alike(question)) {
        return *alike;
      }
    }
    if (question.channel < channels_.size() && !channels_[question.channel].empty()) {
      return channels_[question.channel];
    }
    if (all_channels_.empty()) {
      throw Error("the model has no parameters for channel number " + std::to_string(question.channel) +
                  "; measure a platform that has it, or choose a mapping that does not use it");
    }
    return all_channels_;
  }

  /// What the groups of a pair's ranks say of it; null where they say nothing.
  [[nodiscard]] const Regimes* of_alike(const TransferQuestion& question) const {
    const auto [low, high] = std::minmax(question.source, question.target);
    if (low == high || static_cast<std::size_t>(high) >= group_of_rank_.size()) {
      return nullptr;
    }
    const auto [first, second] =
        std::minmax(group_of_rank_[static_cast<std::size_t>(low)], group_of_rank_[static_cast<std::size_t>(high)]);
    if (const auto found = of_groups_.find({question.channel, first, second}); found != of_groups_.end()) {
      return &classes_[found->second];
    }
    const auto rest = rests_.find(question.channel);
    return rest == rests_.end() ? nullptr : &classes_[rest->second];
  }

  std::vector<Regimes> channels_;
  Regimes all_channels_;
  std::vector<Regimes> classes_;
  std::map<std::pair<std::int32_t, std::int32_t>, std::size_t> pairs_;  ///< index of their class
  std::vector<int> group_of_rank_;
  std::map<std::tuple<ChannelId, int, int>, std::size_t> of_groups_;
  std::map<ChannelId, std::size_t> rests_;
};

}  // namespace postage
