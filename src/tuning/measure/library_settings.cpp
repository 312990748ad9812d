#include "tuning/measure/library_settings.hpp"

#include <postage/base/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace postage {
namespace {

/// MCA parameters of coll/tuned.
std::vector<LibrarySetting> open_mpi_settings(const LibraryAlgorithm& row, const DecisionChoice& choice) {
  const std::string prefix = fmt::format("coll_tuned_{}_algorithm", name_of(row.collective));
  std::vector<LibrarySetting> settings{{prefix, std::to_string(row.number)}};
  if (row.takes_segment) {
    settings.push_back({prefix + "_segmentsize", std::to_string(choice.segment)});
  }
  if (const auto fan_out = choice.parameters.find(row.fan_out);
      !row.fan_out.empty() && fan_out != choice.parameters.end()) {
    settings.push_back({prefix + "_chain_fanout", std::to_string(fan_out->second)});
  }
  return settings;
}

std::string upper_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

/// "nb+tsp_tree+knomial_1": a blocking call by the algorithm tsp_tree of the non-blocking one, its tree knomial_1.
std::vector<LibrarySetting> mpich_settings(const LibraryAlgorithm& row, const DecisionChoice& choice) {
  const std::string collective = upper_case(std::string(name_of(row.collective)));
  const std::string variable = fmt::format("MPIR_CVAR_{}_INTRA_ALGORITHM", collective);
  const std::string name(row.name);
  if (!name.starts_with("nb+")) {
    return {{variable, name}};
  }
  const std::size_t plus = name.find('+', 3);
  std::vector<LibrarySetting> settings{{variable, "nb"}};
  settings.push_back({fmt::format("MPIR_CVAR_I{}_INTRA_ALGORITHM", collective), name.substr(3, plus - 3)});
  const bool is_tree = plus != std::string::npos;
  settings.push_back({fmt::format("MPIR_CVAR_I{}_{}_CHUNK_SIZE", collective, is_tree ? "TREE_PIPELINE" : "RING"),
                      std::to_string(choice.segment)});
  if (const auto radix = choice.parameters.find(row.fan_out); is_tree && radix != choice.parameters.end()) {
    settings.push_back({fmt::format("MPIR_CVAR_I{}_TREE_KVAL", collective), std::to_string(radix->second)});
  }
  return settings;
}

}  // namespace

std::vector<LibrarySetting> settings_for(TuningTarget target, const LibraryVersion& version, Collective collective,
                                         const DecisionChoice& choice) {
  const LibraryAlgorithm* const row = find_library_algorithm(target, version, collective, choice.library_name);
  if (row != nullptr && target == TuningTarget::kOpenMpi) {
    return open_mpi_settings(*row, choice);
  }
  if (row != nullptr && target == TuningTarget::kMpich) {
    return mpich_settings(*row, choice);
  }
  throw Error(
      fmt::format("how to ask {} for {} {} is not known", name_of(target), name_of(collective), choice.library_name));
}

}  // namespace postage
