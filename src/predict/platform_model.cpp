#include <postage/base/error.hpp>
#include <postage/model/segments.hpp>
#include <postage/predict/model_choice.hpp>
#include <postage/predict/platform_model.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace postage {
namespace {

bool has_parameter(const ParameterTable& table, const char* symbol) {
  return std::any_of(table.groups.begin(), table.groups.end(),
                     [&](const ParameterGroup& group) { return group.values.contains(symbol); });
}

}  // namespace

PlatformModel::PlatformModel(ParameterTable table, std::vector<std::string> channel_names, ChannelMap channels)
    : built_(build(std::move(table), std::move(channel_names))), channels_(std::move(channels)) {}

std::shared_ptr<const PlatformModel::Built> PlatformModel::build(ParameterTable table,
                                                                 std::vector<std::string> channel_names) {
  Model value = build_model(table, channel_names);
  std::optional<Model> lower;
  std::optional<Model> upper;
  if (has_intervals(table)) {
    lower = build_model(table, channel_names, Bound::kLower);
    upper = build_model(table, channel_names, Bound::kUpper);
  }
  // The gap of acknowledgements makes an interval of what is exact otherwise.
  const bool has_ack_gaps = value.properties().gets_data && has_parameter(table, "g_ack");
  const bool is_exact = has_exact_values(table) && !has_ack_gaps;
  return std::make_shared<const Built>(Built{std::move(table), std::move(channel_names), std::move(value),
                                             std::move(lower), std::move(upper), is_exact});
}

const Model& PlatformModel::at(Bound bound) const {
  if (bound == Bound::kValue || !has_bounds()) {
    return built_->value;
  }
  return bound == Bound::kLower ? *built_->lower : *built_->upper;
}

PlatformModel PlatformModel::with_strides(const Strides& strides) const {
  if (!strides.is_contiguous() && !depends_on_stride(table())) {
    throw UsageError(fmt::format(
        "strided messages (--stride) need a parameter over strides, which the model {} does not have here; of lognp, "
        "log3p, mlognp and 2log23p, take one with its l measured or given",
        name()));
  }
  auto strided = std::make_shared<Built>(*built_);
  strided->value = strided->value.with_strides(strides);
  for (std::optional<Model>* bound : {&strided->lower, &strided->upper}) {
    if (*bound) {
      *bound = (*bound)->with_strides(strides);
    }
  }
  PlatformModel other = *this;
  other.built_ = std::move(strided);
  other.strides_ = strides;
  return other;
}

PlatformModel PlatformModel::with_segments(Bytes segment) const {
  PlatformModel other = *this;
  Built changed = *built_;
  changed.value = in_segments(changed.value, segment);
  for (std::optional<Model>* bound : {&changed.lower, &changed.upper}) {
    if (bound->has_value()) {
      *bound = in_segments(**bound, segment);
    }
  }
  other.built_ = std::make_shared<const Built>(std::move(changed));
  other.segment_ = segment;
  return other;
}

PlatformModel PlatformModel::with_calibrations(Calibrations calibrations) const {
  PlatformModel other = *this;
  other.calibrations_ = std::make_shared<const Calibrations>(std::move(calibrations));
  return other;
}

const Calibration* PlatformModel::calibration(std::string_view evaluator) const {
  if (calibrations_ == nullptr) {
    return nullptr;
  }
  const auto found = calibrations_->find(evaluator);
  return found == calibrations_->end() ? nullptr : &found->second;
}

PlatformModel PlatformModel::with_channels(ChannelMap channels) const {
  PlatformModel other = *this;
  other.channels_ = std::move(channels);
  return other;
}

PlatformModel PlatformModel::with_table(ParameterTable table) const {
  PlatformModel other(std::move(table), built_->channel_names, channels_);
  if (!strides_.is_contiguous()) {
    other = other.with_strides(strides_);
  }
  if (segment_ > 0) {
    other = other.with_segments(segment_);
  }
  other.calibrations_ = calibrations_;
  return other;
}

}  // namespace postage
