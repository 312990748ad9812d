#include "cli/preload/platform_decisions.hpp"

#include "cli/tuning/tune_options.hpp"

#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/base/json.hpp>
#include <postage/base/units.hpp>
#include <postage/tuning/tune.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace postage {
namespace {

std::filesystem::path cache_folder() {
  for (const auto& [name, below] : {std::pair{"XDG_CACHE_HOME", "postage"}, std::pair{"HOME", ".cache/postage"}}) {
    const char* const folder = std::getenv(name);
    if (folder != nullptr && *folder != '\0') {
      return std::filesystem::path(folder) / below;
    }
  }
  throw Error("--platform: neither XDG_CACHE_HOME nor HOME says where to keep decisions");
}

/// FNV-1a: tells contents apart, no more.
std::uint64_t fingerprint(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  }
  return hash;
}

DecisionTable predicted(const Platform& platform) {
  const TuneOptions usual;
  TuneRequest request{.target = TuningTarget::kPreload,
                      .jobs = jobs_of(usual, platform),
                      .collectives = collectives_of(usual),
                      .sizes = parse_sizes(usual.sizes)};
  std::sort(request.sizes.begin(), request.sizes.end());
  return decide_by_prediction(request, platform);
}

/// False where an earlier postage wrote what this one does not read.
bool is_usable(const std::filesystem::path& file) {
  try {
    return read_decisions(file).target() == TuningTarget::kPreload;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

std::filesystem::path decisions_of_platform(const std::filesystem::path& platform) {
  const Platform known = read_platform(platform);
  const std::filesystem::path file =
      cache_folder() / fmt::format("decisions-{:016x}.json", fingerprint(read_file(platform)));
  if (!is_usable(file)) {
    write_json(file, to_json(predicted(known)));
  }
  return file;
}

}  // namespace postage
