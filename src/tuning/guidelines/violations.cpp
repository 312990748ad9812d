#include <postage/base/files.hpp>
#include <postage/base/json_fields.hpp>
#include <postage/tuning/guidelines.hpp>
#include <postage/tuning/tune.hpp>

#include <limits>

namespace postage {
std::vector<SuspectedPoint> read_violations(const std::filesystem::path& path) {
  const Json json = read_json(path);
  check_envelope(json, kGuidelinesFormat, kGuidelinesVersion, path);
  const JsonField whole(json, path);
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
