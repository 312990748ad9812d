#include "tuning/lint/openmpi/tuned_rules.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <iterator>
#include <string>

namespace postage {
namespace {

// COLLTYPE_T of ompi/mca/coll/base/coll_base_functions.h.
constexpr std::array<std::string_view, 22> kOpenMpiNames{"allgather",
                                                         "allgatherv",
                                                         "allreduce",
                                                         "alltoall",
                                                         "alltoallv",
                                                         "alltoallw",
                                                         "barrier",
                                                         "bcast",
                                                         "exscan",
                                                         "gather",
                                                         "gatherv",
                                                         "reduce",
                                                         "reduce_scatter",
                                                         "reduce_scatter_block",
                                                         "scan",
                                                         "scatter",
                                                         "scatterv",
                                                         "neighbor_allgather",
                                                         "neighbor_allgatherv",
                                                         "neighbor_alltoall",
                                                         "neighbor_alltoallv",
                                                         "neighbor_alltoallw"};

constexpr LibraryVersion kOpenMpiFive{5, 0, 0};

std::vector<LibraryAlgorithm> others(std::string_view name) {
  using enum LibraryRankRule;
  if (name == "allgatherv") {
    return {{.number = 1, .name = "default"},
            {.number = 2, .name = "bruck"},
            {.number = 3, .name = "ring"},
            {.number = 4, .name = "neighbor", .ranks = kEven},
            {.number = 5, .name = "two_proc", .ranks = kTwo},
            {.number = 6, .name = "sparbit", .since = kOpenMpiFive}};
  }
  if (name == "alltoallv") {
    return {{.number = 1, .name = "basic_linear"}, {.number = 2, .name = "pairwise"}};
  }
  if (name == "reduce_scatter_block") {
    return {{.number = 1, .name = "basic_linear"},
            {.number = 2, .name = "recursive_doubling"},
            {.number = 3, .name = "recursive_halving"},
            {.number = 4, .name = "butterfly"}};
  }
  return {};
}

}  // namespace

std::string_view open_mpi_collective(int number) {
  return number >= 0 && number < std::ssize(kOpenMpiNames) ? kOpenMpiNames[static_cast<std::size_t>(number)] : "";
}

int open_mpi_collective(std::string_view name) {
  const auto* const found = std::ranges::find(kOpenMpiNames, name);
  return found == kOpenMpiNames.end() ? -1 : static_cast<int>(found - kOpenMpiNames.begin());
}

std::vector<LibraryAlgorithm> tuned_algorithms(int collective, const LibraryVersion& version) {
  const std::string_view name = open_mpi_collective(collective);
  std::vector<LibraryAlgorithm> all = others(name);
  for (const LibraryAlgorithm& row : library_algorithms(TuningTarget::kOpenMpi)) {
    if (name_of(row.collective) == name) {
      all.push_back(row);
    }
  }
  std::erase_if(all, [&](const LibraryAlgorithm& row) { return version < row.since || row.before <= version; });
  return all;
}

std::optional<std::int64_t> tuned_algorithm_number(int collective, const LibraryVersion& version,
                                                   const std::string& text) {
  // mca_base_var_enum.c: strtol and strcasecmp.
  const auto lower = [](std::string_view name) {
    std::string all(name);
    std::ranges::transform(all, all.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return all;
  };
  char* end = nullptr;
  const long number = std::strtol(text.c_str(), &end, 0);
  const bool is_number = !text.empty() && *end == '\0';
  if ((is_number && number == 0) || lower(text) == "ignore") {
    return 0;
  }
  for (const LibraryAlgorithm& algorithm : tuned_algorithms(collective, version)) {
    if ((is_number && algorithm.number == number) || (!is_number && lower(algorithm.name) == lower(text))) {
      return algorithm.number;
    }
  }
  return std::nullopt;
}

bool has_sizes(int collective) {
  const std::string_view name = open_mpi_collective(collective);
  return name != "barrier" && name != "alltoallv";
}

}  // namespace postage
