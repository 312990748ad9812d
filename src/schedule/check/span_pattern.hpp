#pragma once

#include "schedule/check/span_sums.hpp"

#include <postage/schedule/patterns/pairs.hpp>

#include <optional>

namespace postage {

/// A pattern whose blocks are a span, in one iteration.
struct SpanPattern {
  const Pairs& pairs;
  const BlockSpan& span;
  const BlockLayout& layout;
  Index iteration;

  /// Bytes of the spans of pairs whose sources and targets make two progressions.
  [[nodiscard]] Bytes bytes(const Progression& sources, const Progression& targets) const;
};

/// Bytes of all its pairs by a formula; nothing where there is none. For layouts that have a formula.
[[nodiscard]] std::optional<Bytes> formula_bytes(const SpanPattern& pattern);

}  // namespace postage
