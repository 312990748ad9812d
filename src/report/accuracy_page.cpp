#include "report/accuracy_tables.hpp"
#include "report/accuracy_text.hpp"

#include <postage/report/accuracy.hpp>

#include <fmt/format.h>

namespace postage {

std::string accuracy_page(const AccuracyReport& report, const std::string& random_section) {
  const std::string& best = report.best_model;
  AccuracyReport simulated = report;
  simulated.points = selected(report.points, [&](const AccuracyPoint& p) {
    return std::find(report.real.begin(), report.real.end(), p.platform) == report.real.end();
  });
  std::string text = fmt::format(
      "# How accurate is it?\n\n{}\n## Networks that nobody here designed\n\n{}\n## Known platforms\n\n"
      "Written by `{}`{}\n### All models, all simulated platforms\n\n{}\n",
      AccuracyText::kIntroduction, random_section, report.command, AccuracyText::kKnownPlatforms,
      by_model(simulated.points));
  text += "![Share of points by error](images/accuracy-errors.svg)\n\n";
  text += "## Platforms\n\n| name | what it is |\n|---|---|\n";
  for (const auto& [name, title] : report.platforms) {
    text += fmt::format("| {} | {} |\n", name, title);
  }
  for (const std::string& sentence : report.left_out) {
    text += fmt::format("\nLeft out: {}\n", sentence);
  }
  text += fmt::format("\n## `{}` by platform\n\n{}\n", best, by_platform(report, best));
  text += fmt::format(
      "![Predicted against measured](images/accuracy-scatter.svg)\n\n## `{}` by collective, simulated\n\n{}\n", best,
      by_collective(simulated, best));
  text += fmt::format("## Worst points of `{}`\n\n{}\n", best, worst_points(simulated, best, 20));
  text += AccuracyText::kExplanation;
  text += fmt::format(
      "\n## The noise floor\n\nThe difference between the shortest and the longest repetition of one point; on real "
      "platforms, the width of the 95 % interval of its median.\n\n{}\n",
      scatter_table(report));
  if (std::any_of(report.points.begin(), report.points.end(), [](const AccuracyPoint& p) { return p.noise; })) {
    text += AccuracyText::kRealNoise + real_noise_table(report) + "\n";
  }
  text += AccuracyText::kPublished;
  for (const auto& [name, title] : report.platforms) {
    const auto some = selected(report.points, [&](const AccuracyPoint& p) { return p.platform == name; });
    text += fmt::format("\n## All models on {}\n\n{}", name, by_model(some));
  }
  if (!report.library_points.empty()) {
    text += fmt::format("\n## SMPI's own collectives\n\n{}\n\n{}", AccuracyText::kLibrary, library_table(report));
  }
  return text;
}

}  // namespace postage
