#pragma once

#include <postage/predict/traces/trace.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace postage {

/// A call of a program that was recorded.
struct RecordedCall {
  enum class Kind : std::uint8_t { kCompute, kSend, kStartSend, kReceive, kStartReceive, kWait, kCollective };

  Kind kind = Kind::kCompute;
  Rank peer = -1;  ///< of a message; -1 of a receive from any rank; the root of a collective, -1 where it has none
  std::int32_t tag = -1;  ///< -1 of a receive whose tag is not known
  Bytes bytes = 0;
  Bytes received_bytes = 0;               ///< of a collective, as CallEvent has it
  Seconds seconds = 0;                    ///< of kCompute
  std::vector<std::uint64_t> requests{};  ///< that are started, or have ended
  std::string name{};                     ///< of a collective: "bcast", "allgatherv"
  std::size_t group = 0;                  ///< of a collective: its communicator among RecordedRank::groups
  std::vector<Bytes> bytes_by_rank{};     ///< of alltoallv: to each rank
};

struct RecordedRank {
  std::vector<RecordedCall> calls{};
  std::vector<std::vector<Rank>> groups{};  ///< world ranks of the communicators on which it called collectives
};

/// What the preload library records where POSTAGE_TRACE=FILE is set: text, a line a call,
///
///   postage recording 1
///   ranks 2
///   rank 0
///   t 1200               computed for so many nanoseconds
///   s 1 7 4096 0         sent to rank 1, tag 7, bytes (S: started, as request 0)
///   r 1 -1 4096 0        received from rank 1, any tag, bytes (R: started)
///   w 55 56              requests have ended
///   g 0 1                a communicator of these ranks, numbered from 0
///   c Bcast 0 1 64 0     collective, communicator, root, bytes, bytes received; of Alltoallv, bytes to each rank
struct Recording {
  std::vector<RecordedRank> ranks{};
};

/// True where the text begins as a recording does.
[[nodiscard]] bool is_recording(std::string_view text);

/// Throws Error naming the line of the first mistake.
[[nodiscard]] Recording read_recording(std::string_view text);

/// The recording as computing and messages. Collectives become the messages of an algorithm each: what libraries
/// usually take at that size. Receives get the messages that have their source and tag, in order; those of any source
/// what is left. Requests are waited for where they ended. Throws Error where ranks disagree about a collective.
[[nodiscard]] Trace trace_of(const Recording& recording);

/// The same as a time-independent trace of SimGrid's SMPI, a text a rank, one line an action: computing is given as
/// flops of a processor of 1 Gflop/s. smpirun -replay takes a file with the names of theirs.
[[nodiscard]] std::vector<std::string> time_independent_texts(const Recording& recording);

}  // namespace postage
