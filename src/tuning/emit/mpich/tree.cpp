#include "tuning/emit/mpich/tree.hpp"

#include "tuning/lint/mpich/json_c.hpp"

#include <postage/base/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <climits>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

namespace postage {
namespace {

/// The last byte of KEY<=BYTES or KEY<BYTES; none of any other condition.
std::optional<Bytes> last_of(const std::string& condition, const std::string& key) {
  if (!condition.starts_with(key + "<")) {
    return std::nullopt;
  }
  const std::string bound = condition.substr(key.size() + 1);
  if (bound.front() == '=') {
    return std::stoll(bound.substr(1));
  }
  return bound == "pow2" ? std::nullopt : std::optional<Bytes>(std::stoll(bound) - 1);
}

void render_into(std::string& text, const MpichNode& node, std::size_t depth) {
  if (node.members.empty()) {
    text += "{}";
    return;
  }
  const bool is_leaf = node.members.size() == 1 && node.members.front().second.members.empty();
  const std::string indent(is_leaf ? 0 : 2 * (depth + 1), ' ');
  const char* const newline = is_leaf ? "" : "\n";
  text += "{";
  for (std::size_t i = 0; i < node.members.size(); ++i) {
    text += fmt::format("{}{}\"{}\": ", i == 0 ? newline : ",\n", indent, node.members[i].first);
    render_into(text, node.members[i].second, depth + 1);
  }
  text += fmt::format("{}{:{}}}}", newline, "", is_leaf ? 0 : 2 * depth);
}

/// Whether a condition of KEY holds for all of these values or for none; nothing if for some, and of other keys.
std::optional<bool> known_within(const std::string& condition, const std::string& key, const Span<Bytes>& values) {
  if (condition == key + "=any") {
    return true;
  }
  if (condition == key + "=pow2" && values.first == values.last) {
    return std::has_single_bit(static_cast<std::uint64_t>(values.first));
  }
  const std::optional<Bytes> last = last_of(condition, key);
  if (!last || (values.first <= *last && *last < values.last)) {
    return std::nullopt;
  }
  return *last >= values.last;
}

/// A chain whose last condition takes in whatever the others leave.
bool is_the_same_for_all(const MpichNode& chain) {
  const auto& members = chain.members;
  return members.size() > 1 && (members.back().first.ends_with("=any") || members.back().first.ends_with("=no")) &&
         std::ranges::all_of(members, [&](const auto& member) { return member.second == members.front().second; });
}

/// Each question of a size takes MPICH some 12 ns: the more of its time, the shorter the message. A message of this
/// size takes about twice what the shortest one does.
constexpr double kTwiceTheTime = 4096;

double weight_of(std::span<const MpichRange> ranges, std::size_t range) {
  const Bytes first = range == 0 ? 0 : ranges[range - 1].last;
  return 1 / (static_cast<double>(first) + kTwiceTheTime);
}

/// One after the other of so many ranges: MPICH's reader takes 32 levels, and rules stand above and below these.
constexpr int kMostQuestions = 7;

int fewest_questions(std::size_t ranges) {
  return static_cast<int>(std::bit_width(ranges - 1));
}

/// How many of the ranges stand on the first side of a question, so that both sides weigh about the same and neither
/// has more than `most`, at least half of them.
std::size_t first_side(std::span<const MpichRange> ranges, std::size_t most) {
  double all = 0;
  for (std::size_t range = 0; range < ranges.size(); ++range) {
    all += weight_of(ranges, range);
  }
  std::size_t below = 1;
  double sum = weight_of(ranges, 0);
  while (below + 1 < ranges.size() && sum + weight_of(ranges, below) / 2 < all / 2) {
    sum += weight_of(ranges, below++);
  }
  return std::clamp(below, ranges.size() - std::min(most, ranges.size() - 1), most);
}

/// At most so many questions for any range, or the fewest that are enough. O(n^2).
MpichNode asked(const std::string& key, std::span<const MpichRange> ranges, int questions) {
  if (ranges.size() == 1) {
    return ranges.front().node;
  }
  const int left = std::max(questions, fewest_questions(ranges.size())) - 1;
  const std::size_t below = first_side(ranges, std::size_t{1} << left);
  return mpich_chain({{fmt::format("{}<={}", key, ranges[below - 1].last), asked(key, ranges.first(below), left)},
                      {key + "=any", asked(key, ranges.subspan(below), left)}});
}

}  // namespace

MpichNode mpich_leaf(std::string_view name, const std::vector<std::string>& parameters) {
  MpichNode below;
  for (const std::string& parameter : parameters) {
    below.members.emplace_back(parameter, MpichNode{});
  }
  MpichNode leaf;
  leaf.members.emplace_back("algorithm=MPIR_" + std::string(name), std::move(below));
  return leaf;
}

MpichNode mpich_chain(std::vector<std::pair<std::string, MpichNode>> members) {
  return {std::move(members)};
}

MpichNode mpich_ranges(const std::string& key, const std::vector<MpichRange>& ranges) {
  std::vector<MpichRange> differing;
  for (const MpichRange& range : ranges) {
    if (!differing.empty() && differing.back().node == range.node) {
      differing.back().last = range.last;
    } else if (differing.empty() || differing.back().last <= INT_MAX) {
      differing.push_back(range);
    }
  }
  return asked(key, differing, kMostQuestions);
}

MpichNode mpich_within(const MpichNode& node, const std::string& key, const Span<Bytes>& values) {
  MpichNode kept;
  for (const auto& [condition, below] : node.members) {
    const auto holds = known_within(condition, key, values);
    if (holds == false) {
      continue;
    }
    if (holds && kept.members.empty()) {
      return mpich_within(below, key, values);
    }
    kept.members.emplace_back(holds ? key + "=any" : condition, mpich_within(below, key, values));
    if (holds) {
      break;
    }
  }
  return is_the_same_for_all(kept) ? kept.members.front().second : kept;
}

MpichNode mpich_given(const MpichNode& node, const std::string& condition, bool holds) {
  MpichNode kept;
  bool is_known = false;
  for (const auto& [own, below] : node.members) {
    if (own != condition) {
      kept.members.emplace_back(own, mpich_given(below, condition, holds));
    } else if (holds) {
      return mpich_given(below, condition, holds);
    } else {
      is_known = true;
    }
  }
  return is_known && kept.members.size() == 1 ? kept.members.front().second : kept;
}

int mpich_levels(const MpichNode& node) {
  int below = 0;
  for (const auto& [condition, one] : node.members) {
    below = std::max(below, mpich_levels(one));
  }
  return 1 + below;
}

std::string render(const MpichNode& root) {
  if (const int levels = mpich_levels(root); levels > kDeepestForJsonC) {
    throw Error(
        fmt::format("the rules make a tree of {} levels, and MPICH reads {}: fewer rules, of fewer numbers of "
                    "ranks, make fewer",
                    levels, kDeepestForJsonC));
  }
  std::string text;
  render_into(text, root, 0);
  return text + "\n";
}

}  // namespace postage
