#pragma once

#include <postage/estimate/campaign_data.hpp>
#include <postage/model/flow.hpp>
#include <postage/platform/platform.hpp>
#include <postage/predict/flows/flows.hpp>

#include <cstddef>
#include <limits>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace postage {

/// How hosts' messages compete, beside the network.
struct CompetingMessages {
  // What hosts' own links carry, over what the model says: it takes them for what slowed messages of one host down.
  double more_sent = 1;
  double more_received = 1;
  double share_exponent = 0;              ///< q of the model flow
  double share_bytes = 0;                 ///< W
  double envelope = 0;                    ///< e
  FlowPenalties penalties{};              ///< beta_s, beta_e, gamma_s
  std::optional<double> reverse_share{};  ///< x, where it is not the model's own
};

/// What the links of hosts that are slower than others carry, as a share of what the model says, which has them in
/// proportion to their fastest messages: where each message crosses a link of the network, of less bandwidth than
/// hosts' own (`fastest_host`, B/s), fast hosts' messages show that one.
[[nodiscard]] double share_of_slow_hosts(const NetworkStructure& network, double fastest_host);

/// Rates of hosts differ by more, as a share.
inline constexpr double kSlowHost = 0.97;

/// The same for limits that a parameter table has already.
[[nodiscard]] CompetingMessages with_corrected_limits(CompetingMessages competing);

/// Says how well a network explains what messages took that were under way at the same time.
class NetworkJudge {
 public:
  /// Smaller messages of a fan say little of bandwidths.
  static constexpr Bytes kLargeMessage = Bytes{64} << 10;

  /// Of a platform on whose ranks the campaign ran, with the model of its messages, which must live as long; of fans of
  /// messages of at least so many bytes.
  NetworkJudge(const CampaignData& campaign, const Platform& platform, const Flow& model,
               Bytes least_of_fans = kLargeMessage);

  /// Of concurrent messages that were measured.
  [[nodiscard]] std::size_t experiments() const { return measured_.size(); }
  /// Sum over the experiments of the squared logarithms of predicted over measured times. O(experiments * hosts log
  /// hosts), and more where many messages share links; less where the sum is above the bound: infinity then.
  [[nodiscard]] double misses(const NetworkStructure& network, const CompetingMessages& competing,
                              double bound = std::numeric_limits<double>::infinity()) const;
  /// n ln(mean square miss) + p ln n for p parameters and n experiments (G. Schwarz, Annals of Statistics 6(2), 1978).
  [[nodiscard]] double cost_of(double misses, double parameters) const;
  /// True where the model knows processors of their own.
  [[nodiscard]] bool has_processors() const { return !model_.processors.empty(); }
  /// True where what each host sends at once was measured.
  [[nodiscard]] bool knows_hosts() const { return knows_hosts_; }
  /// False of simulations, whose times are what they are but for what v says.
  [[nodiscard]] bool is_real() const { return is_real_; }
  /// v: by how much messages vary alone, the most of any.
  [[nodiscard]] double scatter() const { return scatter_; }
  /// x of all messages that were measured; none where they differ.
  [[nodiscard]] std::optional<double> reverse_share() const {
    return least_reverse_share_ == most_reverse_share_ ? std::optional(most_reverse_share_) : std::nullopt;
  }
  /// B/s: the fastest message alone at the experiments' size.
  [[nodiscard]] double fastest() const { return fastest_; }
  /// What the fastest of real hosts' messages between groups of this level, or any hosts of a torus, was measured to
  /// get alone; 0 where there are none, and in simulations. O(hosts^2).
  [[nodiscard]] double fastest_across(const NetworkStructure& network, std::size_t level) const;

 private:
  struct Measured {
    std::vector<StartedMessage> messages;
    std::vector<int> ranks;  ///< whose time it is
    Seconds time = 0;
    bool is_longest = false;  ///< of these ranks' times, not their mean
  };

  void add_permutation(const Measurement& m);
  void add_mesh(const Measurement& m);
  void add_fan(const Measurement& m);
  void add_exchange(const Measurement& m);
  void add_alone(const PairData& pair);
  [[nodiscard]] static Seconds time_of(const Measured& one, const Timeline& played);
  void add_message(Measured& one, Rank source, Rank target, Bytes bytes);

  Platform platform_;
  const Flow& model_;
  ChannelMap channels_;
  std::vector<Measured> measured_;
  double fastest_ = 0;
  std::map<std::pair<int, int>, double> alone_;  ///< B/s, by hosts
  bool knows_hosts_ = false;
  bool is_real_;
  double scatter_ = 0;
  double least_reverse_share_ = std::numeric_limits<double>::infinity();
  double most_reverse_share_ = 0;
};

}  // namespace postage
