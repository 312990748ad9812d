#pragma once

#include <postage/papers/exhibit.hpp>

#include <array>
#include <string>
#include <vector>

namespace postage::chai_paper {

/// A program of examples/programs in the place of one of the paper's applications.
struct StandIn {
  const char* program;  ///< its source without extension
  const char* stands_for;
  std::vector<std::string> counted;  ///< arguments of NAS's class B where the program has such sizes
  std::vector<std::string> timed;
};

/// In the order of table 1.
[[nodiscard]] const std::vector<StandIn>& stand_ins();

/// Shares of messages below 1K, 32K and 1M, and above: table 1's columns.
using MessageShares = std::array<double, 4>;

/// Of all messages of the program among `ranks` ranks, as the preload library counts them; once in a context. Throws
/// Error where the program or the library was not built.
[[nodiscard]] MessageShares message_shares(PaperContext& context, const StandIn& application, int ranks);

/// Seconds that the program says it took, with the MPI library alone and with the preload library, of runs that take
/// turns.
struct PairedRuns {
  std::vector<Seconds> alone{};
  std::vector<Seconds> preloaded{};

  /// The median share of the time that a pair of runs saves.
  [[nodiscard]] double saving() const;
};

[[nodiscard]] PairedRuns paired_runs(PaperContext& context, const StandIn& application, int ranks, int pairs);

}  // namespace postage::chai_paper
