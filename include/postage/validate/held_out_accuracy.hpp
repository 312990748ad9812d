#pragma once

#include <postage/platform/platform.hpp>
#include <postage/samples/samples.hpp>
#include <postage/validate/refinement.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace postage {

/// What each of the platform's models predicts, by each of its evaluators, for the collectives among the samples, which
/// no parameter was fitted to, beside what was measured: into platform.held_out. Every other one of them chooses the
/// model. Library collectives, strided ones, and those that were not measured, are left out, as is a model that says
/// that something takes no time, or lacks parameters of a channel. O(collectives * models) predictions.
void add_held_out(Platform& platform, const SampleSet& samples);

/// How many held-out collectives, from which seed.
struct HeldOutChoice {
  std::size_t count = 0;
  std::uint64_t seed = 1;
};

/// Words for a measuring program's campaign that times so many held-out collectives beside its other experiments.
[[nodiscard]] std::vector<std::string> words_of(const HeldOutChoice& choice);

/// The samples with those of a further campaign of held-out collectives alone, half of them beside the sizes at which
/// the samples say that protocols change. For simulations, which are as fast at one moment as at another.
[[nodiscard]] SampleSet with_held_out(SampleSet samples, const HeldOutChoice& choice, const MeasureWords& measure);

}  // namespace postage
