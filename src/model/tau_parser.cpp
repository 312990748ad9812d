#include <postage/base/error.hpp>
#include <postage/model/tau_expression.hpp>

#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>

namespace postage {
namespace {

/// A value of the expression, or a bare number, which is a factor or the n of n ||.
struct TauTerm {
  std::optional<double> number{};
  TauExpression expression{};
  std::size_t at = 0;
};

class TauParser {
 public:
  TauParser(std::string_view text, const TauLop& model, std::span<const std::string> channels)
      : text_(text), model_(model), channels_(channels) {}

  TauExpression parse() {
    TauExpression whole = sum();
    if (!at_end()) {
      throw wrong("expected +, || or the end");
    }
    return whole;
  }

 private:
  [[nodiscard]] UsageError wrong(const std::string& what) const { return wrong(what, at_); }
  [[nodiscard]] UsageError wrong(const std::string& what, std::size_t at) const {
    return UsageError(fmt::format("--expression, column {}: {}", at + 1, what));
  }

  void skip_space() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) {
      ++at_;
    }
  }
  [[nodiscard]] bool at_end() {
    skip_space();
    return at_ == text_.size();
  }
  bool take(std::string_view token) {
    skip_space();
    const bool is_next = text_.substr(at_).starts_with(token);
    at_ += is_next ? token.size() : 0;
    return is_next;
  }
  void expect(std::string_view token) {
    if (!take(token)) {
      throw wrong(fmt::format("expected {}", token));
    }
  }

  TauExpression sum() {
    // Each level is some calls deep; thousands of brackets would fill the stack.
    constexpr int kMostNested = 200;
    if (++nested_ > kMostNested) {
      throw wrong(fmt::format("brackets nest too deep: at most {} within one another", kMostNested - 1));
    }
    TauExpression all = overlap();
    while (take("+")) {
      all = all + overlap();
    }
    --nested_;
    return all;
  }

  /// Numbers before || multiply the concurrency of what follows; expressions joined by it run at the same time.
  TauExpression overlap() {
    std::vector<TauExpression> parts;
    double concurrency = 1;
    bool is_joined = false;
    do {
      TauTerm term = product();
      if (!term.number) {
        parts.push_back(concurrency == 1 ? term.expression
                                         : TauExpression::concurrent(concurrency, std::move(term.expression)));
        concurrency = 1;
      } else {
        check_concurrency(term);
        concurrency *= *term.number;
      }
      is_joined = take("||") || take("\u2016");
      if (!is_joined && term.number) {
        return lone_number(term);
      }
    } while (is_joined);
    return parts.size() == 1 ? parts.front() : TauExpression::overlap(std::move(parts));
  }

  /// 0 is the empty sum; other numbers are no cost.
  [[nodiscard]] TauExpression lone_number(const TauTerm& term) const {
    if (*term.number == 0) {
      return {};
    }
    throw wrong("a number alone is no cost; write n x or n || x", term.at);
  }

  void check_concurrency(const TauTerm& term) {
    skip_space();
    const bool before_bar = text_.substr(at_).starts_with("||") || text_.substr(at_).starts_with("\u2016");
    if (before_bar && *term.number < 1) {
      throw wrong("the n of n || x must be at least 1", term.at);
    }
  }

  /// Factors, and at most one value behind them.
  TauTerm product() {
    skip_space();
    TauTerm term{.at = at_};
    std::optional<double> factor;
    while (is_number_next()) {
      factor = factor.value_or(1) * number();
      take("*");
    }
    if (factor && !is_value_next()) {
      term.number = factor;
      return term;
    }
    term.expression = value();
    if (factor) {
      term.expression = times(*factor, term);
    }
    return term;
  }

  [[nodiscard]] TauExpression times(double factor, const TauTerm& term) const {
    constexpr double kMost = 1e15;  // of which every whole number is one of double's
    if (factor != std::floor(factor) || factor > kMost) {
      throw wrong(fmt::format("{} times something: a factor is a whole number of at most {:.0f}", factor, kMost),
                  term.at);
    }
    return static_cast<std::int64_t>(factor) * term.expression;
  }

  [[nodiscard]] bool is_number_next() {
    skip_space();
    return at_ < text_.size() && (std::isdigit(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '.');
  }
  [[nodiscard]] bool is_value_next() {
    skip_space();
    return at_ < text_.size() && std::string_view("oLTm([").find(text_[at_]) != std::string_view::npos;
  }

  double number() {
    double value = 0;
    const auto [stop, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc()) {
      throw wrong("expected a number");
    }
    at_ = static_cast<std::size_t>(stop - text_.data());
    return value;
  }

  TauExpression value() {
    for (const auto& [open, close] : {std::pair("(", ")"), std::pair("[", "]")}) {
      if (take(open)) {
        TauExpression inner = sum();
        expect(close);
        return inner;
      }
    }
    if (take("max")) {
      return maximum();
    }
    for (const char kind : {'o', 'L', 'T'}) {
      if (take(std::string_view(&kind, 1))) {
        return atom(kind);
      }
    }
    throw wrong("expected o(m), L(m,tau), T(m), max{...}, a number or a bracket");
  }

  TauExpression maximum() {
    const bool is_round = take("(");
    if (!is_round) {
      expect("{");
    }
    std::vector<TauExpression> choices{sum()};
    while (take(",")) {
      choices.push_back(sum());
    }
    expect(is_round ? ")" : "}");
    return TauExpression::maximum(std::move(choices));
  }

  TauExpression atom(char kind) {
    const ChannelId channel = this->channel();
    if (!take("(")) {
      throw wrong(fmt::format("expected the size of a message, like {}(8K)", kind));
    }
    const Bytes bytes = size();
    double concurrency = 1;
    if (kind == 'L' && take(",")) {
      skip_space();
      const std::size_t at = at_;
      concurrency = number();
      if (concurrency < 1) {
        throw wrong("tau counts transfers, at least 1", at);
      }
    }
    expect(")");
    return kind == 'o'   ? TauExpression::overhead(channel, bytes)
           : kind == 'L' ? TauExpression::transfer(channel, bytes, concurrency)
                         : transmission(model_, channel, bytes);
  }

  ChannelId channel() {
    const std::size_t at = at_;
    if (take("[")) {
      const std::size_t close = std::min(text_.find(']', at_), text_.size());
      const std::string_view name = text_.substr(at_, close - at_);
      at_ = close;
      expect("]");
      return numbered_channel(name, at);
    }
    const double given = is_number_next() ? number() : 0;
    const double most = channels_.empty() ? 255 : static_cast<double>(channels_.size() - 1);
    if (given > most || given != std::floor(given) || !model_.links.has_channel(static_cast<ChannelId>(given))) {
      throw wrong(fmt::format("the model has no channel {:g}", given), at);
    }
    return static_cast<ChannelId>(given);
  }

  [[nodiscard]] ChannelId numbered_channel(std::string_view name, std::size_t at) const {
    for (std::size_t i = 0; i < channels_.size(); ++i) {
      if (channels_[i] == name) {
        return static_cast<ChannelId>(i);
      }
    }
    throw wrong(fmt::format("no channel is called {}", name), at);
  }

  Bytes size() {
    skip_space();
    const std::size_t at = at_;
    at_ = std::min(text_.find_first_of(",)", at_), text_.size());
    std::string_view digits = text_.substr(at, at_ - at);
    digits = digits.substr(0, digits.find_last_not_of(' ') + 1);
    try {
      return parse_bytes(digits);
    } catch (const UsageError& error) {
      throw wrong(error.what(), at);
    }
  }

  std::string_view text_;
  const TauLop& model_;
  std::span<const std::string> channels_;
  std::size_t at_ = 0;
  int nested_ = 0;
};

}  // namespace

TauExpression parse_tau_expression(std::string_view text, const TauLop& model, std::span<const std::string> channels) {
  return TauParser(text, model, channels).parse();
}

}  // namespace postage
