#include "validate/attribution/candidates.hpp"

#include <postage/base/error.hpp>
#include <postage/model/model.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

namespace postage {
namespace {

/// Enough for a difference, and too little for another protocol.
constexpr double kSmallStep = 1e-3;

void scale(Estimate& estimate, double factor) {
  estimate = {estimate.value * factor, estimate.lower * factor, estimate.upper * factor};
}

void scale(ParameterCurve& curve, double factor) {
  for (ParameterPoint& point : curve) {
    scale(point.estimate, factor);
  }
}

void scale(ParameterSurface& surface, double factor) {
  for (ParameterRow& row : surface) {
    scale(row.curve, factor);
  }
}

template <typename Named>
void scale_named(Named& named, const ParameterDescription& parameter, double factor) {
  for (auto& [symbol, value] : named) {
    if (parameter.matches(symbol)) {
      scale(value, factor);
    }
  }
}

PlatformModel scaled(const PlatformModel& model, const ParameterDescription& parameter, double factor) {
  ParameterTable table = model.table();
  for (ParameterGroup& group : table.groups) {
    scale_named(group.values, parameter, factor);
    scale_named(group.curves, parameter, factor);
    scale_named(group.surfaces, parameter, factor);
  }
  return {std::move(table), {model.channel_names().begin(), model.channel_names().end()}, model.channels()};
}

/// Sizes and numbers decide what is charged, and are no times.
bool is_of_time(const ParameterDescription& parameter) {
  return parameter.unit.find("s") != std::string_view::npos;
}

}  // namespace

std::vector<CauseCandidate> parameter_candidates(const std::vector<TimedCollective>& collectives,
                                                 const PlatformModel& model, const PredictAll& predict_all) {
  std::vector<CauseCandidate> candidates;
  for (const ParameterDescription& parameter : find_model(model.name()).parameters) {
    if (!is_of_time(parameter)) {
      continue;
    }
    const auto predict = [&model, predict_all, &parameter](double factor) {
      return predict_all(scaled(model, parameter, factor));
    };
    CauseCandidate one{.kind = CauseKind::kParameter,
                       .term = fmt::format("{}: {}", parameter.symbol, parameter.meaning),
                       .predict = predict};
    try {
      const std::vector<Seconds> more = predict(1 + kSmallStep);
      for (std::size_t i = 0; i < collectives.size(); ++i) {
        one.quantities.push_back((more[i] - collectives[i].predicted) / kSmallStep);
      }
    } catch (const Error&) {
      continue;  // the model does not allow it to be larger
    }
    const auto matters = [&](std::size_t i) { return std::abs(one.quantities[i]) > 1e-3 * collectives[i].predicted; };
    bool any = false;
    for (std::size_t i = 0; i < collectives.size(); ++i) {
      any = any || matters(i);
    }
    if (any) {
      candidates.push_back(std::move(one));
    }
  }
  return candidates;
}

}  // namespace postage
