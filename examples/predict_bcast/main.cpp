// How long does a broadcast to 64 ranks take? Asks the library, with LogGP parameters given by hand.
#include <postage/predict/prediction.hpp>
#include <postage/schedule/algorithms.hpp>

#include <iostream>

int main() {
  using namespace postage;
  const PlatformModel loggp(parse_parameters("loggp", "L=5us,o=1us,g=2us,G=1ns"), {"all"},
                            ChannelMap::single_channel());
  for (const Algorithm& algorithm : algorithms_of(Collective::kBcast)) {
    if (can_do(algorithm, 64)) {
      const Schedule schedule = build_schedule(algorithm, {.ranks = 64, .bytes = 65536});
      const Prediction prediction = predict(schedule, loggp);
      std::cout << algorithm.name << ": " << format_seconds(prediction.seconds) << "\n";
    }
  }
}
