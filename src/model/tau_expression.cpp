#include <postage/model/tau_expression.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace postage {
namespace {

using Kind = TauExpression::Kind;

}  // namespace

TauExpression TauExpression::overhead(ChannelId channel, Bytes bytes) {
  TauExpression expression(Kind::kOverhead, 1, {});
  expression.channel_ = channel;
  expression.bytes_ = bytes;
  return expression;
}

TauExpression TauExpression::transfer(ChannelId channel, Bytes bytes, double concurrency) {
  TauExpression expression(Kind::kTransfer, concurrency, {});
  expression.channel_ = channel;
  expression.bytes_ = bytes;
  return expression;
}

TauExpression operator+(const TauExpression& first, const TauExpression& second) {
  std::vector<TauExpression> parts;
  for (const TauExpression* side : {&first, &second}) {
    if (side->kind_ == Kind::kSum) {
      parts.insert(parts.end(), side->parts_.begin(), side->parts_.end());
    } else {
      parts.push_back(*side);
    }
  }
  return {Kind::kSum, 1, std::move(parts)};
}

TauExpression operator*(std::int64_t times, const TauExpression& expression) {
  return {Kind::kTimes, static_cast<double>(times), {expression}};
}

TauExpression TauExpression::concurrent(double n, TauExpression expression) {
  return {Kind::kConcurrent, n, {std::move(expression)}};
}

TauExpression TauExpression::overlap(std::vector<TauExpression> expressions) {
  return {Kind::kOverlap, 1, std::move(expressions)};
}

TauExpression TauExpression::maximum(std::vector<TauExpression> expressions) {
  return {Kind::kMaximum, 1, std::move(expressions)};
}

double TauExpression::largest_concurrency(ChannelId channel) const {
  if (kind_ == Kind::kTransfer) {
    return channel == channel_ ? number_ : 0;
  }
  double largest = 0;
  for (const TauExpression& part : parts_) {
    largest = std::max(largest, part.largest_concurrency(channel));
  }
  return largest;
}

template <typename Change>
TauExpression TauExpression::with_concurrency(const Change& change) const {
  TauExpression changed = *this;
  if (kind_ == Kind::kTransfer) {
    changed.number_ = change(channel_, number_);
  }
  for (TauExpression& part : changed.parts_) {
    part = part.with_concurrency(change);
  }
  return changed;
}

/// The parts, simplified, as terms with a factor each; like terms together, in the order of the first.
TauExpression TauExpression::simplified_sum() const {
  std::vector<TauExpression> terms;
  const auto add = [&](double factor, const TauExpression& term) {
    const auto found = std::find_if(terms.begin(), terms.end(),
                                    [&](const TauExpression& known) { return known.parts_.front() == term; });
    if (found != terms.end()) {
      found->number_ += factor;
    } else if (factor > 0) {
      terms.push_back({Kind::kTimes, factor, {term}});
    }
  };
  const double times = kind_ == Kind::kTimes ? number_ : 1;
  for (const TauExpression& part : parts_) {
    const TauExpression simple = part.simplified();
    const std::vector<TauExpression> own = simple.kind_ == Kind::kSum ? simple.parts_ : std::vector{simple};
    for (const TauExpression& term : own) {
      const bool is_multiple = term.kind_ == Kind::kTimes;
      add(is_multiple ? times * term.number_ : times, is_multiple ? term.parts_.front() : term);
    }
  }
  for (TauExpression& term : terms) {
    if (term.number_ == 1) {
      term = TauExpression(term.parts_.front());
    }
  }
  return terms.size() == 1 ? terms.front() : TauExpression(Kind::kSum, 1, std::move(terms));
}

TauExpression TauExpression::simplified_maximum() const {
  std::vector<TauExpression> choices;
  for (const TauExpression& part : parts_) {
    const TauExpression simple = part.simplified();
    const std::vector<TauExpression> own = simple.kind_ == Kind::kMaximum ? simple.parts_ : std::vector{simple};
    for (const TauExpression& choice : own) {
      if (std::find(choices.begin(), choices.end(), choice) == choices.end()) {
        choices.push_back(choice);
      }
    }
  }
  return choices.size() == 1 ? choices.front() : maximum(std::move(choices));
}

TauExpression TauExpression::simplified() const {
  switch (kind_) {
    case Kind::kOverhead:
    case Kind::kTransfer:
      return *this;
    case Kind::kTimes:
    case Kind::kSum:
      return simplified_sum();
    case Kind::kConcurrent:
      return parts_.front().simplified().with_concurrency([&](ChannelId, double tau) { return number_ * tau; });
    case Kind::kMaximum:
      return simplified_maximum();
    case Kind::kOverlap:
      break;
  }
  std::vector<TauExpression> simple;
  for (const TauExpression& part : parts_) {
    simple.push_back(part.simplified());
  }
  std::vector<TauExpression> contending;
  for (const TauExpression& one : simple) {
    contending.push_back(one.with_concurrency([&](ChannelId channel, double tau) {
      for (const TauExpression& other : simple) {
        tau += &other == &one ? 0 : other.largest_concurrency(channel);
      }
      return tau;
    }));
  }
  return maximum(std::move(contending)).simplified_maximum();
}

Seconds TauExpression::evaluate(const TauLop& model) const {
  return simplified().value(model);
}

Seconds TauExpression::value(const TauLop& model) const {
  if (kind_ == Kind::kOverhead || kind_ == Kind::kTransfer) {
    const TauLopLink& link = model.links.at({.channel = channel_, .bytes = bytes_});
    const auto size = static_cast<double>(bytes_);
    return kind_ == Kind::kOverhead ? link.overhead.at(size) : link.transfer.at(size, number_);
  }
  Seconds sum = 0;
  Seconds largest = 0;
  for (const TauExpression& part : parts_) {
    const Seconds seconds = part.value(model);
    sum += seconds;
    largest = std::max(largest, seconds);
  }
  return kind_ == Kind::kMaximum ? largest : number_ * sum;
}

std::string TauExpression::text() const {
  const auto join = [&](const char* separator, bool in_brackets) {
    std::string joined;
    for (const TauExpression& part : parts_) {
      const bool is_compound =
          part.kind_ == Kind::kSum || part.kind_ == Kind::kConcurrent || part.kind_ == Kind::kOverlap;
      joined += joined.empty() ? "" : separator;
      joined += in_brackets && is_compound ? fmt::format("({})", part.text()) : part.text();
    }
    return joined;
  };
  switch (kind_) {
    case Kind::kOverhead:
      return fmt::format("o{}({})", channel_, format_bytes(bytes_));
    case Kind::kTransfer:
      return fmt::format("L{}({},{})", channel_, format_bytes(bytes_), number_);
    case Kind::kTimes:
      return fmt::format("{} {}", number_, join("", true));
    case Kind::kSum:
      return parts_.empty() ? "0" : join(" + ", true);
    case Kind::kConcurrent:
      return fmt::format("{} || {}", number_, join("", true));
    case Kind::kOverlap:
      return join(" || ", true);
    case Kind::kMaximum:
      break;
  }
  return fmt::format("max{{{}}}", join(", ", false));
}

TauExpression transmission(const TauLop& model, ChannelId channel, Bytes bytes) {
  const TauLopLink& link = model.links.at({.channel = channel, .bytes = bytes});
  const TauExpression overhead = TauExpression::overhead(channel, bytes);
  if (link.end_transfers > 0) {
    const auto at_end =
        static_cast<std::int64_t>(link.end_transfers) * TauExpression::transfer(link.end_channel, bytes);
    const auto between = static_cast<std::int64_t>(link.transfers) * TauExpression::transfer(channel, bytes);
    return overhead + at_end + between + at_end;
  }
  if (link.segment > 0 && bytes > link.segment) {
    const Bytes more = (bytes - 1) / link.segment;
    return overhead + TauExpression::transfer(channel, link.segment) +
           more * TauExpression::transfer(channel, link.segment, 2) +
           TauExpression::transfer(channel, bytes - more * link.segment);
  }
  return overhead + static_cast<std::int64_t>(link.transfers) * TauExpression::transfer(channel, bytes);
}

}  // namespace postage
