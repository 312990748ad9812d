#include <postage/base/error.hpp>
#include <postage/schedule/schedule.hpp>

#include <array>
#include <utility>

namespace postage {
namespace {

constexpr std::array<std::pair<Calls, std::string_view>, 4> kCalls{{{Calls::kOverlapping, "overlapping"},
                                                                    {Calls::kBlockingSends, "blocking-sends"},
                                                                    {Calls::kBlocking, "blocking"},
                                                                    {Calls::kReceivesFirst, "receives-first"}}};

}  // namespace

Calls parse_calls(std::string_view name) {
  std::string valid;
  for (const auto& [value, known] : kCalls) {
    if (known == name) {
      return value;
    }
    valid += (valid.empty() ? "" : ", ") + std::string(known);
  }
  throw UsageError(unknown_name("order of calls", std::string(name), valid));
}

}  // namespace postage
