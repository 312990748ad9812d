#pragma once

#include <postage/base/json.hpp>
#include <postage/predict/prediction.hpp>

#include <string>
#include <vector>

namespace postage {

/// Where the time goes: a part of a predicted time, and the parts that it consists of. The children's seconds add up
/// to the parent's.
struct Explanation {
  std::string label;
  Seconds seconds = 0;
  std::vector<Explanation> parts{};
};

/// Follows the critical path back from the last rank to finish: collective -> round -> message -> sender, wire,
/// receiver, or waiting for a gap. O(messages) time and memory; throws Error above 20 million messages.
[[nodiscard]] Explanation explain(const Schedule& schedule, const ChannelMap& channels, const Model& model,
                                  std::span<const std::string> channel_names);

/// Where the time of `sum_rounds` goes: collective -> stage -> rounds of a kind -> the slowest message alone, what
/// sharing its channel adds, what further messages of its ranks add; and what further segments add. O(sum_rounds).
[[nodiscard]] Explanation explain_rounds(const Schedule& schedule, const ChannelMap& channels, const Model& model,
                                         std::span<const std::string> channel_names);

/// The same tree with four and more neighbouring rounds of equal time and kind as one part: "7 rounds alike, each 2.02
/// us: ring".
[[nodiscard]] Explanation with_alike_rounds_once(const Explanation& explanation);

/// An indented tree with times and shares of the whole; runs of more than `most_parts` siblings are cut in the middle,
/// and the cut says how much it leaves out.
[[nodiscard]] std::string render(const Explanation& explanation, std::size_t most_parts = 16);

[[nodiscard]] Json to_json(const Explanation& explanation);

}  // namespace postage
