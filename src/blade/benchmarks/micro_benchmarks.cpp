#include "blade/benchmarks/micro_benchmarks.hpp"

#include <algorithm>
#include <numeric>

namespace postage::blade {
namespace {

using Kind = Notification::Kind;

int spes_for(int a, int b) {
  return std::max(a, b) + 1;
}

/// Sends one and waits for its counterpart.
void put_and_await(Spe& self, Spe& other, Kind kind) {
  self.put(other, {kind, self.number()});
  (void)self.await(kind, other.number());
}

void answer(Spe& self, Spe& other, Kind kind) {
  (void)self.await(kind, other.number());
  self.put(other, {kind, self.number()});
}

double mean_of(const std::vector<Cycles>& times) {
  return std::accumulate(times.begin(), times.end(), 0.0) / static_cast<double>(times.size());
}

}  // namespace

Cycles half_ack_roundtrip(Machine& machine, int a, int b) {
  Session session(machine, spes_for(a, b));
  session.run_on(a, [&] { put_and_await(session.spe(a), session.spe(b), Kind::kAck); });
  session.run_on(b, [&] { answer(session.spe(b), session.spe(a), Kind::kAck); });
  return session.run().front() / 2;
}

Cycles half_data_roundtrip(Machine& machine, int a, int b, Bytes bytes) {
  Session session(machine, spes_for(a, b));
  session.run_on(a, [&] {
    put_and_await(session.spe(a), session.spe(b), Kind::kAddress);
    session.spe(a).get_and_wait(session.spe(b), bytes);
  });
  session.run_on(b, [&] {
    (void)session.spe(b).await(Kind::kAddress, a);
    session.spe(b).get_and_wait(session.spe(a), bytes);
    session.spe(b).put(session.spe(a), {Kind::kAddress, b});
  });
  return session.run().front() / 2;
}

std::vector<Cycles> gets_from_root(Machine& machine, const std::vector<int>& others, Bytes bytes) {
  Session session(machine, *std::max_element(others.begin(), others.end()) + 1);
  for (const int other : others) {
    session.run_on(other, [&session, other, bytes] { session.spe(other).get_and_wait(session.spe(0), bytes); });
  }
  return session.run();
}

std::vector<Cycles> acks_to_root(Machine& machine, const std::vector<int>& others) {
  Session session(machine, *std::max_element(others.begin(), others.end()) + 1);
  std::vector<Cycles> arrivals;
  session.run_on(0, [&] {
    for (std::size_t i = 0; i < others.size(); ++i) {
      while (session.spe(0).arrived().empty()) {
        session.spe(0).poll();
      }
      session.spe(0).arrived().pop_front();
      arrivals.push_back(session.now());
    }
  });
  for (const int other : others) {
    session.run_on(other, [&session, other] { session.spe(other).put(session.spe(0), {Kind::kAck, other}); });
  }
  (void)session.run();
  return arrivals;
}

Cycles butterfly(Machine& machine, int messages, Bytes bytes) {
  Session session(machine, 2 * CellHardware::kSpesOfChip);
  for (int i = 0; i < messages / 2; ++i) {
    for (const int self : {i, i + CellHardware::kSpesOfChip}) {
      const int partner = (self + CellHardware::kSpesOfChip) % (2 * CellHardware::kSpesOfChip);
      session.run_on(self,
                     [&session, self, partner, bytes] { session.spe(self).get_and_wait(session.spe(partner), bytes); });
    }
  }
  return mean_of(session.run());
}

Cycles combination(Machine& machine, Bytes bytes) {
  Session session(machine, 1);
  session.run_on(0, [&] { session.spe(0).combine(bytes); });
  return session.run().front();
}

Cycles saturation_gap(Machine& machine, int a, int b) {
  constexpr int kMessages = 1000;
  Session session(machine, spes_for(a, b));
  session.run_on(a, [&] {
    for (int i = 0; i < kMessages; ++i) {
      session.spe(a).put(session.spe(b), {Kind::kSignal, a});
    }
    (void)session.spe(a).await(Kind::kAck, b);
  });
  session.run_on(b, [&] {
    for (int i = 0; i < kMessages; ++i) {
      (void)session.spe(b).await(Kind::kSignal, a);
    }
    session.spe(b).put(session.spe(a), {Kind::kAck, b});
  });
  return session.run().front() / kMessages;
}

Cycles answered_roundtrip(Machine& machine, int a, int b, Bytes bytes) {
  Session session(machine, spes_for(a, b));
  session.run_on(a, [&] {
    session.spe(a).put(session.spe(b), {Kind::kAddress, a});
    (void)session.spe(a).await(Kind::kAck, b);
  });
  session.run_on(b, [&] {
    (void)session.spe(b).await(Kind::kAddress, a);
    session.spe(b).get_and_wait(session.spe(a), bytes);
    session.spe(b).put(session.spe(a), {Kind::kAck, b});
  });
  return session.run().front();
}

}  // namespace postage::blade
