#include <postage/base/units.hpp>
#include <postage/predict/explanation.hpp>

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace postage {
namespace {

/// Fewer are told one by one: their messages say whose they are.
constexpr std::size_t kFewestAlike = 4;

/// What rounds have in common: "4K over inter-node" of "round 3: 4K over inter-node", "ring" of "ring, round 3". Empty
/// where the label is of no round.
std::string without_round(const std::string& label) {
  if (const std::size_t colon = label.find(": "); label.starts_with("round ") && colon != std::string::npos) {
    return label.substr(colon + 2);
  }
  const std::size_t comma = label.rfind(", round ");
  return comma == std::string::npos ? "" : label.substr(0, comma);
}

bool are_alike(const Explanation& a, const Explanation& b) {
  const std::string common = without_round(a.label);
  return !common.empty() && common == without_round(b.label) &&
         std::abs(a.seconds - b.seconds) <= 1e-6 * std::abs(a.seconds);
}

Explanation times_as_long(Explanation explanation, double factor) {
  explanation.seconds *= factor;
  for (Explanation& part : explanation.parts) {
    part = times_as_long(std::move(part), factor);
  }
  return explanation;
}

/// The parts of their messages, which differ only by who sends them.
Explanation repeated(const Explanation& round, std::size_t count) {
  const bool is_one_message = round.parts.size() == 1 && !round.parts.front().parts.empty();
  Explanation all = times_as_long(is_one_message ? round.parts.front() : round, static_cast<double>(count));
  all.label =
      fmt::format("{} rounds alike, each {}: {}", count, format_seconds(round.seconds), without_round(round.label));
  return all;
}

}  // namespace

Explanation with_alike_rounds_once(const Explanation& explanation) {
  Explanation folded{explanation.label, explanation.seconds};
  const std::vector<Explanation>& parts = explanation.parts;
  for (std::size_t first = 0; first < parts.size();) {
    std::size_t end = first + 1;
    while (end < parts.size() && are_alike(parts[first], parts[end])) {
      ++end;
    }
    end = end - first < kFewestAlike ? first + 1 : end;
    folded.parts.push_back(
        with_alike_rounds_once(end - first > 1 ? repeated(parts[first], end - first) : parts[first]));
    first = end;
  }
  return folded;
}

}  // namespace postage
