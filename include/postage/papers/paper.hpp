#pragma once

#include <postage/papers/exhibit.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace postage {

/// Something printed that is wrong, or two printed things that contradict each other.
struct Misprint {
  std::string place;    ///< "Table 2, binomial-simple, two chips"
  std::string printed;  ///< as it stands there
  std::string right;    ///< what it should say
  std::string proof;    ///< why, with numbers
  std::string where;    ///< the test or source that shows it, as in Exhibit::where
};

struct Paper {
  std::string name;       ///< on the command line
  std::string reference;  ///< authors, title, where, year
  std::string machines;   ///< what the paper measured on, and the test bed that stands for it here
  Exhibits exhibits;      ///< equations, tables, figures, algorithms, programs, claims; each kind by its number
  std::vector<Misprint> misprints;
};

/// In the order of the project's seeds: tu, rico-gallego, chai, lastovetsky, ali.
[[nodiscard]] std::span<const Paper> papers();

/// Throws UsageError listing the valid names.
[[nodiscard]] const Paper& find_paper(std::string_view name);

/// Throws UsageError listing the paper's exhibits.
[[nodiscard]] const Exhibit& find_exhibit(const Paper& paper, std::string_view id);

}  // namespace postage
