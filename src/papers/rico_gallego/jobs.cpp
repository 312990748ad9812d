#include "papers/rico_gallego/jobs.hpp"

#include <postage/predict/given_parameters.hpp>

#include <fmt/format.h>

#include <cmath>

namespace postage::rico_gallego_paper {

std::string growing() {
  std::string text = "o=0,n=2,S=8K,L=";
  for (int tau = 1; tau <= 256; tau *= 2) {
    text += fmt::format("{}8K/{}:{}us", tau > 1 ? ";" : "", tau, 2 * std::pow(tau, 0.6));
  }
  return text;
}

PlatformModel on_one_channel(std::string_view model, std::string_view parameters) {
  return {parse_parameters(model, parameters), {std::string(kAllChannels)}, ChannelMap::single_channel()};
}

Seconds formula(std::string_view collective, std::string_view name, const FormulaJob& job) {
  return evaluate(find_formula(collective, name), job).upper;
}

Seconds evaluator(std::string_view collective, std::string_view name, const FormulaJob& job) {
  return evaluate_schedule_of(find_formula(collective, name), job).seconds;
}

}  // namespace postage::rico_gallego_paper
