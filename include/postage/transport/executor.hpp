#pragma once

#include <postage/program/program_options.hpp>
#include <postage/schedule/schedule.hpp>
#include <postage/transport/transport.hpp>

#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace postage {

/// Added to a message's tag: acknowledgements are empty messages that match no data.
inline constexpr int kAcknowledgementTags = 1 << 14;

/// right = left op right, element by element. Both have the same number of bytes, whole elements. Elements lie one
/// after another; the first is aligned as it was in the buffers given, or to 64 bytes. Of a program with strides, both
/// are the memory from the first element to the last, which lie in it as the strides say.
using Reduction = std::function<void(std::span<const std::byte> left, std::span<std::byte> right)>;

/// One rank's memory in a run: what MPI would be given. Blocks stand one after another, in the order of the schedule's
/// layout, n being its total:
///
///                    send                              receive
///   barrier          -                                 -
///   bcast            -                                 n: the message, given at the root
///   reduce           n                                 n at the root
///   allreduce, scan  n                                 n
///   exscan           n                                 n, left as it is at rank 0
///   reduce_scatter   n                                 own block
///   gather           own block                         n at the root
///   allgather        own block                         n
///   scatter          n at the root                     own block
///   alltoall         blocks to ranks 0, 1, ...         blocks from ranks 0, 1, ...
///
/// A rank that works in place (MPI_IN_PLACE) gives no `send`: its contribution lies in `receive`, where gather and
/// allgather put its block, and where the others put the result; for reduce_scatter `receive` then has n bytes, and
/// the result is at its start; alltoall needs blocks as large as those that take their place. Of gather and
/// reduce only the root can work in place, and of scatter, where it leaves its block in `send` and gives no `receive`.
///
/// Of a program with strides, byte i of what is said above lies in the piece i / run, which starts i / run * stride
/// bytes after the buffer's first.
struct RankBuffers {
  std::span<const std::byte> send{};
  std::span<std::byte> receive{};
  /// Of at least scratch_bytes(), aligned as the reduction needs it, to use in place of the program's own.
  std::span<std::byte> scratch{};
};

/// One rank's part of a schedule, ready to run many times: every decision that needs the schedule is taken once, when
/// it is made. Needs scratch memory for blocks on their way to others and for messages that must be packed or combined.
class RankProgram {
 public:
  /// O(n log n) for n own operations. Throws UsageError where the rank cannot work in place, and Error where the
  /// schedule sends what the rank does not have.
  RankProgram(const Schedule& schedule, Rank rank, const ProgramOptions& options = {});
  RankProgram(RankProgram&&) noexcept;
  RankProgram& operator=(RankProgram&&) noexcept;
  ~RankProgram();

  /// Runs once, each message by its protocol: a get is a rendezvous, in which the target copies, and an empty message
  /// back; eager messages are what the transport makes of plain sends. `reduction` is needed where the schedule
  /// reduces. Sends go on while later rounds run; they are waited for before their bytes change, and at the end.
  /// Receives are posted one round ahead where nothing else touches their bytes before. Throws UsageError where a
  /// buffer is too small or the reduction is missing.
  void run(Transport& transport, const RankBuffers& buffers, const Reduction& reduction = {});

  /// What `run` needs, with the memory between the pieces of strided buffers.
  [[nodiscard]] Bytes send_bytes() const;
  [[nodiscard]] Bytes receive_bytes() const;
  /// What it keeps for itself beside the buffers, unless it is given.
  [[nodiscard]] Bytes scratch_bytes() const;

 private:
  struct Code;
  struct Run;
  struct FreeAligned {
    void operator()(std::byte* memory) const;
  };

  [[nodiscard]] static std::unique_ptr<const Code> compile(const Schedule& schedule, Rank rank,
                                                           const ProgramOptions& options);

  std::unique_ptr<const Code> code_;
  std::unique_ptr<std::byte[], FreeAligned> scratch_;
  std::vector<Transport::Request> receiving_;
  std::vector<Transport::Request> sending_;
  std::vector<Transport::Request> acknowledging_;
};

}  // namespace postage
