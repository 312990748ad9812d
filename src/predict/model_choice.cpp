#include <postage/base/error.hpp>
#include <postage/base/statistics.hpp>
#include <postage/model/extrapolation.hpp>
#include <postage/model/model.hpp>
#include <postage/predict/calibration.hpp>
#include <postage/predict/model_choice.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

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

namespace {

/// |log(predicted/measured)| of one half.
std::vector<double> losses_of(const HeldOut& held_out, const HeldOutPredictions& predictions, bool that_choose) {
  const std::vector<double> logs = log_errors(held_out, predictions);
  std::vector<double> losses;
  for (std::size_t i = 0; i < logs.size(); ++i) {
    if (held_out.collectives[i].chooses == that_choose) {
      losses.push_back(std::abs(logs[i]));
    }
  }
  return losses;
}

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// True where the first misses no more than chance explains of as many collectives: by a standard error of the mean
/// difference.
bool is_as_good(const std::vector<double>& losses, const std::vector<double>& least) {
  std::vector<double> differences;
  for (std::size_t i = 0; i < losses.size(); ++i) {
    differences.push_back(losses[i] - least[i]);
  }
  const double mean = mean_of(differences);
  double squares = 0;
  for (const double difference : differences) {
    squares += (difference - mean) * (difference - mean);
  }
  const auto count = static_cast<double>(losses.size());
  return mean <= std::sqrt(squares / (count - 1) / count);
}

/// The most accurate on one half; nullptr where that is too small.
const ParameterTable* best_on_half(const std::vector<ParameterTable>& tables, const HeldOut& held_out,
                                   bool that_choose) {
  std::map<std::string, std::vector<double>, std::less<>> losses;
  const std::vector<double>* least = nullptr;
  for (const ParameterTable& table : tables) {
    const HeldOutPredictions* predictions = find_predictions(held_out, table.model, kUsualEvaluator);
    std::vector<double> own =
        predictions == nullptr ? std::vector<double>{} : losses_of(held_out, *predictions, that_choose);
    if (own.size() >= kLeastHeldOut) {
      const std::vector<double>& known = losses[table.model] = std::move(own);
      least = least == nullptr || mean_of(known) < mean_of(*least) ? &known : least;
    }
  }
  for (const std::string_view model : models_by_accuracy()) {
    const auto found = losses.find(model);
    if (found != losses.end() && is_as_good(found->second, *least)) {
      return find_table(model, tables);
    }
  }
  return nullptr;
}

}  // namespace

HeldOutErrors held_out_errors(const HeldOut& held_out, std::string_view model, bool that_choose) {
  const HeldOutPredictions* predictions = find_predictions(held_out, model, kUsualEvaluator);
  if (predictions == nullptr) {
    return {};
  }
  std::vector<double> errors = losses_of(held_out, *predictions, that_choose);
  const double mean = errors.empty() ? 0 : mean_of(errors);
  std::transform(errors.begin(), errors.end(), errors.begin(), [](double loss) { return std::expm1(loss); });
  return errors.empty() ? HeldOutErrors{} : HeldOutErrors{errors.size(), median(errors), mean};
}

namespace {

/// Median of |predicted/measured - 1| on those that did not choose, as the summary and the report say it.
std::string percent_missed(const HeldOut& held_out, std::string_view model) {
  const HeldOutPredictions& predictions = *find_predictions(held_out, model, kUsualEvaluator);
  std::vector<double> errors;
  for (std::size_t i = 0; i < held_out.collectives.size(); ++i) {
    const HeldOutCollective& one = held_out.collectives[i];
    if (!one.chooses && one.measured.value > 0) {
      errors.push_back(std::abs(predictions.seconds[i] / one.measured.value - 1));
    }
  }
  const double percent = errors.empty() ? 0 : 100 * median(errors);
  return percent >= 99.5 ? fmt::format("{:.0f} %", percent) : fmt::format("{:.2g} %", percent);
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
                      "fitted to; its median error on {} others is {}",
                      tables.size(), own.points, others.points, percent_missed(held_out, best->model)),
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
