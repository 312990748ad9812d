#include <postage/base/files.hpp>
#include <postage/base/json_fields.hpp>
#include <postage/tuning/tune.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

namespace postage {
namespace {

void check_is_of_guidelines(const JsonField& whole, const std::filesystem::path& path) {
  constexpr std::array<const char*, 3> kFields{"implementation", "ranks", "results"};
  const bool has_all =
      whole.is_object() && std::ranges::all_of(kFields, [&](const char* field) { return whole.has(field); });
  if (!has_all) {
    throw Error(fmt::format("{} is not what 'postage guidelines --json' prints, or 'postage guidelines -o FILE' writes",
                            path.string()));
  }
}

}  // namespace

std::vector<SuspectedPoint> read_violations(const std::filesystem::path& path) {
  const Json json = read_json(path);
  const JsonField whole(json, path);
  check_is_of_guidelines(whole, path);
  const auto ranks = static_cast<Rank>(whole["ranks"].integer(1, std::numeric_limits<Rank>::max()));
  std::vector<SuspectedPoint> points;
  whole["results"].for_each_item([&](const JsonField& result) {
    if (result["violated"].truth()) {
      points.push_back({.collective = parse_collective(result["collective"].text()),
                        .ranks = ranks,
                        .bytes = result["bytes"].count<Bytes>(),
                        .schedule = result["schedule"].text()});
    }
  });
  return points;
}

}  // namespace postage
