#pragma once

#include "program/buffer_assignment.hpp"

#include <vector>

namespace postage {

/// What must be known of a rank's later rounds while an earlier one is lowered.
struct Outlook {
  bool receives = false;
  /// The first round after the last one in which the rank sends.
  std::size_t sends_end = 0;
};

/// A rank's program while it is written round by round, and the memory that its values are in.
struct LoweringState {
  LoweringState(const Schedule& lowered, Rank own_rank, const ProgramOptions& program_options);
  LoweringState(const LoweringState&) = delete;
  LoweringState& operator=(const LoweringState&) = delete;

  /// scan and exscan keep two values of each block: see Combine.
  [[nodiscard]] bool is_prefix() const {
    return schedule.collective == Collective::kScan || schedule.collective == Collective::kExscan;
  }

  const Schedule& schedule;
  Rank rank;
  ProgramOptions options;
  RankLayout layout;
  Outlook outlook;
  ScratchPool scratch;
  BufferAssignment buffers;
  Program program;
  IovecSegments initial;  ///< the own contribution
  Values values;          ///< for scan and exscan the carry
  Values results;         ///< of scan and exscan
  std::size_t round = 0;  ///< counted from 0
};

/// Scratch memory that messages of one round arrive in when they must be unpacked or combined. It is given back a round
/// later, so that the receives of neighbouring rounds can be posted together.
class ArrivalBuffers {
 public:
  explicit ArrivalBuffers(ScratchPool& scratch) : scratch_(scratch) {}

  [[nodiscard]] Region allocate(Bytes bytes);
  void begin_round() { previous_.swap(current_); }
  void release_previous();

 private:
  ScratchPool& scratch_;
  std::vector<Region> current_;
  std::vector<Region> previous_;
};

}  // namespace postage
