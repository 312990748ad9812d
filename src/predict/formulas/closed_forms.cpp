#include "predict/formulas/numbers.hpp"

#include <postage/predict/formulas/closed_forms.hpp>

namespace postage::closed_form {
namespace {

Seconds spacing(const LogGPLink& link, Bytes bytes) {
  return link.gap + link.gap_per_byte * number(std::max<Bytes>(bytes - 1, 0));
}

}  // namespace

Seconds linear_bcast(const TransferCost& cost, std::int64_t ranks) {
  return ranks == 1 ? 0 : number(ranks - 2) * std::max(cost.sender_busy, cost.gap) + cost.total();
}

Seconds binomial_bcast(const TransferCost& cost, std::int64_t ranks) {
  return number(ceil_log2(ranks)) * cost.total();
}

Seconds pipeline_bcast(const TransferCost& cost, std::int64_t ranks, std::int64_t segments) {
  if (ranks == 1) {
    return 0;
  }
  const Seconds processor =
      ranks == 2 ? std::max(cost.sender_busy, cost.receiver_busy) : cost.sender_busy + cost.receiver_busy;
  return number(ranks - 1) * cost.total() + number(segments - 1) * std::max(cost.gap, processor);
}

Seconds dissemination_barrier(const TransferCost& cost, std::int64_t ranks) {
  return number(ceil_log2(ranks)) * cost.total();
}

Seconds message(const HockneyLink& link, Bytes bytes) {
  return link.latency + link.seconds_per_byte * number(bytes);
}

Seconds message(const LogGPLink& link, Bytes bytes) {
  return link.send_overhead + link.latency + link.gap_per_byte * number(std::max<Bytes>(bytes - 1, 0)) +
         link.receive_overhead;
}

Seconds segmented_message(const LogGPLink& link, Bytes bytes, std::int64_t segments) {
  return message(link, bytes) + number(segments - 1) * spacing(link, bytes);
}

Seconds linear_bcast(const HockneyLink& link, std::int64_t ranks, Bytes bytes) {
  return number(ranks - 1) * message(link, bytes);
}

Seconds linear_bcast(const LogGPLink& link, std::int64_t ranks, Bytes bytes) {
  return ranks == 1 ? 0 : number(ranks - 2) * spacing(link, bytes) + message(link, bytes);
}

Seconds binomial_bcast(const HockneyLink& link, std::int64_t ranks, Bytes bytes) {
  return number(ceil_log2(ranks)) * message(link, bytes);
}

Seconds binomial_bcast(const LogGPLink& link, std::int64_t ranks, Bytes bytes) {
  return number(ceil_log2(ranks)) * message(link, bytes);
}

Seconds pipeline_bcast(const HockneyLink& link, std::int64_t ranks, Bytes bytes, std::int64_t segments) {
  return ranks == 1 ? 0 : number(ranks - 2 + segments) * message(link, bytes);
}

Seconds pipeline_bcast(const LogGPLink& link, std::int64_t ranks, Bytes bytes, std::int64_t segments) {
  return ranks == 1 ? 0 : number(ranks - 1) * message(link, bytes) + number(segments - 1) * spacing(link, bytes);
}

Seconds dissemination_barrier(const HockneyLink& link, std::int64_t ranks) {
  return number(ceil_log2(ranks)) * message(link, 0);
}

Seconds dissemination_barrier(const LogGPLink& link, std::int64_t ranks) {
  return number(ceil_log2(ranks)) * message(link, 0);
}

}  // namespace postage::closed_form
