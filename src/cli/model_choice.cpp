#include "cli/model_choice.hpp"

#include <postage/base/error.hpp>
#include <postage/estimate/plan.hpp>
#include <postage/model/extrapolation.hpp>
#include <postage/model/model.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace postage {
namespace {

std::string names_of(const std::vector<ParameterTable>& tables) {
  std::string names;
  for (const ParameterTable& table : tables) {
    names += (names.empty() ? "" : ", ") + table.model;
  }
  return names;
}

bool knows_strides(const ParameterTable& table) {
  const std::vector<ParameterDescription>& parameters = find_model(table.model).parameters;
  return std::any_of(table.groups.begin(), table.groups.end(), [&](const ParameterGroup& group) {
    return std::any_of(group.surfaces.begin(), group.surfaces.end(), [&](const auto& surface) {
      return std::any_of(parameters.begin(), parameters.end(), [&](const ParameterDescription& parameter) {
        return parameter.over == "stride" && parameter.matches(surface.first);
      });
    });
  });
}

/// Those that can predict messages as far apart as --stride says.
std::vector<ParameterTable> with_stride(std::vector<ParameterTable> tables, const JobOptions& options) {
  if (parse_bytes(options.stride) > 0) {
    std::erase_if(tables, [](const ParameterTable& table) { return !knows_strides(table); });
  }
  if (tables.empty()) {
    throw UsageError(
        "--stride needs a model with a parameter over strides: lognp, log3p, mlognp or 2log23p, and its l measured");
  }
  return tables;
}

/// The table of a model; nullptr where there is none.
const ParameterTable* table_of(std::string_view model, const std::vector<ParameterTable>& tables) {
  const auto found =
      std::find_if(tables.begin(), tables.end(), [&](const ParameterTable& table) { return table.model == model; });
  return found == tables.end() ? nullptr : &*found;
}

const ParameterTable& best_of(const std::vector<ParameterTable>& tables) {
  const auto place = [](const ParameterTable& table) {
    const auto order = models_by_accuracy();
    return std::find(order.begin(), order.end(), table.model) - order.begin();
  };
  return *std::min_element(tables.begin(), tables.end(),
                           [&](const ParameterTable& a, const ParameterTable& b) { return place(a) < place(b); });
}

}  // namespace

std::vector<ParameterTable> choose_tables(const Platform& platform, const JobOptions& options) {
  if (options.model == "all" || options.model == "best") {
    const std::vector<ParameterTable> tables = with_stride(platform.models, options);
    return options.model == "all" ? tables : std::vector{best_of(tables)};
  }
  std::vector<ParameterTable> chosen;
  for (const std::string& model : parse_models(options.model)) {
    const ParameterTable* table = table_of(model, platform.models);
    if (table == nullptr) {
      throw UsageError(fmt::format("{} has no parameters of the {} model; it has {}", options.platform, model,
                                   names_of(platform.models)));
    }
    chosen.push_back(*table);
  }
  return with_stride(chosen, options);
}

std::optional<double> Fitted::extrapolation(const ParameterTable& table, Bytes bytes, Bytes stride) {
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
  if (factor <= options_.max_extrapolation) {
    return factor;
  }
  const bool is_size = of_size >= of_stride;
  const std::string reason = fmt::format(
      "{} of {} are {:.4g} times outside the {} that the {} model's parameters are known for; "
      "measure them, or raise --max-extrapolation",
      is_size ? "messages" : "strides", format_bytes(is_size ? bytes : stride), factor, is_size ? "sizes" : "strides",
      table.model);
  if (options_.model != "all") {
    throw UsageError(reason);
  }
  left_out_.insert_or_assign(table.model, reason);
  return std::nullopt;
}

void tell_choice(const JobPlatform& platform) {
  if (platform.chosen_of > 1) {
    fmt::print(stderr,
               "postage: predicted by {}, of {} models the one that predicts most closely; --model all takes all\n",
               platform.models.front().name(), platform.chosen_of);
  }
}

void Fitted::tell(bool any_prediction) const {
  if (!any_prediction && !left_out_.empty()) {
    throw UsageError(left_out_.begin()->second);
  }
  for (const auto& [model, reason] : left_out_) {
    fmt::print(stderr, "postage: left out {}: {}\n", model, reason);
  }
}

}  // namespace postage
