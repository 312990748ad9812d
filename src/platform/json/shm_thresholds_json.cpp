#include <postage/base/older_names.hpp>
#include <postage/platform/platform_json.hpp>

#include <fmt/format.h>

#include <string>

namespace postage {
namespace {

constexpr const char* kRewritten = "rewritten";
constexpr const char* kReused = "reused";

Json to_json(const MeasuredThresholds& measured) {
  const ProtocolThresholds& sizes = measured.thresholds;
  return {{"level", measured.level},
          {"buffers", measured.buffers == BufferUse::kReused ? kReused : kRewritten},
          {"eager", sizes.eager},
          {"single_copy", sizes.single_copy},
          {"cooperative", sizes.cooperative},
          {"skewed_single_copy", sizes.skewed_single_copy},
          {"bidirectional_single_copy", sizes.bidirectional_single_copy},
          {"pool_window", sizes.pool_window}};
}

BufferUse read_buffer_use(const JsonField& field) {
  const std::string text = field.text();
  if (text != kRewritten && text != kReused) {
    throw field.wrong(fmt::format("'{}' or '{}'", kRewritten, kReused));
  }
  return text == kReused ? BufferUse::kReused : BufferUse::kRewritten;
}

MeasuredThresholds read_thresholds(const JsonField& field) {
  return {.level = field["level"].text(),
          .buffers = read_buffer_use(field["buffers"]),
          .thresholds = {.eager = field["eager"].count<Bytes>(),
                         .single_copy = field["single_copy"].count<Bytes>(),
                         .cooperative = field["cooperative"].count<Bytes>(),
                         .skewed_single_copy = field["skewed_single_copy"].count<Bytes>(),
                         .bidirectional_single_copy = field["bidirectional_single_copy"].count<Bytes>(),
                         .pool_window = field["pool_window"].truth()}};
}

/// As earlier versions wrote them, for messages in one direction.
MeasuredThresholds read_earlier_thresholds(const JsonField& field) {
  const auto single_copy = field["single_copy"].count<Bytes>();
  return {.level = field["channel"].text(),
          .thresholds = {.eager = field["eager"].count<Bytes>(),
                         .single_copy = single_copy,
                         .cooperative = field[older_name("cooperative")].count<Bytes>(),
                         .skewed_single_copy = field["skewed_single_copy"].count<Bytes>(),
                         .bidirectional_single_copy = single_copy}};
}

}  // namespace

void add_thresholds(Json& file, const std::vector<MeasuredThresholds>& thresholds) {
  for (const MeasuredThresholds& measured : thresholds) {
    file["shm_protocols"].push_back(to_json(measured));
  }
}

std::vector<MeasuredThresholds> read_all_thresholds(const JsonField& file) {
  std::vector<MeasuredThresholds> thresholds;
  if (file.has("shm_protocols")) {
    file["shm_protocols"].for_each_item(
        [&](const JsonField& measured) { thresholds.push_back(read_thresholds(measured)); });
  } else if (file.has("channel_thresholds")) {
    file["channel_thresholds"].for_each_item(
        [&](const JsonField& measured) { thresholds.push_back(read_earlier_thresholds(measured)); });
  }
  return thresholds;
}

}  // namespace postage
