#include <postage/base/error.hpp>
#include <postage/base/statistics.hpp>
#include <postage/model/extrapolation.hpp>
#include <postage/model/model.hpp>
#include <postage/predict/calibration.hpp>
#include <postage/predict/model_choice.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace postage {

const ParameterTable* find_table(std::string_view model, const std::vector<ParameterTable>& tables) {
  const auto found =
      std::find_if(tables.begin(), tables.end(), [&](const ParameterTable& table) { return table.model == model; });
  return found == tables.end() ? nullptr : &*found;
}

const ParameterTable& most_accurate(const std::vector<ParameterTable>& tables) {
  const auto order = models_by_accuracy();
  const auto position = [&](const ParameterTable& table) {
    return std::find(order.begin(), order.end(), table.model) - order.begin();
  };
  return *std::min_element(tables.begin(), tables.end(),
                           [&](const ParameterTable& a, const ParameterTable& b) { return position(a) < position(b); });
}

HeldOutErrors held_out_errors(const HeldOut& held_out, std::string_view model, bool that_choose) {
  const HeldOutPredictions* predictions = find_predictions(held_out, model, kUsualEvaluator);
  if (predictions == nullptr) {
    return {};
  }
  std::vector<double> errors;
  double sum = 0;
  for (std::size_t i = 0; i < held_out.collectives.size(); ++i) {
    if (held_out.collectives[i].chooses == that_choose) {
      errors.push_back(std::abs(predictions->seconds[i] / held_out.collectives[i].measured.value - 1));
      sum += std::log1p(errors.back());
    }
  }
  return errors.empty() ? HeldOutErrors{}
                        : HeldOutErrors{errors.size(), median(errors), sum / static_cast<double>(errors.size())};
}

namespace {

/// The most accurate on one half; nullptr where that is too small.
const ParameterTable* best_on_half(const std::vector<ParameterTable>& tables, const HeldOut& held_out,
                                   bool that_choose) {
  constexpr double kAsGood = 0.005;
  struct Candidate {
    const ParameterTable* table;
    HeldOutErrors errors;
  };
  std::vector<Candidate> candidates;
  double least = std::numeric_limits<double>::infinity();
  for (const ParameterTable& table : tables) {
    const HeldOutErrors errors = held_out_errors(held_out, table.model, that_choose);
    if (errors.points >= kLeastHeldOut) {
      candidates.push_back({&table, errors});
      least = std::min(least, errors.median);
    }
  }
  std::erase_if(candidates, [&](const Candidate& one) { return one.errors.median > least + kAsGood; });
  const auto best = std::min_element(candidates.begin(), candidates.end(),
                                     [](const auto& a, const auto& b) { return a.errors.mean < b.errors.mean; });
  return best == candidates.end() ? nullptr : best->table;
}

}  // namespace

ModelChoice choose_model(const std::vector<ParameterTable>& tables, const HeldOut& held_out) {
  const ParameterTable* best = best_on_half(tables, held_out, true);
  if (best == nullptr) {
    return {&most_accurate(tables),
            fmt::format("the most accurate of {} models on simulated platforms; there are no held-out collectives to "
                        "choose by",
                        tables.size())};
  }
  const HeldOutErrors own = held_out_errors(held_out, best->model, true);
  const HeldOutErrors others = held_out_errors(held_out, best->model, false);
  const bool by_both = best_on_half(tables, held_out, false) == best;
  return {best,
          fmt::format("the most accurate of {} models on {} collectives that the campaign visited and no model was "
                      "fitted to; its median error on {} others is {:.2g} %",
                      tables.size(), own.points, others.points, 100 * others.median),
          by_both};
}

Calibrations calibrations_of(const HeldOut& held_out, std::string_view model, const ModelChoice& choice) {
  return calibrations_of(held_out, model, model == choice.table->model && !choice.by_both_halves);
}

bool depends_on_stride(const ParameterTable& table) {
  const std::vector<ParameterDescription>& parameters = find_model(table.model).parameters;
  const auto is_over_strides = [&](const auto& surface) {
    return std::any_of(parameters.begin(), parameters.end(), [&](const ParameterDescription& parameter) {
      return parameter.over == "stride" && parameter.matches(surface.first);
    });
  };
  return std::any_of(table.groups.begin(), table.groups.end(), [&](const ParameterGroup& group) {
    return std::any_of(group.surfaces.begin(), group.surfaces.end(), is_over_strides);
  });
}

ParameterTable packed_by_hand(ParameterTable table) {
  bool any = false;
  for (ParameterGroup& group : table.groups) {
    const auto by_hand = group.surfaces.find("l_hand");
    if (by_hand != group.surfaces.end()) {
      group.surfaces.insert_or_assign("l_mw", by_hand->second);
      any = true;
    } else if (group.surfaces.count("l_mw") > 0) {
      any = false;
      break;
    }
  }
  if (!any) {
    throw UsageError(fmt::format(
        "--by-hand: the parameters of the {} model have no l_hand, what strides add where the program packs; log3p and "
        "2log23p have one where strided messages were measured, or where it is given",
        table.model));
  }
  return table;
}

std::optional<double> ExtrapolationLimit::extrapolation(const PlatformModel& model, Bytes bytes) {
  const ParameterTable& table = model.table();
  const Bytes stride = model.strides().separates(bytes) ? model.strides().stride : 0;
  double of_size = 1;
  double of_stride = 1;
  if (bytes > 0) {
    std::vector<std::string> channels = channels_of(table);
    channels.emplace_back(kAllChannels);
    for (const std::string& channel : channels) {
      const Extrapolation found = extrapolation_of(table, channel, {.bytes = bytes, .stride = stride});
      of_size = std::max(of_size, found.size);
      of_stride = std::max(of_stride, found.stride);
    }
  }
  const double factor = std::max(of_size, of_stride);
  if (factor <= largest_) {
    return factor;
  }
  const bool is_size = of_size >= of_stride;
  const std::string reason = fmt::format(
      "{} of {} are {:.4g} times outside the {} that the parameters of the {} model were measured at; "
      "measure them, or raise --max-extrapolation",
      is_size ? "messages" : "strides", format_bytes(is_size ? bytes : stride), factor, is_size ? "sizes" : "strides",
      table.model);
  if (!may_skip_) {
    throw UsageError(reason);
  }
  left_out_.insert_or_assign(table.model, reason);
  return std::nullopt;
}

}  // namespace postage
