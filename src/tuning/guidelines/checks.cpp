#include <postage/tuning/guidelines.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

namespace postage {
namespace {

/// Reductions are of doubles.
constexpr Bytes kElement = 8;

/// In the order in which they are checked for sizes and repeated messages.
constexpr Collective kSized[] = {Collective::kBcast,    Collective::kReduce,        Collective::kAllreduce,
                                 Collective::kGather,   Collective::kScatter,       Collective::kAllgather,
                                 Collective::kAlltoall, Collective::kReduceScatter, Collective::kScan,
                                 Collective::kExscan};

Bytes whole_elements(Bytes bytes) {
  return (bytes + kElement - 1) / kElement * kElement;
}

/// Bytes that `all` ranks together need at least, where each has the same: reduce_scatter's vector is cut into parts of
/// whole elements.
Bytes size_of(Collective collective, Bytes bytes, Rank ranks) {
  const Bytes unit = collective == Collective::kReduceScatter ? kElement * ranks : kElement;
  return (bytes + unit - 1) / unit * unit;
}

Bytes apply(SizeRule rule, Bytes bytes, Rank ranks) {
  switch (rule) {
    case SizeRule::kSame:
      return bytes;
    case SizeRule::kTimesRanks:
      return bytes * ranks;
    case SizeRule::kByRanks:
      return whole_elements((bytes + ranks - 1) / ranks);
  }
  return bytes;
}

std::string_view text_of(SizeRule rule) {
  switch (rule) {
    case SizeRule::kSame:
      return "n";
    case SizeRule::kTimesRanks:
      return "n P";
    case SizeRule::kByRanks:
      return "n/P";
  }
  return "";
}

std::string text_of(const Guideline& guideline) {
  std::string text;
  for (const GuidelineTerm& term : guideline.bound) {
    text += fmt::format("{}{}({})", text.empty() ? "" : " + ", name_of(term.collective), text_of(term.size));
  }
  return fmt::format("{}(n) <= {}", name_of(guideline.bounded), text);
}

/// A barrier sends no data, and is bounded by a call of one element.
std::optional<GuidelineCheck> check_at(const Guideline& guideline, Bytes bytes, Rank ranks, Bytes largest) {
  const bool is_barrier = guideline.bounded == Collective::kBarrier;
  const Bytes n = is_barrier ? kElement : size_of(guideline.bounded, bytes, ranks);
  GuidelineCheck check{.guideline = text_of(guideline),
                       .bounded = {guideline.bounded, is_barrier ? 0 : n},
                       .schedule = guideline.schedule};
  for (const GuidelineTerm& term : guideline.bound) {
    check.bound.push_back({term.collective, size_of(term.collective, apply(term.size, n, ranks), ranks)});
    if (check.bound.back().bytes > largest) {
      return std::nullopt;
    }
  }
  return n > largest ? std::nullopt : std::optional(std::move(check));
}

void add_between_collectives(Rank ranks, const std::vector<Bytes>& sizes, Bytes largest,
                             std::vector<GuidelineCheck>& checks) {
  for (const Guideline& guideline : guidelines()) {
    for (const Bytes bytes : sizes) {
      if (auto check = check_at(guideline, bytes, ranks, largest)) {
        checks.push_back(std::move(*check));
      }
      if (guideline.bounded == Collective::kBarrier) {
        break;
      }
    }
  }
}

/// What one collective's times at two sizes must satisfy.
void add_between_sizes(Collective collective, Bytes smaller, Bytes larger, std::vector<GuidelineCheck>& checks) {
  if (smaller == larger) {
    return;
  }
  const std::string_view name = name_of(collective);
  checks.push_back({.guideline = fmt::format("{}(n) <= {}(larger n)", name, name),
                    .bounded = {collective, smaller},
                    .bound = {{collective, larger}}});
  const Bytes parts = (larger + smaller - 1) / smaller;
  checks.push_back({.guideline = fmt::format("{}(k n) <= k {}(n)", name, name),
                    .bounded = {collective, larger},
                    .bound = {{collective, smaller}},
                    .times = static_cast<int>(parts)});
}

}  // namespace

std::vector<GuidelineCheck> guideline_checks(Rank ranks, const std::vector<Bytes>& sizes, Bytes largest) {
  std::vector<GuidelineCheck> checks;
  add_between_collectives(ranks, sizes, largest, checks);
  for (const Collective collective : kSized) {
    for (std::size_t i = 1; i < sizes.size() && sizes[i] <= largest; ++i) {
      add_between_sizes(collective, size_of(collective, sizes[i - 1], ranks), size_of(collective, sizes[i], ranks),
                        checks);
    }
  }
  return checks;
}

std::vector<CollectiveRun> calls_of(std::span<const GuidelineCheck> checks) {
  std::set<TimedCall> calls;
  for (const GuidelineCheck& check : checks) {
    calls.insert(check.bounded);
    calls.insert(check.bound.begin(), check.bound.end());
  }
  std::vector<CollectiveRun> runs;
  for (const TimedCall& call : calls) {
    runs.push_back({.collective = call.collective, .algorithm = std::string(kLibraryAlgorithm), .bytes = call.bytes});
  }
  return runs;
}

}  // namespace postage
