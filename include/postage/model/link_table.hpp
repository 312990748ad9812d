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

/// Finds the parameters of a transfer: those of its pair of ranks if there are any, else those of its channel; among
/// them those of the message's size. Regimes are sorted by size and the first starts at 0.
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
    pairs_[{first, second}] = std::move(regimes);
  }

  [[nodiscard]] bool has_channel(ChannelId channel) const {
    return channel < channels_.size() && !channels_[channel].empty();
  }
  [[nodiscard]] bool has_pairs() const { return !pairs_.empty(); }

  /// O(log pairs + log regimes). Throws Error if nothing is known of the channel.
  [[nodiscard]] const Parameters& at(const TransferQuestion& question) const {
    const Regimes& regimes = regimes_of(question);
    auto next = std::upper_bound(regimes.begin(), regimes.end(), question.bytes,
                                 [](Bytes bytes, const auto& regime) { return bytes < regime.from_bytes; });
    return std::prev(next)->parameters;
  }

 private:
  [[nodiscard]] const Regimes& regimes_of(const TransferQuestion& question) const {
    if (!pairs_.empty() && question.source >= 0 && question.target >= 0) {
      const auto found = pairs_.find(std::minmax(question.source, question.target));
      if (found != pairs_.end()) {
        return found->second;
      }
    }
    if (!has_channel(question.channel)) {
      throw Error("the model has no parameters for channel number " + std::to_string(question.channel) +
                  "; measure a platform that has it, or choose a mapping that does not use it");
    }
    return channels_[question.channel];
  }

  std::vector<Regimes> channels_;
  std::map<std::pair<std::int32_t, std::int32_t>, Regimes> pairs_;
};

}  // namespace postage
