#include "preload/settings/agreement.hpp"

#include <fmt/format.h>
#include <mpi.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>

namespace postage::preload {
namespace {

Settings& own_settings() {
  static Settings own = settings_in(environ);
  return own;
}

/// Programs may set variables before MPI_Init. Too late for those that say which calls are intercepted.
Settings read_again(const Settings& when_loaded) {
  Settings settings = settings_in(environ);
  settings.replacing = when_loaded.replacing;
  settings.prints_statistics = when_loaded.prints_statistics;
  settings.statistics_file = when_loaded.statistics_file;
  settings.trace_file = when_loaded.trace_file;
  return settings;
}

/// What ranks compare, as numbers of which a smaller one asks for less.
constexpr std::array kCompared{"POSTAGE_PRELOAD", "POSTAGE_PROBES", "POSTAGE_STATS", "POSTAGE_STATS_JSON",
                               "POSTAGE_TRACE"};
using Levels = std::array<int, kCompared.size()>;

Levels levels_of(const Settings& settings) {
  return {static_cast<int>(settings.replacing), settings.probes ? 1 : 0, settings.prints_statistics ? 1 : 0,
          settings.statistics_file ? 1 : 0, settings.trace_file ? 1 : 0};
}

void lower(Settings& settings, const Levels& levels) {
  settings.replacing = static_cast<Replacing>(levels[0]);
  settings.probes = levels[1] != 0;
  settings.prints_statistics = levels[2] != 0;
  if (levels[3] == 0) {
    settings.statistics_file.reset();
  }
  if (levels[4] == 0) {
    settings.trace_file.reset();
  }
}

void create_folder_of(const std::string& file) {
  std::error_code failure;  // which why_unwritable tells
  std::filesystem::create_directories(std::filesystem::path(file).parent_path(), failure);
}

void refuse_unwritable(const char* variable, std::optional<std::string>& file, std::vector<Complaint>& complaints) {
  if (!file) {
    return;
  }
  create_folder_of(*file);
  if (const auto why = why_unwritable(*file)) {
    complaints.push_back(
        {fmt::format("{}: cannot write {} ({})", variable, *file, *why), "nothing is recorded for it"});
    file.reset();
  }
}

bool is_spawned() {
  MPI_Comm parent = MPI_COMM_NULL;
  PMPI_Comm_get_parent(&parent);
  return parent != MPI_COMM_NULL;
}

/// Ranks that a program starts while it runs inherit its variables, and have a file of their own.
void name_apart(std::optional<std::string>& file) {
  if (file) {
    std::array<char, 256> host{};
    gethostname(host.data(), host.size() - 1);
    *file += fmt::format(".spawned-{}-{}", host.data(), getpid());
  }
}

Levels agreed(const Levels& own, MPI_Op op) {
  Levels all{};
  PMPI_Allreduce(own.data(), all.data(), static_cast<int>(own.size()), MPI_INT, op, MPI_COMM_WORLD);
  return all;
}

/// `wanted`: on rank 0, before files were looked at.
void complain(Settings& settings, const Levels& wanted, const Levels& least, const Levels& most) {
  constexpr std::array kWords{"off", "on", "always"};
  for (std::size_t i = 0; i < kCompared.size(); ++i) {
    const bool is_refused = wanted[i] != levels_of(settings)[i];
    if (least[i] != most[i] && !is_refused) {
      settings.complaints.push_back(
          {fmt::format("{} is not the same on all ranks", kCompared[i]),
           fmt::format("it is taken as {}", i < 3 ? kWords[static_cast<std::size_t>(least[i])] : "not set")});
    }
  }
  for (const Complaint& complaint : settings.complaints) {
    std::fprintf(stderr, "postage: %s; %s\n", complaint.wrong.c_str(), complaint.instead.c_str());
  }
}

}  // namespace

const Settings& settings() {
  return own_settings();
}

void agree_on_settings() {
  Settings& own = own_settings();
  own = read_again(own);
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const Levels wanted = levels_of(own);
  if (rank == 0 && is_spawned()) {
    name_apart(own.statistics_file);
    name_apart(own.trace_file);
  }
  if (rank == 0) {
    refuse_unwritable("POSTAGE_STATS_JSON", own.statistics_file, own.complaints);
    refuse_unwritable("POSTAGE_TRACE", own.trace_file, own.complaints);
  }
  const Levels least = agreed(levels_of(own), MPI_MIN);
  const Levels most = agreed(levels_of(own), MPI_MAX);
  if (rank == 0) {
    complain(own, wanted, least, most);
  }
  lower(own, least);
}

}  // namespace postage::preload
