#pragma once

#include <postage/model/model.hpp>
#include <postage/schedule/schedule.hpp>

namespace postage {

/// Channels inside a node that can be told apart.
inline constexpr std::size_t kMostChannels = 8;

/// What a pattern says of its transfers' cost, beside where they go and how large they are.
struct TransferForm {
  Protocol protocol = Protocol::kDefault;
  bool combined = false;  ///< the target combines what arrives with its own
  bool updates_what_it_sends = false;
  bool operator==(const TransferForm&) const = default;
};

[[nodiscard]] inline TransferForm form_of(const Pattern& pattern) {
  return {pattern.protocol, pattern.combine != Combine::kCopy, pattern.updates_what_it_sends};
}

/// What a transfer costs under its protocol.
///
/// - A get is the address's message (part of L(m) in models of gets), the data and the acknowledgement, which the
///   target puts before it combines: L(m) + L(1) + gamma m in Ali et al. Where target and source combine into what the
///   other reads, each waits for the other's acknowledgement too: L(m) + 2 L(1) + gamma m (table 5, recursive
///   doubling), unless the schedule names a protocol with one.
/// - A rendezvous is a request and its reply before the data, as LogGPS has it above S bytes, during which the source
///   waits: two messages of the smallest size, in models that do not know its cost themselves.
[[nodiscard]] TransferCost protocol_cost(const Model& model, TransferQuestion question, const TransferForm& form);

}  // namespace postage
