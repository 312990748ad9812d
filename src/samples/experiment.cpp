#include <postage/base/error.hpp>
#include <postage/samples/experiment.hpp>

#include <fmt/format.h>

#include <array>
#include <mutex>
#include <numeric>
#include <set>
#include <utility>

namespace postage {
namespace {

constexpr std::array<std::pair<TimingMethod, std::string_view>, 3> kMethods{
    {{TimingMethod::kRoot, "root"}, {TimingMethod::kMaximum, "maximum"}, {TimingMethod::kClocks, "clocks"}}};

std::string describe_pair(const Experiment& e) {
  std::string text = fmt::format("{} {}-{}", e.kind.name(), e.source, e.target);
  if (e.run_bytes > 0) {
    text += fmt::format(", {} of {}{}", format_bytes(e.run_bytes), format_bytes(e.stride), e.by_hand ? ", packed" : "");
  } else if (e.messages > 1) {
    text += fmt::format(", {} messages{}", e.messages, e.delay > 0 ? " with delays" : "");
  } else if (e.kind == ExperimentKind::kRoundtrip && e.reply_bytes != e.bytes) {
    text += fmt::format(", reply of {}", format_bytes(e.reply_bytes));
  }
  return text;
}

}  // namespace

ExperimentKind ExperimentKind::named(std::string_view name, ExperimentFields fields) {
  static std::mutex mutex;
  static std::set<std::string, std::less<>> names;  // its strings never move
  const std::lock_guard lock(mutex);
  return ExperimentKind(*names.emplace(name).first, fields);
}

std::string_view name_of(TimingMethod method) {
  for (const auto& [known, name] : kMethods) {
    if (known == method) {
      return name;
    }
  }
  return "";
}

TimingMethod parse_timing_method(std::string_view wanted) {
  std::string names;
  for (const auto& [method, name] : kMethods) {
    if (name == wanted) {
      return method;
    }
    names += (names.empty() ? "" : ", ") + std::string(name);
  }
  throw UsageError(unknown_name("timing method", std::string(wanted), names));
}

bool is_between_two(const Experiment& e) {
  return e.target >= 0 && e.second_target < 0;
}

std::vector<std::int32_t> participants(const Experiment& e) {
  if (!e.members.empty()) {
    return e.members;
  }
  if (e.ranks > 0) {
    std::vector<std::int32_t> all(static_cast<std::size_t>(e.ranks));
    std::iota(all.begin(), all.end(), 0);
    return all;
  }
  std::vector<std::int32_t> few{e.source};
  for (const std::int32_t other : {e.target, e.second_target}) {
    if (other >= 0) {
      few.push_back(other);
    }
  }
  return few;
}

std::string describe(const Experiment& e) {
  if (!e.collective.empty()) {
    return fmt::format(
        "{} {}{}{}{}", e.collective, e.algorithm,
        e.segment_bytes > 0 ? ", segments of " + format_bytes(e.segment_bytes) : "",
        e.stride > 0 ? fmt::format(", pieces of {} every {}", format_bytes(e.run_bytes), format_bytes(e.stride)) : "",
        e.steps > 0 ? fmt::format(", stopped after {} steps", e.steps) : "");
  }
  if (!e.members.empty()) {
    return fmt::format("{} of {} over {}", e.kind.name(), e.members.size(), e.channel);
  }
  if (e.ranks > 0) {
    return fmt::format("{} from {}", e.kind.name(), e.root);
  }
  if (is_between_two(e)) {
    return describe_pair(e);
  }
  return e.target >= 0 ? fmt::format("{} {}-{},{}", e.kind.name(), e.source, e.target, e.second_target)
                       : fmt::format("{} at {}", e.kind.name(), e.source);
}

}  // namespace postage
