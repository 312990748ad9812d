#include <postage/base/statistics.hpp>
#include <postage/base/units.hpp>
#include <postage/report/accuracy.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace postage {
namespace {

std::string percent(double share) {
  return fmt::format("{:.2f} %", 100 * share);
}

template <typename Select>
std::vector<AccuracyPoint> selected(std::span<const AccuracyPoint> points, const Select& select) {
  std::vector<AccuracyPoint> some;
  std::copy_if(points.begin(), points.end(), std::back_inserter(some), select);
  return some;
}

constexpr const char* kAccuracyHead =
    "points | median | 95 % | worst | within 10 % | bias | choices | regret: median | 95 % | worst | best picked |\n";
constexpr const char* kAccuracyRule = "---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n";

std::string row_of(const std::string& first, const Accuracy& a) {
  return fmt::format("| {} | {} | {} | {} | {} | {} | {:+.2f} % | {} | {} | {} | {} | {:.1f} % |\n", first,
                     a.errors.count, percent(a.errors.median), percent(a.errors.percentile95),
                     percent(a.errors.maximum), percent(a.errors.within_tenth), 100 * a.errors.bias, a.choices,
                     percent(a.median_regret), percent(a.percentile95_regret), percent(a.maximum_regret),
                     100 * a.picked_best);
}

std::string by_model(std::span<const AccuracyPoint> points) {
  std::string text = fmt::format("| model | {}|---|{}", kAccuracyHead, kAccuracyRule);
  for (const std::string& model : models_of(points)) {
    text += row_of(fmt::format("`{}`", model), accuracy_of(points, model));
  }
  return text;
}

std::string by_platform(const AccuracyReport& report, const std::string& model) {
  std::string text = fmt::format("| platform | {}|---|{}", kAccuracyHead, kAccuracyRule);
  for (const auto& [name, title] : report.platforms) {
    const auto some = selected(report.points, [&](const AccuracyPoint& p) { return p.platform == name; });
    if (!some.empty()) {
      text += row_of(name, accuracy_of(some, model));
    }
  }
  return text;
}

std::string by_collective(const AccuracyReport& report, const std::string& model) {
  std::string text = fmt::format("| collective | {}|---|{}", kAccuracyHead, kAccuracyRule);
  std::vector<std::string> names;
  for (const AccuracyPoint& point : report.points) {
    if (std::find(names.begin(), names.end(), point.collective) == names.end()) {
      names.push_back(point.collective);
    }
  }
  for (const std::string& name : names) {
    const auto some = selected(report.points, [&](const AccuracyPoint& p) { return p.collective == name; });
    text += row_of(name, accuracy_of(some, model));
  }
  return text;
}

std::string worst_points(const AccuracyReport& report, const std::string& model, std::size_t count) {
  std::vector<const AccuracyPoint*> list;
  for (const AccuracyPoint& point : report.points) {
    if (point.predicted.count(model) > 0) {
      list.push_back(&point);
    }
  }
  const std::size_t shown = std::min(count, list.size());
  std::partial_sort(
      list.begin(), list.begin() + static_cast<std::ptrdiff_t>(shown), list.end(),
      [&](const auto* a, const auto* b) { return std::abs(a->error(model)) > std::abs(b->error(model)); });
  std::string text =
      "| platform | ranks on nodes | collective | P | size | segment | measured | predicted | error |\n"
      "|---|---|---|---:|---:|---:|---:|---:|---:|\n";
  for (std::size_t i = 0; i < shown; ++i) {
    const AccuracyPoint& p = *list[i];
    text +=
        fmt::format("| {} | {} | {} {} | {} | {} | {} | {} | {} | {:+.1f} % |\n", p.platform, p.placement, p.collective,
                    p.algorithm, p.ranks, format_bytes(p.bytes), p.segment > 0 ? format_bytes(p.segment) : "-",
                    format_seconds(p.measured), format_seconds(p.predicted.at(model)), 100 * p.error(model));
  }
  return text;
}

std::string library_table(const AccuracyReport& report) {
  struct Row {
    std::string name;
    std::vector<double> ours;
    std::vector<double> model;
  };
  std::vector<Row> rows;
  for (const LibraryPoint& point : report.library_points) {
    const std::string name =
        fmt::format("{} {} | {}", point.ours.collective, point.ours.algorithm, point.library_algorithm);
    auto row = std::find_if(rows.begin(), rows.end(), [&](const Row& r) { return r.name == name; });
    if (row == rows.end()) {
      row = rows.insert(rows.end(), {name, {}, {}});
    }
    row->ours.push_back(std::abs(point.ours.measured / point.library - 1));
    row->model.push_back(std::abs(point.ours.predicted.at(report.best_model) / point.library - 1));
  }
  std::string text = fmt::format(
      "| ours | SMPI's | points | ours from SMPI's: median | worst | {} from SMPI's: median | worst |\n"
      "|---|---|---:|---:|---:|---:|---:|\n",
      report.best_model);
  for (const Row& row : rows) {
    text += fmt::format("| {} | {} | {} | {} | {} | {} |\n", row.name, row.ours.size(), percent(median(row.ours)),
                        percent(quantile(row.ours, 1)), percent(median(row.model)), percent(quantile(row.model, 1)));
  }
  return text;
}

/// How far repetitions of one point lie apart, by platform.
std::string scatter_table(const AccuracyReport& report) {
  std::string text =
      "| platform | points | that differ by more than 1 % | median of these | 95 % | worst |\n"
      "|---|---:|---:|---:|---:|---:|\n";
  for (const auto& [name, title] : report.platforms) {
    std::size_t count = 0;
    std::vector<double> wide;
    for (const AccuracyPoint& point : report.points) {
      count += point.platform == name ? 1 : 0;
      if (point.platform == name && point.scatter > 0.01) {
        wide.push_back(point.scatter);
      }
    }
    text += wide.empty()
                ? fmt::format("| {} | {} | 0 | - | - | - |\n", name, count)
                : fmt::format("| {} | {} | {} | {} | {} | {} |\n", name, count, wide.size(), percent(median(wide)),
                              percent(quantile(wide, 0.95)), percent(quantile(wide, 1)));
  }
  return text;
}

/// What predictions of real platforms cannot go under, and how near they come.
std::string real_noise_table(const AccuracyReport& report) {
  std::string text = fmt::format(
      "| platform | points | width of the interval: median | 95 % | measured again: median error | 95 % | within 10 % "
      "| "
      "`{0}`: median error | within 10 % | in the interval |\n"
      "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
      report.best_model);
  for (const auto& [name, title] : report.platforms) {
    std::vector<double> widths;
    std::vector<double> again;
    std::vector<double> errors;
    double inside = 0;
    for (const AccuracyPoint& point : report.points) {
      if (point.platform == name && point.noise && point.predicted.count(report.best_model) > 0) {
        widths.push_back((point.noise->interval.upper - point.noise->interval.lower) / point.measured);
        again.push_back(point.noise->repeated);
        errors.push_back(point.error(report.best_model));
        inside += point.noise->interval.contains(point.predicted.at(report.best_model)) ? 1 : 0;
      }
    }
    if (!errors.empty()) {
      const ErrorStatistics repeated = error_statistics(again);
      const ErrorStatistics model = error_statistics(errors);
      text += fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", name, errors.size(),
                          percent(median(widths)), percent(quantile(widths, 0.95)), percent(repeated.median),
                          percent(repeated.percentile95), percent(repeated.within_tenth), percent(model.median),
                          percent(model.within_tenth), percent(inside / static_cast<double>(errors.size())));
    }
  }
  return text;
}

constexpr const char* kIntroduction =
    "; do not edit. Parameters come from messages between two\n"
    "ranks and from groups of them that share a link, measured on each platform (`postage measure`); every point "
    "below\n"
    "is a collective, and no parameter was fitted to any. Errors are relative to the measured time. *Regret* is what "
    "it\n"
    "costs to run the algorithm that a model predicts to be the fastest: its time over that of the fastest, less 1,\n"
    "wherever several algorithms or segment sizes were run for the same collective, P and size.\n";

constexpr const char* kRealNoise =
    "Real platforms are measured in passes, each of which visits every message and every collective once. Passes in "
    "which\n"
    "a message of 1 KiB or one of 16 KiB took more than a tenth longer, or less long, than in most are left out for "
    "both,\n"
    "as long as a quarter of the passes is left: the host had moved this machine's processors, or slowed them. So are\n"
    "visits in the other passes after which processors took more than a tenth longer, or less long, for some fixed "
    "work\n"
    "than after most, as long as a quarter of an experiment's visits is left: another guest used the other thread of a "
    "core. "
    "*Measured again*: how far the median of every other pass is from that "
    "of\n"
    "the passes between, which is what a prediction would miss by that knew the collective's own time. No model can "
    "be\n"
    "expected to go under it.\n\n";

constexpr const char* kPublished =
    "## Published figures\n\n"
    "| source | what | printed |\n|---|---|---|\n"
    "| Tu et al. 2009, 2log_{2,3}P | linear broadcast, 64 ranks, 3 sizes x 3 strides | mean 1.59 %, worst 3.61 % |\n"
    "| the same | binomial broadcast | mean 2.03 %, worst 4.36 % |\n"
    "| Ali et al. 2010, extended PLogP | 425 collectives on Cell blades | 94 % within 10 %, all within 15 % |\n"
    "| J. Pjesivac-Grbovic et al. 2007, decision trees | picking an algorithm | mean penalty 2 % |\n\n"
    "These are of one machine each, fitted and tested on it; ours are of the platforms below.\n";

constexpr const char* kExplanation =
    "## What decides the errors\n\n"
    "- *Fluid sharing.* Messages that meet on a card or in a node's memory do not wait for each other, nor does each\n"
    "  cost tau times as much: each gets a share that changes whenever another comes or goes. Models that charge a\n"
    "  message as if it were alone (Hockney, LogGP) err by the number of ranks a node.\n"
    "- *Eager and rendezvous.* Where a message starts only when its receive is posted, a late receiver delays the\n"
    "  sender's link, and the sender. `flow` measures up to which size what holds (S, E).\n"
    "- *Jumps by size.* SMPI's own model changes latency and bandwidth at eight sizes. A jump is searched for by\n"
    "  halving where two neighbours of the measured curve lie on different lines.\n"
    "- *Unsynchronised starts.* A nanosecond between two ranks grows from round to round where their messages share a\n"
    "  link: pairwise exchanges leave lockstep, rounds overlap, and the time differs by up to a factor of two from "
    "that of\n"
    "  ranks in step. It then depends on chance: such points are run many times with ranks that start within 100 "
    "ns, "
    "the\n"
    "  prediction likewise, and medians are compared. Their own scatter, below, is what no model can go under.\n"
    "- *Limits by size.* SMPI's own model takes up to three times as long for a middle size's byte as for a large "
    "one's,\n"
    "  whether one message uses a link or many share it. `flow` has groups measured along every line of the curve of\n"
    "  single messages, so that it knows what they share at each size.\n"
    "- *Noise.* On `noisy16` every message takes its own time. `flow` measures how much repeated messages differ (v) "
    "and\n"
    "  plays collectives with messages that differ as much: who waits for several waits for the slowest, and "
    "exchanges\n"
    "  that leave lockstep take up to twice as long. Medians of many runs still differ by chance.\n"
    "- *Processors that copy.* Inside a node of a real machine, a large message is copied by its receiver's processor, "
    "one\n"
    "  after the other, and takes up to five times as long if its sender wrote it since it was last sent (R and w of\n"
    "  `flow`), also where it wrote it by copying its own block or by what it received when the collective ran "
    "before.\n"
    "  What ranks copy and combine in their own memory takes time (c, gamma), and where their own copies stand in the\n"
    "  way, larger messages wait. Not modelled: how long ago memory was last used, which decides on a busy host what "
    "it\n"
    "  takes to pass a message of some KiB through memory that both see, up to a factor of three; and libraries that\n"
    "  slow down while earlier sends are still under way: four exchanges of 12 kB, one after the other, took Open MPI\n"
    "  26 us if their sends are waited for at the end, as schedules do it, and 20 us if each is waited for at once\n"
    "  (MPICH 26 and 24), so that its exchanges in segments are predicted a third too short.\n"
    "- *Beginning.* A collective of small messages begins with processors that waited, and its program takes time of "
    "its\n"
    "  own. `flow` measures what messages and exchanges that begin together take longer than others (t_0, t_b), what "
    "a\n"
    "  rank's first answer takes longer (t_a), and a program over a transport on which nothing happens (t_p). Not "
    "modelled:\n"
    "  that the first answer by a large message takes some microseconds longer still, and ranks that share cores, as "
    "in\n"
    "  the lab.\n"
    "- *Prefixes.* An exclusive scan's first value is stored, not added; a scan's carry is only kept where somebody "
    "will\n"
    "  be sent it.\n";

}  // namespace

std::string accuracy_page(const AccuracyReport& report) {
  const std::string& best = report.best_model;
  AccuracyReport simulated = report;
  simulated.points = selected(report.points, [&](const AccuracyPoint& p) {
    return std::find(report.real.begin(), report.real.end(), p.platform) == report.real.end();
  });
  std::string text =
      fmt::format("# How accurate is it?\n\nWritten by `{}`{}\n## All models, all simulated platforms\n\n{}\n",
                  report.command, kIntroduction, by_model(simulated.points));
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
  text += kExplanation;
  text += fmt::format(
      "\n## The noise floor\n\nHow far the shortest and the longest repetition of one point lie apart; on real "
      "platforms, how wide the 95 % interval of its median is.\n\n{}\n",
      scatter_table(report));
  if (std::any_of(report.points.begin(), report.points.end(), [](const AccuracyPoint& p) { return p.noise; })) {
    text += kRealNoise + real_noise_table(report) + "\n";
  }
  text += kPublished;
  for (const auto& [name, title] : report.platforms) {
    const auto some = selected(report.points, [&](const AccuracyPoint& p) { return p.platform == name; });
    text += fmt::format("\n## All models on {}\n\n{}", name, by_model(some));
  }
  if (!report.library_points.empty()) {
    text += fmt::format(
        "\n## SMPI's own collectives\n\nThe same algorithms as SimGrid's authors wrote them, on the same platform: a "
        "check of our schedules and of the predictions that none of us wrote. Algorithms of one name can differ: SMPI "
        "cuts some into segments of its own, or sends in another order.\n\n{}",
        library_table(report));
  }
  return text;
}

}  // namespace postage
