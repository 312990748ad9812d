#include <postage/predict/closed_forms.hpp>

#include <bit>

namespace postage::closed_form {
namespace {

double ceil_log2(std::int64_t ranks) {
  return static_cast<double>(std::bit_width(static_cast<std::uint64_t>(ranks) - 1));
}

Seconds spacing(const LogGPLink& link, Bytes bytes) {
  return link.gap + link.gap_per_byte * static_cast<double>(std::max<Bytes>(bytes - 1, 0));
}

double number(std::int64_t value) {
  return static_cast<double>(value);
}

}  // namespace

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
  return ceil_log2(ranks) * message(link, bytes);
}

Seconds binomial_bcast(const LogGPLink& link, std::int64_t ranks, Bytes bytes) {
  return ceil_log2(ranks) * message(link, bytes);
}

Seconds pipeline_bcast(const HockneyLink& link, std::int64_t ranks, Bytes bytes, std::int64_t segments) {
  return ranks == 1 ? 0 : number(ranks - 2 + segments) * message(link, bytes);
}

Seconds pipeline_bcast(const LogGPLink& link, std::int64_t ranks, Bytes bytes, std::int64_t segments) {
  return ranks == 1 ? 0 : number(ranks - 1) * message(link, bytes) + number(segments - 1) * spacing(link, bytes);
}

Seconds dissemination_barrier(const HockneyLink& link, std::int64_t ranks) {
  return ceil_log2(ranks) * message(link, 0);
}

Seconds dissemination_barrier(const LogGPLink& link, std::int64_t ranks) {
  return ceil_log2(ranks) * message(link, 0);
}

}  // namespace postage::closed_form
