#pragma once

#include "transport/mpi/typed_memory.hpp"

#include <postage/transport/executor.hpp>
#include <postage/transport/mpi/collectives.hpp>
#include <postage/transport/mpi/mpi_transport.hpp>

#include <map>
#include <tuple>
#include <vector>

namespace postage {

/// A collective as this rank's arguments describe it.
struct MpiCall {
  Collective collective = Collective::kBarrier;
  /// Everything but what the choice says.
  ScheduleRequest request{};
  const void* given_at = nullptr;
  TypedShape given{};
  void* wanted_at = nullptr;
  TypedShape wanted{};
  /// The schedule's in_place.
  bool in_place = false;
  /// What is given lies at `wanted_at`.
  bool one_buffer = false;
  MPI_Op op = MPI_OP_NULL;
};

/// Turns calls into programs, keeps the programs, and runs them.
class MpiCollectives::Engine {
 public:
  explicit Engine(MPI_Comm communicator);

  [[nodiscard]] Rank rank() const { return transport_.rank(); }
  [[nodiscard]] Rank ranks() const { return transport_.size(); }

  void run(const MpiCall& call, const CollectiveChoice& choice);

  /// True where the algorithm works only if every rank knows all block sizes: it passes blocks on, or cuts all blocks
  /// into as many segments as the largest needs.
  [[nodiscard]] bool needs_all_sizes(Collective collective, const CollectiveChoice& choice);

  /// Overwrites all ranks' `values` with the root's.
  void share(std::vector<Bytes>& values, Rank root);
  /// P*P values, of which every rank gives its own row.
  void share_rows(std::vector<Bytes>& values);

 private:
  /// Of ScheduleRequest all but `ranks`, and what else a program depends on.
  using Key = std::tuple<const Algorithm*, Rank, Bytes, Bytes, Bytes, bool, bool, ParameterValues, std::vector<Bytes>>;

  RankProgram& program_for(const MpiCall& call, const CollectiveChoice& choice);
  RankProgram& keep(Key key, RankProgram program);

  MpiTransport transport_;
  std::map<Key, RankProgram> programs_;
  Bytes kept_bytes_ = 0;
  std::map<std::pair<const Algorithm*, ParameterValues>, bool> passes_on_;
};

}  // namespace postage
