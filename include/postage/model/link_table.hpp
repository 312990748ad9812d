#pragma once

#include <postage/base/error.hpp>
#include <postage/model/transfer.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <string>
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

  std::vector<Regimes> channels_;
  Regimes all_channels_;
  std::vector<Regimes> classes_;
  std::map<std::pair<std::int32_t, std::int32_t>, std::size_t> pairs_;  ///< index of their class
};

}  // namespace postage
