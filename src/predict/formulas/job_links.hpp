#pragma once

#include <postage/base/error.hpp>
#include <postage/predict/formulas/formula.hpp>

namespace postage {

// What formulas take from a job. Conditions that do not hold throw UsageError, in sentences that go on from
// "formula NAME ".

[[nodiscard]] inline Interval exactly(Seconds seconds) {
  return {seconds, seconds};
}

/// The concrete model, whose name `evaluate` has checked.
template <typename Concrete>
[[nodiscard]] const Concrete& concrete_model(const FormulaJob& job) {
  const Concrete* model = job.platform.model().target<Concrete>();
  if (model == nullptr) {
    throw Error("a formula is listed for a model of another type than its own");
  }
  return *model;
}

/// The one channel that joins all ranks. Throws where there are several. O(P^2) for few ranks, else O(P).
[[nodiscard]] ChannelId only_channel(const FormulaJob& job);

/// The channel from rank `source` to rank `target`.
[[nodiscard]] inline ChannelId channel_between(const FormulaJob& job, Rank source, Rank target) {
  return job.platform.channels().channel_of(source, target);
}

/// True where all ranks run on one node, as they do where no mapping was given.
[[nodiscard]] bool is_on_one_node(const FormulaJob& job);

/// Ranks on full nodes, Q = per_node on each of M = nodes.
struct FullNodes {
  std::int64_t nodes = 1;
  std::int64_t per_node = 1;
  ChannelId within = 0;
  ChannelId between = 0;
};
/// Of a block (sequential) or cyclic (round-robin) mapping of at least two nodes with at least two ranks each. Throws
/// where the mapping is another one, or does not fill its nodes.
[[nodiscard]] FullNodes full_nodes(const FormulaJob& job, Mapping::Kind kind);

/// What the model's links say of messages of `bytes` bytes over a channel.
template <typename Concrete>
[[nodiscard]] const auto& link_on(const FormulaJob& job, ChannelId channel, Bytes bytes) {
  return concrete_model<Concrete>(job).links.at({.channel = channel, .bytes = bytes});
}

/// Distance between the pieces of the job's messages; 0 where they are contiguous.
[[nodiscard]] inline Bytes stride_of(const FormulaJob& job) {
  const Strides& strides = job.platform.strides();
  return strides.separates(job.bytes) ? strides.stride : 0;
}

/// `--set` of the job, or `otherwise`.
[[nodiscard]] Index setting_or(const FormulaJob& job, std::string_view name, Index otherwise);

/// m/P of a vector of m bytes. Throws where it is not whole.
[[nodiscard]] Bytes part_of_vector(const FormulaJob& job);

}  // namespace postage
