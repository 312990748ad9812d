#include "program/lowering_state.hpp"

namespace postage {
namespace {

Outlook look_ahead(const Schedule& schedule, Rank rank) {
  Outlook outlook;
  std::size_t number = 0;
  for_each_rank_round(schedule, rank, [&](const RankRound& round) {
    ++number;
    outlook.sends_end = round.sends.empty() ? outlook.sends_end : number;
    outlook.receives = outlook.receives || !round.receives.empty();
  });
  return outlook;
}

}  // namespace

LoweringState::LoweringState(const Schedule& lowered, Rank own_rank, const ProgramOptions& program_options)
    : schedule(lowered),
      rank(own_rank),
      options(program_options),
      layout(rank_layout(lowered, own_rank, program_options.in_place)),
      outlook(look_ahead(lowered, own_rank)),
      scratch(scratch_alignment(program_options.strides)),
      buffers(lowered, own_rank, layout, scratch) {
  program.send_bytes = layout.send_bytes;
  program.receive_bytes = layout.receive_bytes;
}

Region ArrivalBuffers::allocate(Bytes bytes) {
  current_.push_back(scratch_.allocate(bytes));
  return current_.back();
}

void ArrivalBuffers::release_previous() {
  for (const Region& region : previous_) {
    scratch_.release(region);
  }
  previous_.clear();
}

}  // namespace postage
