#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace postage {

/// NAME=VALUE, with the line it is on.
struct Assignment {
  std::string name{};
  std::string value{};
  int line = 1;
  bool is_indented = false;  ///< as below a condition: others may set the same
  bool is_shell = false;     ///< a line of a shell script: export, declare, setenv
  bool is_spaced = false;    ///< spaces around the equals sign
  bool is_quoted = false;
};

struct AssignmentText {
  std::vector<Assignment> assignments{};
  std::vector<Assignment> others{};  ///< lines that assign nothing: `name` is the line
};

/// Lines like "export NAME=VALUE", "NAME = VALUE", "setenv NAME VALUE" (csh, Tcl modulefiles, Lua's
/// setenv("NAME", "VALUE")), fish's "set -gx NAME VALUE", several on a line, and what mpirun sets ("--mca NAME VALUE",
/// which becomes OMPI_MCA_NAME, "-genv NAME VALUE", "-x NAME=VALUE"). '#' and "--" begin comments outside of quotes
/// where a word may begin. Quotes are taken off.
[[nodiscard]] AssignmentText read_assignments(std::string_view text);

}  // namespace postage
