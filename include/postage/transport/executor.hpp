#pragma once

#include <postage/schedule/schedule.hpp>
#include <postage/transport/transport.hpp>

#include <functional>
#include <span>
#include <vector>

namespace postage {

/// Combines `arriving` with `own` into `own`, element by element: own = arriving op own if `arriving_is_left`, else
/// own = own op arriving. Both have the same size.
using CombineFunction =
    std::function<void(std::span<const std::byte> arriving, std::span<std::byte> own, bool arriving_is_left)>;

/// One rank's part of a schedule, ready to run many times: every decision that needs the schedule is taken once, when
/// it is compiled. Works on one buffer that holds all blocks of the schedule's layout, one after another.
class RankProgram {
 public:
  /// O(own operations).
  RankProgram(const Schedule& schedule, Rank rank);

  /// Runs once. `blocks` has layout().total() bytes. `combine` is needed where the schedule reduces; without it such
  /// a schedule throws Error. Sends go on while later rounds run; they are waited for before their bytes change, and at
  /// the end. A receive is posted one round ahead where its bytes do not take part in the round before.
  void run(Transport& transport, std::span<std::byte> blocks, const CombineFunction& combine = {});

  [[nodiscard]] Bytes buffer_bytes() const { return buffer_bytes_; }

 private:
  struct Piece {
    Bytes offset = 0;
    Bytes bytes = 0;
  };
  struct Message {
    Rank peer = 0;
    Bytes bytes = 0;
    Combine combine = Combine::kCopy;
    std::vector<Piece> pieces{};  ///< where the bytes are in the buffer; one piece needs no packing
    std::size_t scratch = 0;      ///< where they are in the scratch buffer, for packing and combining
    bool in_place = true;
  };
  struct Step {
    int tag = 0;
    std::vector<Message> sends{};
    std::vector<Message> receives{};
    bool receives_may_start_early = false;
    bool waits_for_earlier_sends = false;
    bool waits_for_own_sends = false;
  };

  void append(const Schedule& schedule, const RankRound& round);
  [[nodiscard]] Message compile(const Schedule& schedule, const Place& place, const Transfer& transfer, bool receiving);
  void decide_overlap();
  void post_receives(Transport& transport, std::span<std::byte> blocks, const Step& step);
  void post_sends(Transport& transport, std::span<const std::byte> blocks, const Step& step);
  void take_in(std::span<std::byte> blocks, const Step& step, const CombineFunction& combine);

  Bytes buffer_bytes_ = 0;
  std::vector<Step> steps_;
  std::vector<std::byte> scratch_;
  std::vector<Transport::Request> receiving_;
  std::vector<Transport::Request> sending_;
};

}  // namespace postage
