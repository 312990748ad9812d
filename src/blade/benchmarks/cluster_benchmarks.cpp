#include "blade/benchmarks/cluster_benchmarks.hpp"

#include "blade/transport/network_transport.hpp"

namespace postage::blade {
namespace {

using Kind = Notification::Kind;

constexpr Bytes kShortest = 16;
constexpr Bytes kLargest = 32 * 1024;

/// Half a roundtrip between SPE 0 and its PPE, by signals or by gets.
Cycles half_roundtrip(Machine& machine, Bytes bytes) {
  Session session(machine, 1);
  Spe& spe = session.spe(0);
  Spe& ppe = session.ppe(0);
  const auto side = [bytes](Spe& self, Spe& other, bool starts) {
    if (starts) {
      self.put(other, {Kind::kAddress, self.number()});
    }
    (void)self.await(Kind::kAddress, other.number());
    if (bytes > 0) {
      self.get_and_wait(other, bytes);
    }
    if (!starts) {
      self.put(other, {Kind::kAddress, self.number()});
    }
  };
  session.run_on(spe, [&] { side(spe, ppe, true); });
  session.run_on(ppe, [&] { side(ppe, spe, false); });
  return session.run().front() / 2;
}

/// When the PPE has seen a signal of each of so many SPEs.
Cycles signals_to_host(Machine& machine, int spes) {
  Session session(machine, spes);
  Spe& ppe = session.ppe(0);
  session.run_on(ppe, [&] {
    for (int spe = 0; spe < spes; ++spe) {
      (void)ppe.await(Kind::kSignal, spe);
    }
  });
  for (int spe = 0; spe < spes; ++spe) {
    session.run_on(spe, [&, spe] { session.spe(spe).put(ppe, {Kind::kSignal, spe}); });
  }
  return session.run().front();
}

/// From PPE 0: `messages` of `bytes`, and the empty answer to the last of them.
Cycles answered_messages(Machine& machine, int messages, Bytes bytes) {
  Session session(machine, 2 * CellHardware::kSpesOfBlade);
  std::vector<std::byte> memory(static_cast<std::size_t>(bytes));
  session.run_on(session.ppe(0), [&] {
    NetworkTransport transport(session, 0);
    for (int i = 0; i < messages; ++i) {
      transport.send(memory, 1, 0);
    }
    transport.receive({}, 1, 0);
  });
  session.run_on(session.ppe(1), [&] {
    NetworkTransport transport(session, 1);
    std::vector<std::byte> received(memory.size());
    for (int i = 0; i < messages; ++i) {
      transport.receive(received, 0, 0);
    }
    transport.send({}, 0, 0);
  });
  return session.run().front();
}

}  // namespace

ParameterGroup host_parameters(Machine& machine) {
  const auto exactly = [&](Cycles cycles) { return Estimate::exactly(machine.hardware().seconds(cycles)); };
  ParameterGroup group{.scope = {.channel = kSpePpe}};
  ParameterCurve latency;
  for (Bytes bytes = kShortest; bytes <= kLargest; bytes *= 2) {
    latency.push_back({bytes, exactly(half_roundtrip(machine, bytes))});
  }
  const Cycles gap = (signals_to_host(machine, CellHardware::kSpesOfBlade) - signals_to_host(machine, 1)) /
                     (CellHardware::kSpesOfBlade - 1);
  group.curves["L"] = latency;
  group.values["L_ack"] = exactly(half_roundtrip(machine, 0));
  group.curves["g"] = {{kShortest, exactly(gap)}};
  return group;
}

ParameterGroup network_parameters(Machine& machine) {
  constexpr int kMany = 100;
  const auto exactly = [&](Cycles cycles) { return Estimate::exactly(machine.hardware().seconds(cycles)); };
  const Cycles empty = answered_messages(machine, 1, 0);
  const Cycles gap_of_empty = answered_messages(machine, kMany, 0) / kMany;
  ParameterGroup group{.scope = {.channel = kBetweenBlades}};
  group.curves["L"] = {{kShortest, exactly(empty / 2 - gap_of_empty)}};
  ParameterCurve gap;
  for (Bytes bytes = kShortest; bytes <= kLargest; bytes *= 2) {
    gap.push_back({bytes, exactly(answered_messages(machine, 1, bytes) - empty + gap_of_empty)});
  }
  group.curves["g"] = gap;
  return group;
}

}  // namespace postage::blade
