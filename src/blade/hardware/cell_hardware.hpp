#pragma once

#include <postage/base/units.hpp>

namespace postage::blade {

/// Cycles of the processor's clock. The simulated clock counts them: nearly all durations are then whole numbers, and
/// sums of them exact.
using Cycles = double;

/// What is known of a Cell blade's hardware: rates, latencies and limits of its units, nothing of what a message costs.
///
/// [A] Q. Ali, S. P. Midkiff, V. S. Pai, PPoPP 2010, sections 2, 3.3 and 7.
/// [K] M. Kistler, M. Perrone, F. Petrini, Cell multiprocessor communication network: built for speed, IEEE Micro
///     26(3), 2006, Table 1 (phases of a DMA, in cycles at 3.2 GHz); [A] cites it as [14] and prints none of them. From
///     memory; the abstract's bounds of 4 ns for an issue and 100 ns for a cache line hold of them.
/// [I] IBM, Cell Broadband Engine Programming Handbook: MFC, EIB and SPU. From memory as well.
struct CellHardware {
  double clock = 3.2e9;  ///< cycles/s [A]

  // An SPU and its memory flow controller (MFC).
  Cycles issue = 10;               ///< the SPU writes a DMA command to its MFC [K]
  Cycles to_bus = 30;              ///< from the command to its first bus request [K]
  int queue_depth = 16;            ///< commands that an MFC holds [I]
  int outstanding = 16;            ///< bus requests of an MFC under way at a time [I]
  Bytes longest_dma = 16 * 1024;   ///< of one command [I]
  Bytes local_store = 256 * 1024;  ///< [A]
  /// An SPU sees a flag that it polls: a load (6 cycles) and the mispredicted branch out of the loop (18) [I].
  Cycles poll = 24;
  /// A kernel that combines two vectors: two loads and a store for each 16 bytes, one a cycle, and the pipeline's
  /// depth: load, add, store and branch [I].
  Cycles combine_start = 36;
  Cycles combine_quadword = 3;

  // The element interconnect bus (EIB) of a chip.
  Cycles bus_cycle = 2;         ///< it runs at half the clock [A: 204.8 GB/s; I]
  Bytes bus_width = 16;         ///< bytes a bus cycle of one ring, and of an element's on-ramp and off-ramp [A]
  Bytes bus_request = 128;      ///< the most that a bus request transfers [A]
  int rings_each_way = 2;       ///< [A]
  int transfers_of_a_ring = 3;  ///< at a time, where their paths do not overlap [A]
  Cycles command_phase = 100;   ///< coherence protocol; a command bus takes one request a bus cycle [K, I]
  Cycles data_phase = 140;      ///< of 128 bytes over three hops, their 8 bus cycles included [K]
  static constexpr int kHopsOfDataPhase = 3;

  // The interface between the chips of a blade (BIF).
  double bif_rate = 20.48e9;  ///< B/s in each direction: a fifth of the EIB's 204.8 GB/s in all [A: "80% less"]
  /// Of one crossing. Nobody printed it: an assumption, of the size of links between sockets of that time (50 ns). A
  /// request's command crosses there and back before its data can.
  Cycles bif_latency = 160;

  static constexpr int kSpesOfChip = 8;
  static constexpr int kChips = 2;
  static constexpr int kSpesOfBlade = kSpesOfChip * kChips;

  // Between blades: a gigabit Ethernet with MPI on the general-purpose processor (PPE). [A] measures these and prints
  // none of them; assumptions again.
  double network_rate = 125e6;      ///< B/s
  Cycles network_latency = 80'000;  ///< 25 us
  Cycles mpi_overhead = 16'000;     ///< of sending and of receiving a message: 5 us
  /// The PPE's store to an SPE's memory-mapped registers, and its load that sees one: it goes through its cache.
  Cycles ppe_access = 400;

  [[nodiscard]] Seconds seconds(Cycles cycles) const { return cycles / clock; }
  /// Of the SPU's kernel that combines so many bytes.
  [[nodiscard]] Cycles combining(Bytes bytes) const {
    return combine_start + combine_quadword * static_cast<double>((bytes + 15) / 16);
  }
};

}  // namespace postage::blade
