#include <postage/estimate/plan.hpp>

#include <postage/model/model.hpp>

#include <algorithm>
#include <array>
#include <iterator>
#include <sstream>

namespace postage {
namespace {

/// Options of the measuring program that belong together.
enum class Family {
  kOverheads,
  kProtocols,
  kEchoes,
  kCopies,
  kTrains,
  kDelayed,
  kStrided,
  kAdaptive,
  kOneToTwo,
  kSweeps,
  kShared,
  kFans,
  kButterfly
};

struct Needs {
  std::string_view model;
  std::vector<Family> families;
};

/// What each model's parameters come from, beside roundtrips and the reduction kernel.
const std::vector<Needs>& needs() {
  using F = Family;
  static const std::vector<Needs> list{
      {"hockney", {}},
      {"logp", {F::kOverheads, F::kTrains}},
      {"loggp", {F::kOverheads, F::kTrains}},
      {"loggps", {F::kOverheads, F::kTrains}},
      {"loggph", {F::kOverheads, F::kTrains}},
      {"loggpc", {F::kOverheads, F::kTrains, F::kShared}},
      {"lopc", {F::kOverheads, F::kTrains, F::kShared}},
      {"plogp", {F::kAdaptive}},
      {"plogp-cell", {F::kTrains, F::kFans, F::kButterfly}},
      {"lmo", {F::kOneToTwo, F::kSweeps}},
      {"lognp", {F::kStrided, F::kDelayed}},
      {"log3p", {F::kStrided, F::kDelayed}},
      {"mlognp", {F::kStrided, F::kDelayed}},
      {"2log23p", {F::kStrided, F::kDelayed}},
      {"taulop", {F::kShared}},
      {"flow", {F::kProtocols, F::kEchoes, F::kCopies, F::kTrains, F::kShared, F::kFans, F::kButterfly}},
  };
  return list;
}

/// An option with its value at each scale: in full, quick, and simulated.
struct SizedOption {
  Family family;
  const char* option;
  std::array<const char*, 3> values;
};

/// Most protocols give way to others at a power of two, which belongs to the one or the other, and some take a header
/// along.
constexpr const char* kBesidePowers =
    "4032,4160,8128,8256,16320,16448,32704,32832,65472,65600,131008,131136,262080,262208";

/// An option that two families need gets the sizes of both.
constexpr std::array<SizedOption, 18> kOptions{{
    {Family::kOverheads, "--overhead-sizes", {"1", "1", "1"}},
    {Family::kTrains, "--train-sizes", {"1,1K,64K", "1,64K", "1,1K,64K"}},
    {Family::kProtocols, "--overhead-sizes", {"1,1K,4K,16K,64K,256K,1M", "1,1K,16K,64K,1M", "1,4K,16K,64K,1M"}},
    {Family::kProtocols, "--overhead-sizes", {kBesidePowers, "none", "none"}},
    {Family::kProtocols, "--sizes", {kBesidePowers, "none", "none"}},
    {Family::kEchoes, "--echo-sizes", {"1K:4M:x4", "16K,256K", "none"}},
    {Family::kEchoes, "--echo-sizes", {kBesidePowers, "none", "none"}},
    {Family::kCopies, "--copy-sizes", {"1,1K,8K,16K,32K,48K,64K,128K,256K,1M,4M", "1,16K,64K", "none"}},
    {Family::kDelayed, "--overhead-sizes", {"1,1K,4K,16K", "1,1K,16K", "1,4K,16K"}},
    {Family::kDelayed, "--delayed-sizes", {"1,1K,4K,16K", "1,1K,16K", "1,4K,16K"}},
    {Family::kStrided, "--strided-sizes", {"1K,4K,16K", "1K,16K", "1K,4K,16K"}},
    {Family::kAdaptive, "--adaptive", {"1M", "64K", "64K"}},
    {Family::kOneToTwo, "--one-to-two-sizes", {"0,8K,32K", "0,32K", "0,32K"}},
    {Family::kSweeps, "--sweep-sizes", {"0:128K:+8K", "0:128K:+12K", "0:128K:+8K"}},
    {Family::kShared, "--concurrent-sizes", {"1:256K:x8,1M", "1,4K,256K", "1:256K:x64"}},
    {Family::kFans, "--fan-sizes", {"1:256K:x8,1M", "1,4K,256K", "1:256K:x64"}},
    {Family::kButterfly, "--butterfly-sizes", {"1:256K:x8,1M", "1,4K,256K", "1:256K:x64"}},
    {Family::kProtocols, "--butterfly-sizes", {"8128,16320,32704,65472", "none", "none"}},
}};

std::size_t column_of(const PlanScale& scale) {
  return scale.is_virtual ? 2 : scale.quick ? 1 : 0;
}

bool is_needed(Family family, const std::vector<std::string>& models) {
  return std::any_of(needs().begin(), needs().end(), [&](const Needs& one) {
    return std::find(models.begin(), models.end(), one.model) != models.end() &&
           std::find(one.families.begin(), one.families.end(), family) != one.families.end();
  });
}

}  // namespace

std::vector<std::string> parse_models(std::string_view text) {
  std::vector<std::string> chosen;
  if (text == "all") {
    for (const ModelDescription& model : models()) {
      chosen.emplace_back(model.name);
    }
    return chosen;
  }
  std::istringstream in{std::string(text)};
  for (std::string name; std::getline(in, name, ',');) {
    chosen.emplace_back(find_model(name).name);
  }
  return chosen;
}

std::vector<std::string> experiments_for(const std::vector<std::string>& models, const PlanScale& scale) {
  const std::size_t column = column_of(scale);
  std::vector<std::string> words{"--sizes", std::array{"1:4M:x2", "1:1M:x4", "1:1M:x4"}[column]};
  for (const SizedOption& option : kOptions) {
    const std::string sizes = is_needed(option.family, models)     ? option.values[column]
                              : option.family == Family::kAdaptive ? "0"
                                                                   : "none";
    const auto before = std::find(words.begin(), words.end(), option.option);
    if (before == words.end()) {
      words.insert(words.end(), {option.option, sizes});
    } else if (sizes != "none") {
      std::string& given = *std::next(before);
      given = given == "none" ? sizes : given + "," + sizes;
    }
  }
  words.insert(words.end(), {"--reduction-sizes", std::array{"1K,64K,1M", "64K", "64K"}[column]});
  words.emplace_back("--as-far-as-possible");
  return words;
}

}  // namespace postage
