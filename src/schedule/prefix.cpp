#include <postage/schedule/prefix.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace postage {

Index step_count(const Schedule& schedule) {
  return std::accumulate(schedule.stages.begin(), schedule.stages.end(), Index{0},
                         [](Index sum, const Stage& stage) { return sum + stage.iterations; });
}

std::string step_name(const Schedule& schedule, Index step) {
  for (const Stage& stage : schedule.stages) {
    if (step < stage.iterations) {
      return fmt::format("{}, step {}", stage.name, step);
    }
    step -= stage.iterations;
  }
  return fmt::format("step {}", step);
}

Schedule first_steps(Schedule schedule, Index steps) {
  if (steps == 0 || steps >= step_count(schedule)) {
    return schedule;
  }
  schedule.is_cut = true;
  Index left = steps;
  for (Stage& stage : schedule.stages) {
    stage.iterations = std::min(stage.iterations, left);
    left -= stage.iterations;
  }
  std::erase_if(schedule.stages, [](const Stage& stage) { return stage.iterations == 0; });
  return schedule;
}

Schedule first_stages(Schedule schedule, std::size_t stages) {
  if (stages < schedule.stages.size()) {
    schedule.is_cut = true;
    schedule.stages.resize(stages);
  }
  return schedule;
}

}  // namespace postage
