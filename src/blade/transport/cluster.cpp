#include "blade/transport/cluster.hpp"

#include "blade/transport/blade_transport.hpp"
#include "blade/transport/network_transport.hpp"

#include <postage/base/error.hpp>
#include <postage/schedule/algorithms.hpp>
#include <postage/transport/executor.hpp>

#include <algorithm>
#include <array>
#include <memory>

namespace postage::blade {
namespace {

using Kind = Notification::Kind;

constexpr int kOnBlade = CellHardware::kSpesOfBlade;

Schedule schedule_among(Collective collective, std::string_view algorithm, int ranks, Bytes bytes) {
  return build_schedule(find_algorithm(collective, algorithm), {.ranks = ranks, .bytes = bytes});
}

/// What the ranks of one communicator run: `run` by each rank's own actor.
class GroupProgram {
 public:
  GroupProgram(Collective collective, std::string_view algorithm, int ranks, Bytes bytes)
      : schedule_(schedule_among(collective, algorithm, ranks, bytes)) {}

  void run(Transport& transport, std::span<std::byte> buffer) const {
    RankProgram program(schedule_, transport.rank());
    program.run(transport, {.receive = buffer});
  }

 private:
  Schedule schedule_;
};

/// A signal down a binomial tree from the blade's first SPE, farthest first.
void spread_signal(Session& session, int first, int rank) {
  Spe& self = session.spe(first + rank);
  int distance = kOnBlade / 2;
  if (rank > 0) {
    distance = (rank & -rank) / 2;
    (void)self.await(Kind::kSignal, first + (rank & (rank - 1)));
  }
  for (; distance > 0; distance /= 2) {
    self.put(session.spe(first + rank + distance), {Kind::kSignal, self.number()});
  }
}

int first_of(int blade) {
  return blade * kOnBlade;
}

/// The others' memories start empty, and must end like the first.
class Memories {
 public:
  Memories(int spes, int blades, Bytes bytes)
      : spes_(static_cast<std::size_t>(spes), std::vector<std::byte>(static_cast<std::size_t>(bytes))),
        ppes_(static_cast<std::size_t>(blades), spes_.front()) {
    for (std::size_t i = 0; i < spes_.front().size(); ++i) {
      spes_.front()[i] = static_cast<std::byte>(i * 131 % 251 + 1);
    }
  }

  [[nodiscard]] std::vector<std::byte>& spe(int number) { return spes_.at(static_cast<std::size_t>(number)); }
  [[nodiscard]] std::vector<std::byte>& ppe(int blade) { return ppes_.at(static_cast<std::size_t>(blade)); }

  void check() const {
    if (std::any_of(spes_.begin(), spes_.end(), [&](const auto& memory) { return memory != spes_.front(); })) {
      throw Error("a broadcast over blades left an SPE without the message");
    }
  }

 private:
  std::vector<std::vector<std::byte>> spes_;
  std::vector<std::vector<std::byte>> ppes_;
};

/// The receiver's part of a get: address, data, acknowledgement.
void fetch(Spe& self, const Spe& source, Spe& answer_to, std::vector<std::byte>& memory) {
  const Notification address = self.await(Kind::kAddress, source.number());
  self.get_and_wait(source, static_cast<Bytes>(memory.size()));
  std::copy(address.data.begin(), address.data.end(), memory.begin());
  self.put(answer_to, {Kind::kAck, self.number()});
}

/// The sender's.
void hand_over(Spe& self, Spe& target, const std::vector<std::byte>& memory) {
  self.put(target, {Kind::kAddress, self.number(), 0, memory});
}

/// A broadcast's parts on its blades and between them.
struct ClusterBcast {
  ClusterBcast(Session& s, Memories& m, Bytes bytes)
      : session(s),
        memories(m),
        on_blade(Collective::kBcast, "binomial-opt", kOnBlade, bytes),
        between(Collective::kBcast, "binomial", s.blades(), bytes) {}

  void run_spe(int blade, int rank) const {
    Spe& self = session.spe(first_of(blade) + rank);
    Spe& ppe = session.ppe(blade);
    if (rank == 0 && blade == 0) {
      hand_over(self, ppe, memories.spe(0));
    } else if (rank == 0) {
      fetch(self, ppe, ppe, memories.spe(self.number()));
    }
    BladeTransport transport(session, first_of(blade), rank, kOnBlade);
    on_blade.run(transport, memories.spe(self.number()));
    if (rank == 0 && blade == 0) {
      (void)self.await(Kind::kAck, ppe.number());
    }
  }

  void run_ppe(int blade) const {
    Spe& self = session.ppe(blade);
    Spe& spe = session.spe(first_of(blade));
    if (blade == 0) {
      fetch(self, spe, spe, memories.ppe(0));
    }
    NetworkTransport transport(session, blade);
    between.run(transport, memories.ppe(blade));
    if (blade > 0) {
      hand_over(self, spe, memories.ppe(blade));
      (void)self.await(Kind::kAck, spe.number());
    }
  }

  Session& session;
  Memories& memories;
  GroupProgram on_blade;
  GroupProgram between;
};

Cycles last_of(const std::vector<Cycles>& ends) {
  return *std::max_element(ends.begin(), ends.end());
}

void barrier_of_spe(Session& session, const GroupProgram& on_blade, int blade, int rank) {
  Spe& self = session.spe(first_of(blade) + rank);
  Spe& ppe = session.ppe(blade);
  self.put(ppe, {Kind::kSignal, self.number()});
  BladeTransport transport(session, first_of(blade), rank, kOnBlade);
  on_blade.run(transport, {});
  if (rank == 0) {
    (void)self.await(Kind::kAck, ppe.number());
  }
  spread_signal(session, first_of(blade), rank);
}

void barrier_of_ppe(Session& session, const GroupProgram& between, int blade) {
  Spe& self = session.ppe(blade);
  for (int rank = 0; rank < kOnBlade; ++rank) {
    (void)self.await(Kind::kSignal, first_of(blade) + rank);
  }
  NetworkTransport transport(session, blade);
  between.run(transport, {});
  self.put(session.spe(first_of(blade)), {Kind::kAck, self.number()});
}

}  // namespace

Cycles cluster_barrier(Machine& machine) {
  const int spes = machine.blades() * kOnBlade;
  Session session(machine, spes);
  const GroupProgram on_blade(Collective::kBarrier, "recursive-doubling", kOnBlade, 0);
  const GroupProgram between(Collective::kBarrier, "dissemination", machine.blades(), 0);
  for (int spe = 0; spe < spes; ++spe) {
    session.run_on(spe, [&, spe] { barrier_of_spe(session, on_blade, spe / kOnBlade, spe % kOnBlade); });
  }
  for (int blade = 0; blade < machine.blades(); ++blade) {
    session.run_on(session.ppe(blade), [&, blade] { barrier_of_ppe(session, between, blade); });
  }
  return last_of(session.run());
}

Cycles cluster_bcast(Machine& machine, Bytes bytes) {
  const int spes = machine.blades() * kOnBlade;
  Session session(machine, spes);
  Memories memories(spes, machine.blades(), bytes);
  const ClusterBcast bcast(session, memories, bytes);
  for (int spe = 0; spe < spes; ++spe) {
    session.run_on(spe, [&, spe] { bcast.run_spe(spe / kOnBlade, spe % kOnBlade); });
  }
  for (int blade = 0; blade < machine.blades(); ++blade) {
    session.run_on(session.ppe(blade), [&, blade] { bcast.run_ppe(blade); });
  }
  const Cycles end = last_of(session.run());
  memories.check();
  return end;
}

}  // namespace postage::blade
