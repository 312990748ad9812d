#include "tuning/emit/targets.hpp"

#include <postage/base/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace postage {
namespace {

EmittedTarget emit_target(const DecisionTable& table) {
  switch (table.target()) {
    case TuningTarget::kOpenMpi:
      return emit_open_mpi(table);
    case TuningTarget::kMpich:
      return emit_mpich(table);
    case TuningTarget::kUcc:
      return emit_ucc(table);
    case TuningTarget::kIntelMpi:
      return emit_intel_mpi(table);
    default:
      throw UsageError(
          fmt::format("{} reads no tuning files: name openmpi, mpich, ucc or intel", name_of(table.target())));
  }
}

}  // namespace

Bytes segment_of(const EmittedRange& range) {
  return range.rule != nullptr && range.algorithm->takes_segment ? range.rule->choice.segment : 0;
}

Index fan_out_of(const EmittedRange& range) {
  if (range.rule == nullptr || range.algorithm->fan_out.empty()) {
    return 0;
  }
  const auto found = range.rule->choice.parameters.find(range.algorithm->fan_out);
  return found == range.rule->choice.parameters.end() ? 0 : found->second;
}

EmittedFiles emit(std::span<const DecisionTable> tables, const EmitOptions& options) {
  EmittedFiles emitted;
  std::vector<EmittedTarget> targets;
  for (const DecisionTable& table : tables) {
    targets.push_back(emit_target(table));
    const EmittedTarget& target = targets.back();
    emitted.files.insert(emitted.files.end(), target.files.begin(), target.files.end());
    emitted.notes.insert(emitted.notes.end(), target.notes.begin(), target.notes.end());
    emitted.files.push_back({fmt::format("decisions-{}.json", name_of(table.target())), to_json(table).dump(1) + "\n"});
  }
  const std::vector<EmittedFile> scripts = emit_scripts(tables, targets, options);
  emitted.files.insert(emitted.files.end(), scripts.begin(), scripts.end());
  return emitted;
}

}  // namespace postage
