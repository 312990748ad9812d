#pragma once

#include <postage/tuning/decision_table.hpp>

#include <limits>
#include <string>

namespace postage {

/// "16", "16 to 64", "64 on".
template <typename Number, typename Format>
[[nodiscard]] std::string span_text(const Span<Number>& span, const Format& format) {
  if (span.first == span.last) {
    return format(span.first);
  }
  return span.last == std::numeric_limits<Number>::max() ? format(span.first) + " on"
                                                         : format(span.first) + " to " + format(span.last);
}

/// "knomial radix 4 in 8K"; empty where the default stays.
[[nodiscard]] std::string choice_text(const DecisionChoice& choice);

}  // namespace postage
