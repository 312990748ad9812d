#include "report/page/page_data.hpp"

#include <postage/base/library_name.hpp>
#include <postage/predict/model_choice.hpp>
#include <postage/report/network_view.hpp>
#include <postage/report/rule_text.hpp>
#include <postage/report/summary.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace postage {
namespace {

constexpr std::size_t kMostRules = 3;

std::string counted_of(std::size_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

/// "7.1 %", "0.0031 %", "120 %".
std::string percent_text(double share) {
  const double percent = 100 * share;
  return percent >= 99.5 ? fmt::format("{:.0f} %", percent) : fmt::format("{:.2g} %", percent);
}

/// "104 ns between cores that share a cache; 1.6 us between sockets of one host": the nearest level is the value.
template <typename Value>
SummaryLine level_line(const char* label, const std::vector<LevelTime>& levels, const Value& value) {
  SummaryLine line{label, "", ""};
  for (const LevelTime& level : levels) {
    const std::string found = value(level);
    if (found.empty()) {
      continue;
    }
    const bool is_first = line.value.empty();
    line.text += is_first ? "between " + level.between : fmt::format("; {} between {}", found, level.between);
    line.value = is_first ? found : line.value;
  }
  return line;
}

SummaryLine machine_line(const Platform& platform) {
  std::size_t cores = 0;
  for (const Node& node : platform.nodes) {
    cores += node.topology.cores.size();
  }
  const bool is_one = platform.nodes.size() == 1;
  return {platform.is_virtual ? "Simulated" : "Machine",
          is_one ? counted_of(cores, "core") : counted_of(platform.nodes.size(), "host"),
          fmt::format("{}, measured on {} with {}", platform.name, counted_of(platform.ranks.size(), "rank"),
                      library_name(platform.implementation))};
}

/// Half the interval of what was measured, in the median: what a prediction cannot be better than. Not finite where
/// most were repeated too few times for an interval.
double noise_floor(const HeldOut& held_out) {
  std::vector<double> widths;
  for (const HeldOutCollective& one : held_out.collectives) {
    widths.push_back((one.measured.upper - one.measured.lower) / 2 / one.measured.value);
  }
  return median(widths);
}

SummaryLine trust_line(const Platform& platform) {
  const std::optional<UsedModel> used = used_model(platform);
  const HeldOutPredictions* const predictions =
      used ? find_predictions(platform.held_out, used->model.name(), kUsualEvaluator) : nullptr;
  std::vector<double> errors;
  for (std::size_t i = 0; predictions != nullptr && i < platform.held_out.collectives.size(); ++i) {
    const HeldOutCollective& one = platform.held_out.collectives[i];
    if (!one.chooses) {
      errors.push_back(std::abs(predictions->seconds[i] / one.measured.value - 1));
    }
  }
  if (errors.empty()) {
    return {"Trust", "unknown", "no collectives were measured that predictions can be compared with"};
  }
  const double noise = noise_floor(platform.held_out);
  return {"Trust", percent_text(median(errors)),
          fmt::format("median error of predicted collectives, at most {} for 19 of 20{}",
                      percent_text(quantile(errors, 0.95)),
                      std::isfinite(noise) ? "; repeated measurements differ by " + percent_text(noise) : "")};
}

/// Where another algorithm than the library's own choice was surely faster: the rules that save the most.
SummaryLine rules_line(const DecisionTable& table) {
  std::vector<DecisionRule> rules(table.rules().begin(), table.rules().end());
  std::stable_sort(rules.begin(), rules.end(),
                   [](const DecisionRule& a, const DecisionRule& b) { return a.gain.share > b.gain.share; });
  const std::string library = fmt::format("{} {}", name_of(table.target()), format_version(table.version()));
  if (rules.empty()) {
    return {"Algorithms", "default", fmt::format("{}'s own choices: no other was surely faster", library)};
  }
  std::string text;
  for (std::size_t i = 0; i < std::min(rules.size(), kMostRules); ++i) {
    const DecisionRule& rule = rules[i];
    text += fmt::format("{} of {}: {} saves {}; ", name_of(rule.collective), span_text(rule.bytes, format_bytes),
                        choice_text(rule.choice), percent_text(rule.gain.share));
  }
  const std::size_t more = rules.size() - std::min(rules.size(), kMostRules);
  return {"Algorithms", counted_of(rules.size(), "rule"),
          fmt::format("{}{}elsewhere {}'s own choice", text, more > 0 ? fmt::format("{} more; ", more) : "", library)};
}

/// By prediction, of the smallest and the largest messages.
SummaryLine predicted_line(const Platform& platform) {
  const std::optional<UsedModel> used = used_model(platform);
  std::string text;
  for (const Collective collective : {Collective::kBcast, Collective::kAllreduce, Collective::kAlltoall}) {
    const Json row = best_at_ends(collective, platform, used);
    if (!row.is_null() && !row["cells"][0].is_null() && !row["cells"][1].is_null()) {
      text += fmt::format("{}{} {} (small), {} (large)", text.empty() ? "" : "; ", name_of(collective),
                          row["cells"][0]["algorithm"].text(), row["cells"][1]["algorithm"].text());
    }
  }
  return {"Algorithms", text.empty() ? "unknown" : "predicted", text};
}

SummaryLine preload_line(const PreloadGains& gains) {
  std::vector<double> ratios;
  for (const PreloadGain& cell : gains.cells) {
    ratios.push_back(cell.speedup);
  }
  if (ratios.empty()) {
    return {"Preload", "unknown", "no collective was timed"};
  }
  return {
      "Preload", fmt::format("{:.2f}x", median(ratios)),
      fmt::format("{}'s time over the preload library's, median of {} collectives and sizes; beyond their intervals "
                  "{} are faster by more than 2 %, {} slower",
                  gains.library, ratios.size(), std::ranges::count_if(gains.cells, &PreloadGain::is_faster),
                  std::ranges::count_if(gains.cells, &PreloadGain::is_slower))};
}

/// A further platform on one line.
SummaryLine further_line(const Platform& platform) {
  const std::vector<SummaryLine> lines = platform_summary(platform);
  std::string text = lines.front().value;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    text += fmt::format(", {} {}",
                        lines[i].label == "Trust"     ? "prediction error"
                        : lines[i].label == "Latency" ? "latency"
                                                      : "bandwidth",
                        lines[i].value);
  }
  return {platform.is_virtual ? "Simulated" : "Machine", platform.name, text};
}

}  // namespace

std::vector<SummaryLine> platform_summary(const Platform& platform) {
  const std::vector<LevelTime> levels = network_view(platform).levels;
  std::vector<SummaryLine> lines{machine_line(platform)};
  lines.push_back(
      level_line("Latency", levels, [](const LevelTime& level) { return format_seconds(level.latency.value); }));
  lines.push_back(level_line("Bandwidth", levels, [](const LevelTime& level) {
    return level.rate ? format_rate(level.rate->value) : std::string();
  }));
  lines.push_back(trust_line(platform));
  std::erase_if(lines, [](const SummaryLine& line) { return line.value.empty(); });
  return lines;
}

std::vector<SummaryLine> report_summary(const ReportInput& input) {
  std::vector<SummaryLine> lines;
  if (input.platforms.empty()) {
    return lines;
  }
  const Platform& first = input.platforms.front();
  lines = platform_summary(first);
  const auto tuned = std::find_if(input.decisions.begin(), input.decisions.end(),
                                  [&](const DecisionTable& table) { return table.platform == first.name; });
  lines.push_back(tuned == input.decisions.end() ? predicted_line(first) : rules_line(*tuned));
  for (const PreloadGains& gains : input.gains) {
    lines.push_back(preload_line(gains));
  }
  for (std::size_t i = 1; i < input.platforms.size(); ++i) {
    lines.push_back(further_line(input.platforms[i]));
  }
  constexpr std::size_t kMostLines = 10;
  lines.resize(std::min(lines.size(), kMostLines));
  return lines;
}

std::string render(const std::vector<SummaryLine>& lines, std::size_t width) {
  std::size_t label = 0;
  std::size_t value = 0;
  for (const SummaryLine& line : lines) {
    label = std::max(label, line.label.size());
    value = std::max(value, line.value.size());
  }
  const std::size_t indent = label + value + 4;
  std::string text;
  for (const SummaryLine& line : lines) {
    std::string row = fmt::format("{:<{}}  {:<{}} ", line.label, label, line.value, value);
    std::size_t at = row.size();
    for (std::size_t first = 0; first < line.text.size();) {
      const std::size_t end = std::min(line.text.find(' ', first), line.text.size());
      if (at + 1 + end - first > width && at > indent) {
        row += fmt::format("\n{:{}}", "", indent - 1);
        at = indent - 1;
      }
      row.append(1, ' ').append(line.text, first, end - first);
      at += 1 + end - first;
      first = end + 1;
    }
    text.append(row).append(1, '\n');
  }
  return text;
}

}  // namespace postage
