#pragma once

#include <postage/model/model.hpp>
#include <postage/samples/samples.hpp>

#include <string>
#include <vector>

namespace postage {

/// A machine that takes exactly the times that a model says, but for noise: what estimators make of its samples must be
/// the model's parameters. Two or more nodes of ranks that share a cache.
struct SyntheticMachine {
  std::string model;
  std::string parameters;  ///< as parse_parameters reads them
  int nodes = 2;
  int ranks_per_node = 8;
  double noise = 0;  ///< standard deviation of each repetition, as a share of its time
  unsigned seed = 1;
  bool serves_in_order = true;  ///< a root's receivers get their messages one after the other, else all at once

  [[nodiscard]] std::vector<std::string> channels() const;
  [[nodiscard]] Model truth(Bound bound = Bound::kValue) const;
};

/// Which sizes each experiment has.
struct SyntheticPlan {
  std::vector<Bytes> roundtrips;
  std::vector<Bytes> overheads{};   ///< send overheads, delayed receives, trains with and without delays
  std::vector<Bytes> strided{};     ///< at strides of 8, 64 and 512 bytes
  std::vector<Bytes> concurrent{};  ///< pairs and rings
  std::vector<Bytes> fans{};        ///< and butterflies
};

/// 1, 2, 4, ... 1 MiB.
[[nodiscard]] std::vector<Bytes> powers_of_two();

/// Three pairs in a node and three between nodes, and the groups of both channels.
[[nodiscard]] SampleSet measure(const SyntheticMachine& machine, const SyntheticPlan& plan);

/// The group of parameters for a channel, the only one or that from a size.
[[nodiscard]] const ParameterGroup& group_for(const Platform& platform, const std::string& model,
                                              const std::string& channel);

}  // namespace postage
