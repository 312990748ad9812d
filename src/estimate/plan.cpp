#include <postage/base/error.hpp>
#include <postage/estimate/plan.hpp>
#include <postage/model/model.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <set>

namespace postage {
namespace {

/// An option of the measuring program, for models with one requirement, with its value at each scale: in full, quick,
/// and simulated.
struct SizedOption {
  std::string_view requirement;
  const char* option;
  std::array<const char*, 3> values;
};

/// Most protocols give way to others at a power of two, which belongs to the one or the other, and some take a header
/// along.
constexpr const char* kBesidePowers =
    "4032,4160,8128,8256,16320,16448,32704,32832,65472,65600,131008,131136,262080,262208";

/// Where caches hold a message no longer its time grows faster, and between two powers of two much may change.
constexpr const char* kBetweenLarge = "384K,768K";

/// An option that several requirements have gets the sizes of all.
constexpr std::array<SizedOption, 27> kOptions{{
    {"overheads", "--overhead-sizes", {"1", "1", "1"}},
    {"trains", "--train-sizes", {"1,1K,16K,64K", "1,64K", "1,1K,64K"}},
    {"protocols", "--overhead-sizes", {"1,1K,4K,16K,64K,256K,1M", "1,1K,16K,64K,1M", "1,4K,16K,64K,1M"}},
    {"protocols", "--overhead-sizes", {kBesidePowers, "none", "none"}},
    {"protocols", "--sizes", {kBesidePowers, "none", "none"}},
    {"protocols", "--sizes", {kBetweenLarge, "none", "none"}},
    {"protocols", "--step-sizes", {"4K:256K:x2", "none", "none"}},
    {"protocols", "--step-sizes", {kBesidePowers, "none", "none"}},
    {"echoes", "--echo-sizes", {"1K:4M:x4", "16K,256K", "none"}},
    {"echoes", "--echo-sizes", {kBesidePowers, "none", "none"}},
    {"handshakes", "--handshake-sizes", {"1,1K,2K,4032,4160,8128,16K,64K,256K", "1,1K,16K", "none"}},
    {"handshakes", "--handshake-echo-sizes", {"4160,16K,64K,256K", "16K", "none"}},
    {"copies", "--rewriting-sizes", {"1K:4M:x4", "16K,256K", "none"}},
    {"pipelines", "--pipelined-sizes", {"16K", "16K", "none"}},
    {"pipelines", "--answered-train-sizes", {"8K,32K,256K", "32K", "none"}},
    {"copies", "--copy-sizes", {"1,1K,8K,16K,32K,48K,64K,128K,256K,1M,4M", "1,16K,64K", "none"}},
    {"delayed", "--overhead-sizes", {"1,1K,4K,16K", "1,1K,16K", "1,4K,16K"}},
    {"delayed", "--delayed-sizes", {"1,1K,4K,16K", "1,1K,16K", "1,4K,16K"}},
    {"strided", "--strided-sizes", {"1K,4K,16K", "1K,16K", "1K,4K,16K"}},
    {"adaptive", "--adaptive", {"1M", "64K", "64K"}},
    {"one-to-two", "--one-to-two-sizes", {"0,8K,32K", "0,32K", "0,32K"}},
    {"sweeps", "--sweep-sizes", {"0:128K:+8K", "0:128K:+12K", "0:128K:+8K"}},
    {"shared", "--concurrent-sizes", {"1:256K:x8,1M", "1,4K,256K", "1:256K:x64"}},
    {"fans", "--fan-sizes", {"1:256K:x8,1M", "1,4K,256K", "1:256K:x64"}},
    {"butterfly", "--butterfly-sizes", {"1:256K:x8,1M", "1,4K,256K", "1:256K:x64"}},
    {"network", "--permutation-sizes", {"256K,1M", "256K", "1M"}},
    {"protocols", "--butterfly-sizes", {"256,1K,2K,8128,16320,32704,65472", "none", "none"}},
}};

/// What an option says where nothing of it is needed.
const char* nothing_of(std::string_view option) {
  return option == "--adaptive" ? "0" : "none";
}

std::size_t column_of(const PlanScale& scale) {
  return scale.is_virtual ? 2 : scale.quick ? 1 : 0;
}

std::set<std::string_view> requirements_of(const std::vector<std::string>& models) {
  const std::vector<std::string_view> known = measurement_requirements();
  std::set<std::string_view> all;
  for (const std::string& name : models) {
    const ModelDescriptor& model = find_model(name);
    for (const std::string_view need : model.needs) {
      if (std::find(known.begin(), known.end(), need) == known.end()) {
        throw Error(fmt::format("the {} model needs '{}' measured, which is none of: {}", model.name, need,
                                fmt::join(known, ", ")));
      }
      all.insert(need);
    }
  }
  return all;
}

}  // namespace

std::vector<std::string_view> measurement_requirements() {
  std::vector<std::string_view> names;
  for (const SizedOption& option : kOptions) {
    if (std::find(names.begin(), names.end(), option.requirement) == names.end()) {
      names.push_back(option.requirement);
    }
  }
  return names;
}

std::vector<std::string> experiments_for(const std::vector<std::string>& models, const PlanScale& scale) {
  const std::size_t column = column_of(scale);
  const std::set<std::string_view> needed = requirements_of(models);
  std::vector<std::string> words{"--sizes", std::array{"1:4M:x2", "1:1M:x4", "1:1M:x2"}[column]};
  for (const SizedOption& option : kOptions) {
    const std::string sizes = needed.contains(option.requirement) ? option.values[column] : nothing_of(option.option);
    const auto before = std::find(words.begin(), words.end(), option.option);
    if (before == words.end()) {
      words.insert(words.end(), {option.option, sizes});
    } else if (sizes != "none") {
      std::string& given = *std::next(before);
      given = given == "none" ? sizes : fmt::format("{},{}", given, sizes);
    }
  }
  words.insert(words.end(), {"--reduction-sizes", std::array{"1K,64K,1M", "64K", "64K"}[column]});
  words.emplace_back("--as-far-as-possible");
  return words;
}

}  // namespace postage
