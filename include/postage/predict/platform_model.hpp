#pragma once

#include <postage/model/model.hpp>
#include <postage/platform/mapping.hpp>
#include <postage/predict/calibration.hpp>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace postage {

/// One model with a platform's parameters, and the channels that join the ranks of a job on it: what a prediction
/// needs. The models are built once, at the parameters' values and at both ends of their intervals; copies share them.
class PlatformModel {
 public:
  /// Throws Error where build_model does.
  PlatformModel(ParameterTable table, std::vector<std::string> channel_names, ChannelMap channels);

  [[nodiscard]] const std::string& name() const { return built_->table.model; }
  [[nodiscard]] const ParameterTable& table() const { return built_->table; }
  [[nodiscard]] std::span<const std::string> channel_names() const { return built_->channel_names; }
  [[nodiscard]] const ChannelMap& channels() const { return channels_; }

  /// True where every parameter has an interval.
  [[nodiscard]] bool has_bounds() const { return built_->lower.has_value(); }
  /// True where every interval is its value alone, so that one evaluation tells the bounds as well.
  [[nodiscard]] bool is_exact() const { return built_->is_exact; }
  /// At the values of the parameters.
  [[nodiscard]] const Model& model() const { return built_->value; }
  /// At this end of the intervals; at the values where has_bounds() is false.
  [[nodiscard]] const Model& at(Bound bound) const;

  /// The same model of messages with these strides: l = f(s, d) on top of o, at both ends of every message of more than
  /// one piece. Throws UsageError where the model has no parameter over strides.
  [[nodiscard]] PlatformModel with_strides(const Strides& strides) const;
  [[nodiscard]] const Strides& strides() const { return strides_; }
  /// The same platform, its messages in segments (in_segments). Throws UsageError as that does.
  [[nodiscard]] PlatformModel with_segments(Bytes segment) const;
  /// The same model, whose predictions have intervals from the platform's held-out collectives.
  [[nodiscard]] PlatformModel with_calibrations(Calibrations calibrations) const;
  /// Of predictions by this evaluator; nullptr where there is none.
  [[nodiscard]] const Calibration* calibration(std::string_view evaluator) const;
  /// The same model for ranks that are mapped otherwise onto the platform.
  [[nodiscard]] PlatformModel with_channels(ChannelMap channels) const;
  /// The same model with other parameters; strides, segments and calibrations stay. Throws Error where build_model
  /// does.
  [[nodiscard]] PlatformModel with_table(ParameterTable table) const;

 private:
  struct Built {
    ParameterTable table;
    std::vector<std::string> channel_names;
    Model value;
    std::optional<Model> lower;
    std::optional<Model> upper;
    bool is_exact = false;
  };
  [[nodiscard]] static std::shared_ptr<const Built> build(ParameterTable table, std::vector<std::string> channel_names);

  std::shared_ptr<const Built> built_;
  std::shared_ptr<const Calibrations> calibrations_{};
  ChannelMap channels_;
  Strides strides_{};
  Bytes segment_ = 0;  ///< of messages; 0 where they are whole
};

}  // namespace postage
