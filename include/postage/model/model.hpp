#pragma once

#include <postage/model/cell_plogp.hpp>
#include <postage/model/flow.hpp>
#include <postage/model/hockney.hpp>
#include <postage/model/lmo.hpp>
#include <postage/model/log_3p.hpp>
#include <postage/model/log_np.hpp>
#include <postage/model/loggp.hpp>
#include <postage/model/loggpc.hpp>
#include <postage/model/loggps.hpp>
#include <postage/model/logp.hpp>
#include <postage/model/plogp.hpp>
#include <postage/model/tau_lop.hpp>
#include <postage/model/transfer.hpp>
#include <postage/model/two_log.hpp>
#include <postage/platform/parameters.hpp>

#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace postage {

/// Any model, as a value.
using Model = std::variant<Hockney, LogP, LogGP, LogGPS, LogGPC, PLogP, Lmo, LogNP, MLogNP, Log3P, TwoLog, TauLop,
                           CellPLogP, Flow>;

/// What one transfer costs under the model. O(log pairs + log regimes + log points), no allocation. Throws Error where
/// the model knows nothing of the channel or of a rank's processor.
[[nodiscard]] inline TransferCost cost(const Model& model, const TransferQuestion& question) {
  return std::visit([&](const auto& m) { return m.cost(question); }, model);
}

/// What it takes a rank to combine `bytes` bytes that have arrived with its own: gamma*m (Ali et al., PPoPP 2010,
/// section 3.1); 0 where gamma was not given.
[[nodiscard]] inline Seconds combine_cost(const Model& model, Bytes bytes) {
  return std::visit([&](const auto& m) { return m.combine_per_byte * static_cast<double>(bytes); }, model);
}

/// True where two transfers over one channel may cost different times, so that every rank has to be looked at.
[[nodiscard]] inline bool depends_on_ranks(const Model& model) {
  return std::visit(
      [](const auto& m) {
        bool depends = false;
        if constexpr (requires { m.links; }) {
          depends = m.links.has_pairs();
        }
        if constexpr (requires { m.processors; }) {
          depends = depends || !m.processors.empty();
        }
        return depends;
      },
      model);
}

/// True where a transfer's cost depends on those that share its channel.
template <typename AnyModel>
inline constexpr bool kFeelsContention = false;
template <>
inline constexpr bool kFeelsContention<LogGPC> = true;
template <>
inline constexpr bool kFeelsContention<TauLop> = true;
template <>
inline constexpr bool kFeelsContention<CellPLogP> = true;
template <>
inline constexpr bool kFeelsContention<Flow> = true;
[[nodiscard]] inline bool feels_contention(const Model& model) {
  return std::visit([](const auto& m) { return kFeelsContention<std::decay_t<decltype(m)>>; }, model);
}

/// True where a message is a sequence of transfers that all ranks of a round make in step: the first of all, then the
/// second of all, ... (Rico-Gallego et al., section 3).
[[nodiscard]] inline bool moves_in_step(const Model& model) {
  return std::holds_alternative<TauLop>(model);
}

/// Which end of the parameters' intervals a model is built from. Every cost grows with every parameter (rates like
/// LMO's beta are taken at their other end), so the bounds of the parameters bound the prediction.
enum class Bound { kLower, kValue, kUpper };

/// What a parameter is a function of.
enum class ParameterShape {
  kValue,    ///< of nothing
  kCurve,    ///< of the message size; a single value stands for the same at every size
  kSurface,  ///< of the size and of ParameterDescription::over; a curve or a value stands for the same at each of these
};

/// What a parameter belongs to.
enum class ParameterOwner {
  kLink,       ///< a channel or a pair of ranks
  kProcessor,  ///< a rank's processor; given for a channel, it holds for the ranks that have none of their own
  kPlatform,   ///< the platform: it stands with all channels
};

struct ParameterDescription {
  /// With an index, "o_i" stands for o_0, o_1, ...; "n@c" for one with the name of a channel, like n@shared-cache.
  std::string_view symbol;
  std::string_view unit;
  std::string_view meaning;
  ParameterShape shape = ParameterShape::kValue;
  /// Surfaces only: the second quantity, tau, n or stride.
  std::string_view over{};
  ParameterOwner owner = ParameterOwner::kLink;
  bool required = true;
  /// Taken from this one where it is not given: o_s and o_r from o.
  std::string_view falls_back_to{};
  bool may_be_negative = false;

  /// True for the symbol itself, or for one of those that it stands for.
  [[nodiscard]] bool matches(std::string_view name) const;
};

/// What the documentation, `postage models` and the parameter parser know of a model.
struct ModelDescription {
  std::string_view name;
  std::string_view title;
  std::string_view equation;
  std::string_view source;
  std::vector<ParameterDescription> parameters;
  /// Parameters as parse_parameters reads them.
  std::string_view example;
};

[[nodiscard]] std::span<const ModelDescription> models();

/// Throws UsageError listing the valid names.
[[nodiscard]] const ModelDescription& find_model(std::string_view name);

/// The names of all models, by the median error of their predictions of collectives on all simulated platforms of
/// docs/accuracy.md: the smallest first.
[[nodiscard]] std::span<const std::string_view> models_by_accuracy();

/// Builds the model that `table` names for a platform with these channels. Throws Error naming what is missing,
/// negative, not a number, out of order, or against the model's assumptions.
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
