#include <postage/job/algorithm_list.hpp>

#include <fmt/format.h>

namespace postage {

std::string rank_rule_of(const Algorithm& algorithm) {
  switch (algorithm.rank_rule) {
    case RankRule::kPowerOfTwo:
      return "2^k";
    case RankRule::kEven:
      return "even";
    case RankRule::kAny:
      break;
  }
  return "any";
}

std::string counterparts_of(const Algorithm& algorithm) {
  const Counterparts& names = algorithm.counterparts;
  std::string text;
  const auto add = [&](std::string_view library, const std::string& name) {
    text += name.empty() ? "" : fmt::format("{}{} {}", text.empty() ? "" : ", ", library, name);
  };
  add("Open MPI", names.open_mpi > 0 ? std::to_string(names.open_mpi) : "");
  add("MPICH", std::string(names.mpich));
  add("SMPI", std::string(names.smpi));
  return text;
}

Json algorithms_as_json() {
  Json list = Json::array();
  for (const Algorithm& algorithm : algorithms()) {
    Json parameters = Json::array();
    for (const AlgorithmParameter& parameter : algorithm.parameters) {
      parameters.push_back({{"name", parameter.name},
                            {"summary", parameter.summary},
                            {"default", parameter.default_value},
                            {"minimum", parameter.minimum}});
    }
    list.push_back({{"collective", name_of(algorithm.collective)},
                    {"algorithm", algorithm.name},
                    {"summary", algorithm.summary},
                    {"segments", algorithm.segmentable},
                    {"keeps_order", algorithm.keeps_order},
                    {"ranks", rank_rule_of(algorithm)},
                    {"parameters", std::move(parameters)},
                    {"also_called", algorithm.also_called},
                    {"counterparts", counterparts_of(algorithm)}});
  }
  return list;
}

}  // namespace postage
