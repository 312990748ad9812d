#include "samples/samples_json.hpp"

#include <postage/base/error.hpp>

#include <concepts>

namespace postage {
namespace {
using Kind = ExperimentKind;

/// Calls `field` with the name and the member of each field that the experiment's kind uses.
template <typename Any, typename Field>
void for_each_field(Any& e, const Field& field) {
  field("bytes", e.bytes);
  if (is_between_two(e.kind) || e.kind == Kind::kOneToTwo) {
    field("source", e.source);
    field("target", e.target);
  }
  if (has_members(e.kind)) {
    field("members", e.members);
    field("channel", e.channel);
    field("method", e.method);
  }
  if (is_of_all(e.kind)) {
    field("root", e.root);
    field("ranks", e.ranks);
    field("method", e.method);
  }
  switch (e.kind) {
    case Kind::kRoundtrip:
      return field("reply_bytes", e.reply_bytes);
    case Kind::kStridedRoundtrip:
      field("run_bytes", e.run_bytes);
      field("stride", e.stride);
      return field("by_hand", e.by_hand);
    case Kind::kTrain:
    case Kind::kDelayedReceive:
      field("messages", e.messages);
      return field("delay", e.delay);
    case Kind::kSendOverhead:
      return field("messages", e.messages);
    case Kind::kOneToTwo:
      return field("second_target", e.second_target);
    case Kind::kCopy:
    case Kind::kProgram:
    case Kind::kReduction:
      return field("source", e.source);
    case Kind::kCollective:
      field("collective", e.collective);
      field("algorithm", e.algorithm);
      return field("segment_bytes", e.segment_bytes);
    default:
      return;
  }
}

void read(const JsonField& field, bool& member) {
  member = field.truth();
}
void read(const JsonField& field, double& member) {
  member = field.number();
}
void read(const JsonField& field, std::string& member) {
  member = field.text();
}
template <std::integral Integer>
void read(const JsonField& field, Integer& member) {
  member = field.count<Integer>();
}
void read(const JsonField& field, std::vector<std::int32_t>& member) {
  field.for_each_item([&](const JsonField& item) { member.push_back(item.count<std::int32_t>()); });
}

}  // namespace

Json to_json(const Experiment& e) {
  Json value{{"kind", name_of(e.kind)}};
  for_each_field(e, [&](const char* name, const auto& member) { value[name] = member; });
  return value;
}

Experiment read_experiment(const JsonField& field) {
  Experiment e;
  try {
    e.kind = parse_experiment_kind(field["kind"].text());
  } catch (const UsageError& mistake) {
    throw field["kind"].wrong(mistake.what());
  }
  for_each_field(e, [&](const char* name, auto& member) { read(field[name], member); });
  return e;
}

}  // namespace postage
