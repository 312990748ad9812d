#pragma once

#include <postage/model/properties.hpp>

#include <limits>
#include <string_view>
#include <vector>

namespace postage {

class Model;
struct BuildRequest;
struct ParameterGroup;

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

/// What of a machine a parameter stands for, so that one can ask what a faster one would gain (predict/what_if.hpp). Of
/// a curve or surface of kLatency and of kMessageRate, what grows with the size is the channel's bandwidth.
enum class ParameterRole {
  kNone,         ///< a size, a count, a share
  kLatency,      ///< time on the channel
  kMessageRate,  ///< time between messages
  kBandwidth,    ///< a rate of the channel, a time per byte, or what messages wait for others that share it
  kOverhead,     ///< time of a processor
  /// One of a message's transfers, whose symbol may be numbered. The first and the last are kOverhead where others are
  /// between them, as on a network; the others, and all within a node, are kLatency.
  kTransfer,
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
  ParameterRole role = ParameterRole::kNone;

  /// True for the symbol itself, or for one of those that it stands for.
  [[nodiscard]] bool matches(std::string_view name) const;
};

/// All that the library knows of a model: the value from which tables, options, `postage models`, the parser of
/// parameters, measurement plans and docs/models.md derive. A model is one header with its type and one source with its
/// descriptor in src/model/models/, which the build registers; or it is registered at run time (register_model).
struct ModelDescriptor {
  std::string_view name;      ///< as users write it: "loggp"
  std::string_view title;     ///< as papers write it: "LogGP"
  std::string_view equation;  ///< of one message of m bytes
  std::string_view source;    ///< the paper
  /// gamma, which every model takes, need not be listed: registering adds it as the last one.
  std::vector<ParameterDescription> parameters;
  /// Parameters as parse_parameters reads them.
  std::string_view example;
  /// The model from a table's parameters. Throws Error as build_model does.
  Model (*build)(const BuildRequest& request) = nullptr;
  /// Makes true again what must hold between a group's parameters, after each was scaled alone; nullptr where nothing
  /// need hold.
  void (*restore)(ParameterGroup& group) = nullptr;
  ModelProperties properties{};
  /// What must be measured beside roundtrips and the reduction kernel to estimate its parameters: names of
  /// measurement_requirements().
  std::vector<std::string_view> needs{};
  /// Position in lists and in platform files, smallest first; models of the same one by name.
  int order = std::numeric_limits<int>::max();
  /// Position in docs/accuracy.md by the median error of predicted collectives, 1 for the smallest.
  int accuracy_rank = std::numeric_limits<int>::max();
};

}  // namespace postage
