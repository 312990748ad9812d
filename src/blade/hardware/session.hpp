#pragma once

#include "blade/hardware/spe.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace postage::blade {

/// One experiment: what each of the first so many SPEs of the machine runs, and the PPEs of their blades, all starting
/// at the same cycle.
class Session {
 public:
  Session(Machine& machine, int spes);

  [[nodiscard]] Spe& spe(int number) { return *spes_.at(static_cast<std::size_t>(number)); }
  /// A blade's PPE; its number is that of no SPE.
  [[nodiscard]] Spe& ppe(int blade) { return *ppes_.at(static_cast<std::size_t>(blade)); }
  [[nodiscard]] int blades() const { return static_cast<int>(ppes_.size()); }

  [[nodiscard]] const Machine& machine() const { return machine_; }

  /// Adds a program. Each runs one at most.
  void run_on(Spe& spe, std::function<void()> program);
  void run_on(int number, std::function<void()> program) { run_on(spe(number), std::move(program)); }

  /// Runs all programs to their ends; the cycle, counted from the start, at which each ended, in the order in which
  /// they were added. Rethrows the first exception of a program. Once.
  std::vector<Cycles> run();

  /// Cycles since the start.
  [[nodiscard]] Cycles now() const;

 private:
  Machine& machine_;
  Cycles start_ = 0;
  std::vector<std::unique_ptr<Spe>> spes_;
  std::vector<std::unique_ptr<Spe>> ppes_;
  std::vector<std::unique_ptr<Cycles>> ends_;
  std::exception_ptr failure_;
};

}  // namespace postage::blade
