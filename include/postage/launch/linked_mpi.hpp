#pragma once

#include <optional>
#include <string>
#include <vector>

namespace postage {

/// Which MPI a program is linked to.
struct LinkedMpi {
  std::string
      flavour;  ///< openmpi, mpich (also MVAPICH and Intel MPI, which share its ABI) or abi (MPI 5's standard one)
  std::string library;  ///< its file's name, like "libmpi.so.40"
};

/// What the dynamic loader would load with a program, its libraries' libraries too; nothing where no MPI is among it,
/// or the program is a script or linked statically.
[[nodiscard]] std::optional<LinkedMpi> find_linked_mpi(const std::string& program);

/// Of a list as ldd prints it.
[[nodiscard]] std::optional<LinkedMpi> mpi_among(const std::string& libraries);

/// The first word of a command that names a program with an MPI linked statically; empty where none does. Programs that
/// were stripped of their symbols do not tell.
[[nodiscard]] std::string find_static_mpi(const std::vector<std::string>& command);

/// The MPI of a command: of the first of its words, behind the launcher's own, that names a program linked to one;
/// where there is none, as in `mpirun -n 4 python3 script.py`, of the launcher, which says it when asked for its
/// version.
[[nodiscard]] std::optional<LinkedMpi> mpi_of_command(const std::vector<std::string>& command);

}  // namespace postage
