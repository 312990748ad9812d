#include "predict/formulas/numbers.hpp"

#include <postage/predict/formulas/closed_forms.hpp>
#include <postage/predict/formulas/rico_gallego.hpp>

#include <algorithm>
#include <cmath>

namespace postage::closed_form {
namespace {

Seconds transfer(const TauLopLink& link, Bytes bytes, double concurrency) {
  return link.transfer.at(number(bytes), concurrency);
}

double power_of_two(std::int64_t exponent) {
  return std::ldexp(1.0, static_cast<int>(exponent));
}

}  // namespace

Seconds binomial_bcast(const TauLopLink& memory, std::int64_t ranks, Bytes bytes) {
  Seconds sum = 0;
  for (std::int64_t i = 0; i < ceil_log2(ranks); ++i) {
    sum += memory.overhead.at(number(bytes)) + memory.transfers * transfer(memory, bytes, power_of_two(i));
  }
  return sum;
}

Seconds segmented_message(const TauLopLink& memory, Bytes segment, std::int64_t segments) {
  return 2 * transfer(memory, segment, 1) + number(segments - 1) * transfer(memory, segment, 2);
}

Seconds segmented_message_approximately(const TauLopLink& memory, Bytes segment, std::int64_t segments) {
  return memory.overhead.at(number(segment * segments)) + number(segments) * transfer(memory, segment, 2);
}

Seconds segmented_exchange(const TauLopLink& memory, Bytes segment, std::int64_t segments) {
  return memory.overhead.at(number(segment * segments)) + 2 * number(segments) * transfer(memory, segment, 1);
}

Seconds exchange_stage(const TauLopLink& memory, std::int64_t ranks, Bytes segment, std::int64_t segments) {
  return memory.overhead.at(number(segment * segments)) +
         2 * number(segments) * transfer(memory, segment, number(ranks));
}

Seconds segmented_message_approximately(const LogGPLink& link, Bytes segment, std::int64_t segments) {
  const Seconds stream = number(segment) * link.gap_per_byte;
  return link.latency + link.send_overhead + link.receive_overhead + stream +
         number(segments - 1) * (link.gap + stream);
}

Seconds binomial_scatter(const LogGPLink& link, std::int64_t ranks, Bytes segment, std::int64_t segments) {
  const Seconds stream = number(segment) * link.gap_per_byte;
  const Seconds first = link.latency + link.send_overhead + link.receive_overhead + stream;
  return number(exact_log2(ranks, "the binomial scatter")) * first +
         number(ranks - 1) / number(ranks) * number(segments - 1) * (link.gap + stream);
}

Seconds recursive_doubling_allgather(const LogGPLink& link, std::int64_t ranks, Bytes segment, std::int64_t segments) {
  return binomial_scatter(link, ranks, segment, segments);
}

Seconds binomial_scatter(const TauLopLink& memory, std::int64_t ranks, Bytes segment, std::int64_t segments) {
  Seconds sum = 0;
  for (std::int64_t i = 1; i <= exact_log2(ranks, "the binomial scatter"); ++i) {
    sum += number(segments) / power_of_two(i) * transfer(memory, segment, power_of_two(i));
  }
  return sum;
}

Seconds binomial_scatter_bound(const TauLopLink& memory, std::int64_t ranks, Bytes segment, std::int64_t segments) {
  static_cast<void>(exact_log2(ranks, "the binomial scatter"));
  return number(segments) * (number(ranks - 1) / number(ranks)) * transfer(memory, segment, number(ranks));
}

Seconds recursive_doubling_allgather(const TauLopLink& memory, std::int64_t ranks, Bytes segment,
                                     std::int64_t segments) {
  static_cast<void>(exact_log2(ranks, "the allgather by recursive doubling"));
  return 2 * number(segments) * (number(ranks - 1) / number(ranks)) * transfer(memory, segment, number(ranks));
}

Seconds sequential_ring_allgather(const LogGPLink& node, const LogGPLink& network, std::int64_t ranks, Bytes bytes) {
  return number(ranks - 1) * (message(node, bytes) + message(network, bytes));
}

Seconds round_robin_ring_allgather(const LogGPLink& network, std::int64_t ranks, Bytes bytes) {
  return number(ranks - 1) * 2 * message(network, bytes);
}

Seconds sequential_ring_of_messages(const TauLopLink& memory, const TauLopLink& network, std::int64_t ranks,
                                    std::int64_t per_node, Bytes bytes) {
  return number(ranks - 1) *
         (2 * transfer(memory, bytes, number(per_node)) + 2 * transfer(memory, bytes, 1) + transfer(network, bytes, 1));
}

Seconds round_robin_ring_of_messages(const TauLopLink& memory, const TauLopLink& network, std::int64_t ranks,
                                     std::int64_t per_node, Bytes bytes) {
  return 2 * round_robin_ring_allgather(memory, network, ranks, per_node, bytes);
}

Seconds sequential_ring_as_printed(const TauLopLink& memory, const TauLopLink& network, std::int64_t ranks,
                                   std::int64_t per_node, Bytes bytes) {
  return number(ranks - 1) *
         (transfer(memory, bytes, number(per_node)) + transfer(network, bytes, 1) + transfer(memory, bytes, 1));
}

Seconds sequential_ring_allgather(const TauLopLink& memory, const TauLopLink& network, std::int64_t ranks,
                                  std::int64_t per_node, Bytes bytes) {
  // With one rank on a node nothing but the network's transfer is under way in the middle.
  const Seconds within = per_node > 1 ? transfer(memory, bytes, number(per_node - 1)) : 0;
  return number(ranks - 1) * (transfer(memory, bytes, number(per_node)) +
                              std::max(within, transfer(network, bytes, 1)) + transfer(memory, bytes, 1));
}

Seconds round_robin_ring_allgather(const TauLopLink& memory, const TauLopLink& network, std::int64_t ranks,
                                   std::int64_t per_node, Bytes bytes) {
  const double q = number(per_node);
  return number(ranks - 1) * (transfer(memory, bytes, q) + transfer(network, bytes, q) + transfer(memory, bytes, q));
}

}  // namespace postage::closed_form
