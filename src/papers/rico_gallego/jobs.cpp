#include "papers/rico_gallego/jobs.hpp"

#include <postage/predict/given_parameters.hpp>
#include <postage/predict/prediction.hpp>

#include <fmt/format.h>

#include <cmath>

namespace postage::rico_gallego_paper {

std::string growing() {
  std::string text = "o=0,n=2,S=8K,L=";
  for (int tau = 1; tau <= 256; tau *= 2) {
    text += fmt::format("{}8K/{}:{}us", tau > 1 ? ";" : "", tau, 2 * std::pow(tau, 0.6));
  }
  return text;
}

PlatformModel on_one_channel(std::string_view model, std::string_view parameters) {
  return {parse_parameters(model, parameters), {std::string(kAllChannels)}, ChannelMap::single_channel()};
}

PlatformModel on_nodes(std::string_view model, std::string_view parameters, const Mapping& mapping) {
  const ParameterTable table = parse_parameters(model, parameters);
  const Platform platform = platform_of(table, mapping.nodes(), mapping.per_node());
  return {table, platform.channels, ChannelMap(platform, mapping)};
}

Seconds formula(std::string_view collective, std::string_view name, const FormulaJob& job) {
  return evaluate(find_formula(collective, name), job).upper;
}

Seconds evaluator(std::string_view collective, std::string_view name, const FormulaJob& job) {
  const Formula& described = find_formula(collective, name);
  const bool in_segments = job.segment > 0 && described.in_segments;
  return predict(schedule_of(described, job), in_segments ? job.platform.with_segments(job.segment) : job.platform)
      .seconds;
}

std::string command(std::string_view collective, std::string_view name, const std::string& job, std::string_view model,
                    std::string_view parameters) {
  return fmt::format("postage predict {} --formula {} {} --model {} --params '{}'", collective, name, job, model,
                     parameters);
}

}  // namespace postage::rico_gallego_paper
