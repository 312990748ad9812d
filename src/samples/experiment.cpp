#include <postage/base/error.hpp>
#include <postage/samples/experiment.hpp>

#include <fmt/format.h>

#include <array>
#include <numeric>
#include <utility>

namespace postage {
namespace {

using Kind = ExperimentKind;

constexpr std::array<std::pair<Kind, std::string_view>, 20> kKinds{{
    {Kind::kRoundtrip, "roundtrip"},
    {Kind::kStridedRoundtrip, "strided-roundtrip"},
    {Kind::kEcho, "echo"},
    {Kind::kTrain, "train"},
    {Kind::kSendOverhead, "send-overhead"},
    {Kind::kDelayedReceive, "delayed-receive"},
    {Kind::kOneToTwo, "one-to-two"},
    {Kind::kConcurrentPairs, "concurrent-pairs"},
    {Kind::kRing, "ring"},
    {Kind::kIncast, "incast"},
    {Kind::kOutcast, "outcast"},
    {Kind::kButterfly, "butterfly"},
    {Kind::kSynchronisedExchange, "meeting"},
    {Kind::kAnswer, "answer"},
    {Kind::kScatter, "scatter"},
    {Kind::kGather, "gather"},
    {Kind::kCollective, "collective"},
    {Kind::kCopy, "copy"},
    {Kind::kProgram, "program"},
    {Kind::kReduction, "reduction"},
}};

constexpr std::array<std::pair<TimingMethod, std::string_view>, 3> kMethods{
    {{TimingMethod::kRoot, "root"}, {TimingMethod::kMaximum, "maximum"}, {TimingMethod::kClocks, "clocks"}}};

template <typename Table, typename Value>
std::string_view name_in(const Table& table, Value value) {
  for (const auto& [known, name] : table) {
    if (known == value) {
      return name;
    }
  }
  return "";
}

template <typename Table>
auto find_in(const Table& table, const char* what, std::string_view wanted) {
  std::string names;
  for (const auto& [value, name] : table) {
    if (name == wanted) {
      return value;
    }
    names += (names.empty() ? "" : ", ") + std::string(name);
  }
  throw UsageError(unknown_name(what, std::string(wanted), names));
}

std::string describe_pair(const Experiment& e) {
  std::string text = fmt::format("{} {}-{}", name_of(e.kind), e.source, e.target);
  if (e.kind == Kind::kStridedRoundtrip) {
    text += fmt::format(", {} of {}{}", format_bytes(e.run_bytes), format_bytes(e.stride), e.by_hand ? ", packed" : "");
  } else if (e.messages > 1) {
    text += fmt::format(", {} messages{}", e.messages, e.delay > 0 ? " with delays" : "");
  } else if (e.kind == Kind::kRoundtrip && e.reply_bytes != e.bytes) {
    text += fmt::format(", reply of {}", format_bytes(e.reply_bytes));
  }
  return text;
}

}  // namespace

std::string_view name_of(ExperimentKind kind) {
  return name_in(kKinds, kind);
}

ExperimentKind parse_experiment_kind(std::string_view name) {
  return find_in(kKinds, "kind of experiment", name);
}

std::string_view name_of(TimingMethod method) {
  return name_in(kMethods, method);
}

TimingMethod parse_timing_method(std::string_view name) {
  return find_in(kMethods, "timing method", name);
}

bool is_between_two(ExperimentKind kind) {
  return kind == Kind::kRoundtrip || kind == Kind::kStridedRoundtrip || kind == Kind::kEcho || kind == Kind::kTrain ||
         kind == Kind::kSendOverhead || kind == Kind::kDelayedReceive;
}

bool has_members(ExperimentKind kind) {
  return kind == Kind::kConcurrentPairs || kind == Kind::kRing || kind == Kind::kIncast || kind == Kind::kOutcast ||
         kind == Kind::kButterfly || kind == Kind::kSynchronisedExchange || kind == Kind::kAnswer;
}

bool is_on_one_rank(ExperimentKind kind) {
  return kind == Kind::kCopy || kind == Kind::kProgram || kind == Kind::kReduction;
}

bool is_of_all(ExperimentKind kind) {
  return kind == Kind::kScatter || kind == Kind::kGather || kind == Kind::kCollective;
}

std::vector<std::int32_t> participants(const Experiment& e) {
  if (is_between_two(e.kind)) {
    return {e.source, e.target};
  }
  if (e.kind == Kind::kOneToTwo) {
    return {e.source, e.target, e.second_target};
  }
  if (is_on_one_rank(e.kind)) {
    return {e.source};
  }
  if (has_members(e.kind)) {
    return e.members;
  }
  std::vector<std::int32_t> all(static_cast<std::size_t>(e.ranks));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

std::string describe(const Experiment& e) {
  if (e.kind == Kind::kCollective) {
    return fmt::format("{} {}{}", e.collective, e.algorithm,
                       e.segment_bytes > 0 ? ", segments of " + format_bytes(e.segment_bytes) : "");
  }
  if (is_between_two(e.kind)) {
    return describe_pair(e);
  }
  if (e.kind == Kind::kOneToTwo) {
    return fmt::format("one-to-two {}-{},{}", e.source, e.target, e.second_target);
  }
  if (is_on_one_rank(e.kind)) {
    return fmt::format("{} at {}", name_of(e.kind), e.source);
  }
  if (has_members(e.kind)) {
    return fmt::format("{} of {} over {}", name_of(e.kind), e.members.size(), e.channel);
  }
  return fmt::format("{} from {}", name_of(e.kind), e.root);
}

}  // namespace postage
