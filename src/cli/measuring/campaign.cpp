#include "cli/measuring/campaign.hpp"

#include "cli/options/remark.hpp"

#include <postage/base/error.hpp>
#include <postage/base/text.hpp>
#include <postage/measure/held_out_draw.hpp>
#include <postage/samples/sample_files.hpp>
#include <postage/validate/held_out_accuracy.hpp>
#include <postage/validate/refinement.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace postage {
namespace {

/// Again where the machine changed its speed meanwhile, as often as was allowed; the campaign in which it changed
/// least.
SampleSet measure_calmly(const MeasureOptions& options, const LaunchOptions& launch) {
  const std::vector<std::string> words = experiments_of(options);
  SampleSet samples = measure_with(launch, words);
  for (int left = options.repeat; left > 0 && !samples.interrupted && speed_change(samples) > 0; --left) {
    print_remark("postage: the machine's speed changed by {:.0f} % while it was measured; measuring again\n",
                 100 * speed_change(samples));
    SampleSet other = measure_with(launch, words);
    if (!other.interrupted && speed_change(other) < speed_change(samples)) {
      samples = std::move(other);
    }
  }
  return samples;
}

}  // namespace

SampleSet measure_all(const MeasureOptions& options) {
  const LaunchOptions launch = launch_of(options);
  SampleSet samples = measure_calmly(options, launch);
  const bool has_sizes = std::any_of(options.sizes.begin(), options.sizes.end(),
                                     [](const auto& option) { return !option.second.empty(); });
  if (launch.virtual_name.empty()) {
    return samples;
  }
  LaunchOptions few = launch;
  few.ranks = refining_ranks(samples);
  if (!options.quick && !has_sizes && !samples.interrupted) {
    samples = refine_samples(std::move(samples),
                             [&](const std::vector<std::string>& words) { return measure_with(few, words); });
  }
  return with_held_out(std::move(samples), {options.held_out, options.held_out_seed},
                       [&](const std::vector<std::string>& words) { return measure_with(launch, words); });
}

void keep_interrupted(const MeasureOptions& options, const SampleSet& samples) {
  const std::string folder = options.samples.empty() ? options.output + ".samples" : options.samples;
  const std::string file = samples.measurements.empty() ? "" : save_samples(folder, samples).string();
  throw Interrupted(file.empty() ? std::string("measuring was interrupted before anything had been measured")
                                 : fmt::format("measuring was interrupted; {} experiments are kept in {}, and 'postage "
                                               "estimate {} -o {}' estimates from them what is possible",
                                               samples.measurements.size(), file, shell_word(folder),
                                               shell_word(options.output)));
}

}  // namespace postage
