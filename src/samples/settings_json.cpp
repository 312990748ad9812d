#include "samples/settings_json.hpp"

#include <postage/base/error.hpp>

namespace postage {

Json to_json(const MeasureSettings& s) {
  return {{"precision", s.precision},
          {"confidence", s.confidence},
          {"budget", s.budget},
          {"warm_up", s.warm_up},
          {"least_repetitions", s.least_repetitions},
          {"most_repetitions", s.most_repetitions},
          {"passes", s.passes},
          {"serial", s.serial},
          {"triplets", s.triplets},
          {"all_pairs", s.all_pairs},
          {"timing", name_of(s.timing)},
          {"keep_values", s.keep_values}};
}

MeasureSettings read_settings(const JsonField& field) {
  MeasureSettings settings{.precision = field["precision"].number(),
                           .confidence = field["confidence"].number(),
                           .budget = field["budget"].number(),
                           .warm_up = field["warm_up"].count<int>(),
                           .least_repetitions = field["least_repetitions"].count<int>(),
                           .most_repetitions = field["most_repetitions"].count<int>(),
                           .passes = field["passes"].count<int>(),
                           .serial = field["serial"].truth(),
                           .triplets = field["triplets"].count<int>(),
                           .all_pairs = !field.has("all_pairs") || field["all_pairs"].truth(),
                           .keep_values = field["keep_values"].truth()};
  try {
    settings.timing = parse_timing_method(field["timing"].text());
  } catch (const UsageError& mistake) {
    throw field["timing"].wrong(mistake.what());
  }
  return settings;
}

}  // namespace postage
