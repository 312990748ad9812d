#pragma once

#include <postage/measure/choices.hpp>

#include <mpi.h>

#include <map>
#include <string>
#include <vector>

namespace postage {

/// Control variables of the MPI library, through MPI's tool interface (MPI 4.0, chapter 15.3).
class LibraryVariables {
 public:
  LibraryVariables();
  ~LibraryVariables();
  LibraryVariables(const LibraryVariables&) = delete;
  LibraryVariables& operator=(const LibraryVariables&) = delete;

  /// Gives the variables these values, and all others that were ever changed the ones that they had at first. Throws
  /// Error naming a variable that does not exist, cannot be changed, or does not know the value.
  void apply(const std::vector<LibrarySetting>& settings);

 private:
  struct Variable {
    MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
    MPI_T_enum names = MPI_T_ENUM_NULL;
    std::string description;
    int first = 0;    ///< its value before it was changed
    int current = 0;  ///< as far as this object knows
  };
  Variable& find(const std::string& name);
  static void write(Variable& variable, const std::string& name, int value);
  static int number_of(const Variable& variable, const LibrarySetting& setting);

  std::map<std::string, Variable> variables_;
};

}  // namespace postage
