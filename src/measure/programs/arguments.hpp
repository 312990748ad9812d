#pragma once

#include <postage/measure/campaign.hpp>

#include <string>

namespace postage {

/// What a measuring program was asked for.
struct MeasureArguments {
  std::string help;       ///< not empty where only help was asked for
  std::string output;     ///< empty prints a table
  std::string stop_file;  ///< the campaign ends when this file is there; empty for none
  bool progress = false;  ///< say on standard error how far it is, in lines for a program to read
  CampaignPlan plan;
  MeasureSettings settings;
};

/// Apart from the program, since SMPI redefines words like exit in whatever includes <mpi.h>.
/// Throws UsageError.
[[nodiscard]] MeasureArguments parse_measure_arguments(int argc, const char* const* argv);

}  // namespace postage
