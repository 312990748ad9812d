#pragma once

#include <postage/model/any_model.hpp>
#include <postage/model/descriptor.hpp>
#include <postage/model/group_reader.hpp>
#include <postage/platform/parameters.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace postage {

/// All models, in their order. Pointers stay valid for ever.
[[nodiscard]] std::span<const ModelDescriptor* const> models();

/// Throws UsageError listing the valid names.
[[nodiscard]] const ModelDescriptor& find_model(std::string_view name);

/// Adds a model to those of src/model/models/. Call it before other threads use the library: spans of models() end.
/// Throws UsageError where there is one of that name, or its descriptor lacks name, equation or build.
void register_model(ModelDescriptor descriptor);

/// Names of models from "all", or "hockney,loggp". Throws UsageError listing the valid ones.
[[nodiscard]] std::vector<std::string> parse_models(std::string_view text);

/// The names of all models, by the median error of their predictions of collectives on all simulated platforms of
/// docs/accuracy.md: the smallest first.
[[nodiscard]] std::vector<std::string_view> models_by_accuracy();

/// Builds the model that `table` names for a platform with these channels. Throws Error naming what is missing,
/// negative, not a number, out of order, or against the model's assumptions; UsageError where no model has the name.
[[nodiscard]] Model build_model(const ParameterTable& table, std::span<const std::string> channels,
                                Bound bound = Bound::kValue);

/// Reads parameters given by hand: SYMBOL=VALUE, separated by commas; "o" stands for o_s and o_r.
///
///   L=5us,o=1us,g=2us,G=1ns                  for every transfer
///   [shared-cache] L=1us,... [inter-node] L=5us,...   by channel; also [inter-node from 64K], [pair 0 3], [processor
///   3] g=0:2us;64K:80us                         a curve: 2 us at 0 bytes, 80 us at 64K, linear between
///   L=0/1:1us;64K/1:20us;0/8:2us;64K/8:90us  a surface: SIZE/TAU:VALUE, or SIZE/STRIDE:VALUE
///   4us<5us<7us                              a value with its interval, wherever a value stands
///
/// Times take the units of parse_seconds, sizes those of parse_bytes, rates those of parse_rate. White space counts
/// nothing. Throws UsageError naming the parameters that are missing, unknown, negative or of the wrong shape.
[[nodiscard]] ParameterTable parse_parameters(std::string_view model, std::string_view text);

/// The channels that a table has parameters for, in the order of their first groups; all channels are none of them.
[[nodiscard]] std::vector<std::string> channels_of(const ParameterTable& table);

}  // namespace postage
