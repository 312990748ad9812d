#include "preload/shim/library.hpp"

#include <dlfcn.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string_view>

namespace postage::preload {
namespace {

#ifdef OPEN_MPI
constexpr const char* kName = "openmpi";
constexpr std::array<std::string_view, 1> kVersions{"Open MPI"};
#else
constexpr const char* kName = "mpich";
// They share MPICH's ABI.
constexpr std::array<std::string_view, 3> kVersions{"MPICH", "MVAPICH", "Intel(R) MPI"};
#endif

/// Of any MPI: MPICH's version has 8192 letters at most, which Open MPI's MPI_MAX_LIBRARY_VERSION_STRING is less than.
constexpr std::size_t kLongestVersion = 1 << 14;
static_assert(MPI_MAX_LIBRARY_VERSION_STRING <= kLongestVersion);

using GetLibraryVersion = int (*)(char*, int*);

/// What the program's MPI says of itself; it may be asked before MPI_Init. Empty where the process has none.
std::string_view version_of_library(std::span<char> room) {
  const auto ask = reinterpret_cast<GetLibraryVersion>(dlsym(RTLD_NEXT, "PMPI_Get_library_version"));
  int length = 0;
  if (ask == nullptr || ask(room.data(), &length) != MPI_SUCCESS) {
    return {};
  }
  return {room.data(), static_cast<std::size_t>(length)};
}

/// A program that uses MPI's standard ABI has handles of its own, whatever library is behind them.
const char* file_of_library() {
  Dl_info info{};
  void* const there = dlsym(RTLD_NEXT, "PMPI_Get_library_version");
  return there != nullptr && dladdr(there, &info) != 0 && info.dli_fname != nullptr ? info.dli_fname : "";
}

bool is_first_rank() {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"}) {
    if (const char* rank = std::getenv(name)) {
      return std::string_view(rank) == "0";
    }
  }
  return true;
}

void warn_of(std::string_view what) {
  if (is_first_rank()) {
    std::fprintf(stderr, "postage: libpostage-%s.so is loaded beside another MPI (%.*s); nothing is replaced\n", kName,
                 static_cast<int>(what.size()), what.data());
  }
}

}  // namespace

const char* library_name() {
  return kName;
}

bool is_foreign_library() {
  static std::array<char, kLongestVersion + 1> room;
  const std::string_view file = file_of_library();
  if (file.find("libmpi_abi") != std::string_view::npos) {
    warn_of(file);
    return true;
  }
  const std::string_view version = version_of_library(room);
  for (const std::string_view known : kVersions) {
    if (version.empty() || version.find(known) != std::string_view::npos) {
      return false;
    }
  }
  std::replace(room.begin(), room.end(), '\t', ' ');
  warn_of(version.substr(0, version.find_first_of(",\n")));
  return true;
}

}  // namespace postage::preload
