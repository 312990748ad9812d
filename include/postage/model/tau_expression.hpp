#pragma once

#include <postage/model/tau_lop.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace postage {

/// A cost in tau-Lop's algebra (Rico-Gallego et al., Modeling Contention and Mapping Effects in Multi-core Clusters,
/// 2015, section 3), as a value that can be printed, simplified and evaluated:
///
///   concurrent(4, overhead(0, 8192) + 2 * transfer(0, 8192))   4 || (o0(8K) + 2 L0(8K,1))
///                                               simplified     o0(8K) + 2 L0(8K,4)
class TauExpression {
 public:
  enum class Kind { kOverhead, kTransfer, kTimes, kSum, kConcurrent, kOverlap, kMaximum };

  /// Nothing: the empty sum.
  TauExpression() = default;

  /// o of a message of `bytes` over `channel`.
  [[nodiscard]] static TauExpression overhead(ChannelId channel, Bytes bytes);
  /// L(bytes, concurrency) of `channel`.
  [[nodiscard]] static TauExpression transfer(ChannelId channel, Bytes bytes, double concurrency = 1);
  /// One after the other.
  friend TauExpression operator+(const TauExpression& first, const TauExpression& second);
  /// `times` of it, one after the other; at least 0.
  friend TauExpression operator*(std::int64_t times, const TauExpression& expression);
  /// n || expression: n of it at the same time.
  [[nodiscard]] static TauExpression concurrent(double n, TauExpression expression);
  /// a || b || ...: different ones at the same time.
  [[nodiscard]] static TauExpression overlap(std::vector<TauExpression> expressions);
  [[nodiscard]] static TauExpression maximum(std::vector<TauExpression> expressions);

  /// The same cost as a sum of overheads, transfers and maxima, each once with its factor:
  ///
  ///   n || o = o                          the overhead is each sender's own
  ///   n || L(m, tau) = L(m, n*tau)
  ///   n || (a + b) = (n || a) + (n || b)  likewise for multiples and maxima
  ///   a || b = max{a', b'}                a' is a with every tau of a channel increased by the largest that b has on
  ///   it:
  ///                                       what shares no channel does not contend, what shares one does
  ///
  /// The first three rules are the paper's; so is the last for different channels ("hence, they do not contend"), and
  /// for equal transfers on one channel, where it gives L(m, 1) || L(m, 1) = L(m, 2). For unequal ones, of which the
  /// paper says nothing, it is an upper bound: it takes the contention to last until the end.
  [[nodiscard]] TauExpression simplified() const;

  /// Its time under the model. Throws Error where the model does not know a channel.
  [[nodiscard]] Seconds evaluate(const TauLop& model) const;

  /// As the paper writes it: "4 || (o0(8K) + 2 L0(8K,1))"; a number at o and L is the channel's.
  [[nodiscard]] std::string text() const;

  [[nodiscard]] Kind kind() const { return kind_; }
  bool operator==(const TauExpression&) const = default;

 private:
  TauExpression(Kind kind, double number, std::vector<TauExpression> parts)
      : kind_(kind), number_(number), parts_(std::move(parts)) {}

  [[nodiscard]] double largest_concurrency(ChannelId channel) const;
  /// With `change(channel, concurrency)` as the new concurrency of every transfer.
  template <typename Change>
  [[nodiscard]] TauExpression with_concurrency(const Change& change) const;
  [[nodiscard]] TauExpression simplified_sum() const;
  [[nodiscard]] TauExpression simplified_maximum() const;
  [[nodiscard]] Seconds value(const TauLop& model) const;

  Kind kind_ = Kind::kSum;
  ChannelId channel_ = 0;
  Bytes bytes_ = 0;
  double number_ = 1;  ///< tau of a transfer, n of concurrent ones, the factor of a multiple
  std::vector<TauExpression> parts_;
};

/// One message alone: o + n L, through the memory at its ends o + L0 + L1 + L0, in segments o + 2 L(S,1) + (k-1)
/// L(S,2).
[[nodiscard]] TauExpression transmission(const TauLop& model, ChannelId channel, Bytes bytes);

/// Reads what text() prints, and the paper's way of writing:
///
///   o(8K)  o1(8K)  o[inter-node](8K)   the overhead of a message of 8K over channel 0, 1, or of that name
///   L(8K,4)  L1(8K)  L[inter-node](8K) a transfer; alone where no tau is given
///   T(8K)  T1(8K)                      a whole message, transmission()
///   3 x  3*x                           x three times, one after another
///   4 || x  x || y                     four of x at the same time; x and y at the same time (U+2016 for || too)
///   x + y, max{x, y}, (x), [x]
///
/// A factor binds closer than ||, and || closer than +, as in "(P-1) [Q || T0(m) + 1 || T1(m)]". Sizes are those of
/// parse_bytes. Throws UsageError that names the column.
[[nodiscard]] TauExpression parse_tau_expression(std::string_view text, const TauLop& model,
                                                 std::span<const std::string> channels);

}  // namespace postage
