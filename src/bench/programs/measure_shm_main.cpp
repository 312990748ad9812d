// The measuring program over shared memory, which measures times and chooses thresholds from them.
//
//   postage-measure-shm -n 4 --sizes 8,64K -o samples.json
//   postage-measure-shm -n 2 --thresholds          also the thresholds of shared memory, before anything else
#include <postage/base/error.hpp>
#include <postage/estimate/shm_thresholds.hpp>
#include <postage/measure/shm_program.hpp>

#include <cstdio>

int main(int argc, char** argv) {
  try {
    return postage::measure_over_shm({argv, argv + argc}, [](std::span<const postage::LevelTimes> times) {
      return postage::choose_thresholds(times);
    });
  } catch (const postage::UsageError& mistake) {
    std::fprintf(stderr, "postage-measure: %s\n", mistake.what());
    return 2;
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "postage-measure: %s\n", failure.what());
    return 1;
  }
}
