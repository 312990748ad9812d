#include "papers/ali/blade_study.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/launch/find_program.hpp>
#include <postage/model/cell_plogp.hpp>
#include <postage/platform/platform.hpp>
#include <postage/predict/prediction.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace postage::ali_paper {
namespace {

constexpr Seconds kTimeLimit = 300;

using Tables = std::vector<ParameterTable>;

Platform measured(PaperContext& context, const std::string& of, const std::string& gap) {
  return platform_from_json(run_blade(context, {"parameters", "--of", of, "--gap", gap}), "postage-blade parameters");
}

/// Gaps of the second, where both have the channel; everything else of the first.
ParameterTable with_gaps_of(ParameterTable table, const ParameterTable& other) {
  for (ParameterGroup& group : table.groups) {
    const auto found = std::find_if(other.groups.begin(), other.groups.end(),
                                    [&](const ParameterGroup& candidate) { return candidate.scope == group.scope; });
    if (found != other.groups.end() && found->curves.contains("g")) {
      group.curves["g"] = found->curves.at("g");
    }
  }
  return table;
}

ParameterTable without_congestion(ParameterTable table) {
  for (ParameterGroup& group : table.groups) {
    group.surfaces.erase("C");
  }
  return table;
}

PlatformModel model_of(const Platform& platform, ParameterTable table) {
  const auto chips = static_cast<std::int32_t>(platform.nodes.size());
  return {std::move(table), platform.channels, ChannelMap(platform, Mapping::block(chips, kSpesOfChip))};
}

/// The three variants of one platform's parameters, in the order of Parameters.
std::vector<PlatformModel> variants(PaperContext& context, const std::string& of) {
  const Platform own = measured(context, of, "gets");
  const Platform kielmann = measured(context, of, "kielmann");
  const ParameterTable& table = own.models.front();
  return {model_of(own, table), model_of(own, with_gaps_of(table, kielmann.models.front())),
          model_of(own, without_congestion(table))};
}

}  // namespace

Json run_blade(PaperContext& context, const std::vector<std::string>& arguments) {
  const std::string name = fmt::format("postage-blade {}", fmt::join(arguments, " "));
  return context.once(name, [&] {
    const std::filesystem::path program = find_built("postage-blade");
    if (program.empty()) {
      throw Error("postage-blade, the simulated Cell blade, was not built: it needs SimGrid (libsimgrid-dev)");
    }
    context.tell(name);
    std::vector<std::string> command{program.string()};
    command.insert(command.end(), arguments.begin(), arguments.end());
    return Json::parse(run_command(command, kTimeLimit));
  });
}

BladeStudy::BladeStudy(PaperContext& context) {
  const std::vector<PlatformModel> chip = variants(context, "chip");
  const std::vector<PlatformModel> blade = variants(context, "blade");
  for (std::size_t i = 0; i < chip.size(); ++i) {
    parameters_.push_back({chip[i], blade[i]});
  }
  const std::vector<StudyPoint> all = study_points();
  const std::filesystem::path file = context.folder() / "blade-points";
  write_file(file, points_file(all));
  const Json results = run_blade(context, {"run", file.string()});
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (const Json& seconds = results[i]["seconds"]; seconds.is_null()) {
      ++left_out_;
    } else {
      points_.push_back(all[i]);
      simulated_.push_back(seconds.number());
    }
  }
}

const BladeParameters& BladeStudy::parameters(Parameters which) const {
  return parameters_.at(static_cast<std::size_t>(which));
}

const PlatformModel& BladeStudy::platform_for(const StudyPoint& point, Parameters which) const {
  return point.ranks <= kSpesOfChip ? parameters(which).chip : parameters(which).blade;
}

Seconds BladeStudy::predicted(std::size_t point, Parameters which) const {
  const StudyPoint& asked = points_.at(point);
  const Interval seconds = evaluate(
      *asked.formula,
      {.platform = platform_for(asked, which), .ranks = asked.ranks, .bytes = asked.bytes, .settings = asked.settings});
  return (seconds.lower + seconds.upper) / 2;
}

Seconds BladeStudy::righted(std::size_t point) const {
  const StudyPoint& asked = points_.at(point);
  const PlatformModel& platform = platform_for(asked, Parameters::kOwn);
  const bool on_one_chip = asked.ranks <= kSpesOfChip;
  const FormulaJob job{
      .platform = platform, .ranks = asked.ranks, .bytes = asked.bytes, .settings = ParameterValues{{"x", 1}}};
  if (asked.formula->algorithm != "recursive-doubling") {
    return predicted(point);
  }
  if (asked.formula->collective == "allreduce") {  // L(m) + L(1) + gamma m a round, which others of the tables have
    return evaluate(on_one_chip ? find_formula("reduce", "ali-reduce-binomial")
                                : find_formula("allreduce", "ali-allreduce-hybridA"),
                    job)
        .lower;
  }
  const bool is_full = std::has_single_bit(static_cast<unsigned>(asked.ranks));
  if (asked.formula->collective != "barrier" || on_one_chip || is_full) {
    return predicted(point);
  }
  const auto signal = [&](Rank to) {
    return platform.model()
        .target<CellPLogP>()
        ->links.at({.channel = platform.channels().channel_of(0, to)})
        .latency_of(0);
  };
  return predicted(point) + signal(kSpesOfChip) - signal(1);
}

Seconds BladeStudy::evaluated(std::size_t point, std::optional<Evaluator> evaluator) const {
  const StudyPoint& asked = points_.at(point);
  const PlatformModel& platform = platform_for(asked, Parameters::kOwn);
  const FormulaJob job{.platform = platform, .ranks = asked.ranks, .bytes = asked.bytes, .settings = asked.settings};
  return predict(schedule_of(*asked.formula, job), platform, evaluator).seconds;
}

double BladeStudy::error(std::size_t point, Parameters which) const {
  return predicted(point, which) / simulated(point) - 1;
}

std::vector<std::size_t> BladeStudy::points_of(std::string_view series) const {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    if (points_[i].series == series) {
      found.push_back(i);
    }
  }
  return found;
}

std::vector<std::string> BladeStudy::series() const {
  std::vector<std::string> names;
  for (const StudyPoint& point : points_) {
    if (std::find(names.begin(), names.end(), point.series) == names.end()) {
      names.push_back(point.series);
    }
  }
  return names;
}

}  // namespace postage::ali_paper
