#pragma once

#include <filesystem>
#include <string>

namespace postage {

/// What a launcher like mpirun says of itself.
struct LauncherRelease {
  std::string
      library;  ///< "Open MPI", "MPICH" (also MVAPICH: its launcher is Hydra, too), "Intel MPI", "SimGrid"; else ""
  std::string version;  ///< "4.1.4"; empty where the library is
  std::string
      text;  ///< "Open MPI 4.1.4" or "SimGrid 3.32", else the first line of what it said; empty where it said nothing
};

/// Of a launcher's answer to --version.
[[nodiscard]] LauncherRelease release_in(const std::string& answer);

/// Asks a launcher, given by its path or by its name on the PATH; it has 20 s. Nothing is in the result where there is
/// no such program.
[[nodiscard]] LauncherRelease release_of(const std::filesystem::path& launcher);

}  // namespace postage
