#pragma once

#include <optional>
#include <string>

namespace postage {

/// What was found wrong on this rank: the first few are printed.
class Mistakes {
 public:
  void note(const std::string& where, const std::optional<std::string>& what);
  /// On all ranks together, which it prints on the first: the exit status. Collective over the world.
  [[nodiscard]] int report(int checked) const;

 private:
  int count_ = 0;
};

}  // namespace postage
