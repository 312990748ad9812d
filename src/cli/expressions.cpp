#include "cli/expressions.hpp"

#include <postage/base/error.hpp>
#include <postage/base/json.hpp>
#include <postage/model/tau_expression.hpp>

#include <fmt/format.h>

namespace postage {
namespace {

/// The first model that is tau-Lop.
const PlatformModel& tau_lop_of(const JobPlatform& platform) {
  for (const PlatformModel& model : platform.models) {
    if (model.model().target<TauLop>() != nullptr) {
      return model;
    }
  }
  throw UsageError(fmt::format("--expression is evaluated with tau-Lop, not with {}: give --model taulop",
                               platform.models.front().name()));
}

/// "L0 is of shared-cache, L1 of inter-node".
std::string legend(std::span<const std::string> channels) {
  std::string text;
  for (std::size_t i = 0; i < channels.size() && channels.size() > 1; ++i) {
    text += fmt::format("{}{} is {}", text.empty() ? "channel " : ", ", i, channels[i]);
  }
  return text;
}

}  // namespace

void evaluate_expression(const JobCommand& options, const JobPlatform& platform) {
  const PlatformModel& platform_model = tau_lop_of(platform);
  const TauLop& model = *platform_model.model().target<TauLop>();
  const TauExpression given = parse_tau_expression(options.expression, model, platform_model.channel_names());
  const TauExpression simple = given.simplified();
  const Seconds seconds = given.evaluate(model);
  if (options.json) {
    const Json value{{"expression", given.text()},
                     {"simplified", simple.text()},
                     {"model", platform_model.name()},
                     {"seconds", seconds}};
    fmt::print("{}\n", value.dump(1));
    return;
  }
  fmt::print("{}\n= {}\n= {}\n", given.text(), simple.text(), format_seconds(seconds));
  const std::string channels = legend(platform_model.channel_names());
  fmt::print("{}{}", channels, channels.empty() ? "" : "\n");
}

}  // namespace postage
