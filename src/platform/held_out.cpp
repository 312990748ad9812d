#include <postage/platform/held_out.hpp>

#include <algorithm>
#include <cmath>

namespace postage {

const HeldOutPredictions* find_predictions(const HeldOut& held_out, std::string_view model,
                                           std::string_view evaluator) {
  const auto found =
      std::find_if(held_out.predictions.begin(), held_out.predictions.end(),
                   [&](const HeldOutPredictions& one) { return one.model == model && one.evaluator == evaluator; });
  return found == held_out.predictions.end() ? nullptr : &*found;
}

std::vector<double> log_errors(const HeldOut& held_out, const HeldOutPredictions& predictions) {
  std::vector<double> errors;
  errors.reserve(predictions.seconds.size());
  for (std::size_t i = 0; i < predictions.seconds.size(); ++i) {
    errors.push_back(std::log(held_out.collectives[i].measured.value / predictions.seconds[i]));
  }
  return errors;
}

}  // namespace postage
