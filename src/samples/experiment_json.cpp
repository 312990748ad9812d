#include <postage/base/error.hpp>
#include <postage/base/older_names.hpp>
#include <postage/samples/samples_json.hpp>

#include <concepts>

namespace postage {
namespace {

using Field = ExperimentField;

/// Calls `visit` with each field, its name in files and its member.
template <typename Any, typename Visit>
void for_each_field(Any& e, const Visit& visit) {
  visit(Field::kSource, "source", e.source);
  visit(Field::kTarget, "target", e.target);
  visit(Field::kSecondTarget, "second_target", e.second_target);
  visit(Field::kMembers, "members", e.members);
  visit(Field::kChannel, "channel", e.channel);
  visit(Field::kRoot, "root", e.root);
  visit(Field::kRanks, "ranks", e.ranks);
  visit(Field::kMethod, "method", e.method);
  visit(Field::kReplyBytes, "reply_bytes", e.reply_bytes);
  visit(Field::kMessages, "messages", e.messages);
  visit(Field::kDelay, "delay", e.delay);
  visit(Field::kRunBytes, "run_bytes", e.run_bytes);
  visit(Field::kStride, "stride", e.stride);
  visit(Field::kByHand, "by_hand", e.by_hand);
  visit(Field::kCollective, "collective", e.collective);
  visit(Field::kAlgorithm, "algorithm", e.algorithm);
  visit(Field::kSegmentBytes, "segment_bytes", e.segment_bytes);
  visit(Field::kSteps, "steps", e.steps);
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

/// The fields that are there, which must say who takes part.
ExperimentFields fields_in(const JsonField& file) {
  ExperimentFields fields;
  Experiment names;
  for_each_field(names, [&](Field field, const char* name, const auto&) {
    if (file.has(name)) {
      fields.add(field);
    }
  });
  const bool is_of_few =
      fields.has(Field::kSource) && (!fields.has(Field::kSecondTarget) || fields.has(Field::kTarget));
  const bool is_of_members = fields.has_all({Field::kMembers, Field::kChannel, Field::kMethod});
  const bool is_of_all = fields.has_all({Field::kRoot, Field::kRanks, Field::kMethod});
  if (!is_of_few && !is_of_members && !is_of_all) {
    throw file.wrong(
        "an experiment that says who takes part: source, target and second_target; members, channel and method; or "
        "root, ranks and method");
  }
  return fields;
}

}  // namespace

Json to_json(const Experiment& e) {
  if (e.kind.fields().empty()) {
    throw Error("experiments of the kind " + std::string(e.kind.name()) + " are not described, so none can be written");
  }
  Json value{{"kind", e.kind.name()}, {"bytes", e.bytes}};
  for_each_field(e, [&](Field field, const char* name, const auto& member) {
    if (e.kind.fields().has(field)) {
      value[name] = member;
    }
  });
  return value;
}

Experiment ExperimentReader::operator()(const JsonField& file) {
  const std::string name(current_name(file["kind"].text()));
  auto known = kinds_.find(name);
  if (known == kinds_.end()) {
    known = kinds_.emplace(name, ExperimentKind::named(name, fields_in(file))).first;
  }
  Experiment e{.kind = known->second};
  read(file["bytes"], e.bytes);
  for_each_field(e, [&](Field field, const char* in_file, auto& member) {
    if (e.kind.fields().has(field)) {
      read(file[in_file], member);
    }
  });
  return e;
}

}  // namespace postage
