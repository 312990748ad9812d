#include "papers/jobs.hpp"

#include <postage/predict/given_parameters.hpp>

#include <fmt/format.h>

namespace postage {

PlatformModel on_nodes(std::string_view model, std::string_view parameters, const Mapping& mapping) {
  const ParameterTable table = parse_parameters(model, parameters);
  const Platform platform = platform_of(table, mapping.nodes(), mapping.per_node());
  return {table, platform.channels, ChannelMap(platform, mapping)};
}

Prediction evaluate_schedule_of(const Formula& formula, const FormulaJob& job) {
  const bool in_segments = job.segment > 0 && formula.in_segments;
  return predict(schedule_of(formula, job), in_segments ? job.platform.with_segments(job.segment) : job.platform);
}

std::string formula_command(std::string_view collective, std::string_view name, const std::string& job,
                            std::string_view model, std::string_view parameters) {
  return fmt::format("postage predict {} --formula {} {} --model {} --params '{}'", collective, name, job, model,
                     parameters);
}

}  // namespace postage
