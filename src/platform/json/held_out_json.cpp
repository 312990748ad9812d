#include "platform/json/held_out_json.hpp"

#include "platform/json/estimates_json.hpp"

#include <postage/base/statistics.hpp>

#include <algorithm>
#include <cmath>

namespace postage {
namespace {

Json to_json(const HeldOutCollective& one) {
  return {{"collective", one.collective},
          {"algorithm", one.algorithm},
          {"P", one.ranks},
          {"root", one.root},
          {"bytes", one.bytes},
          {"segment", one.segment},
          {"message", one.message},
          {"chooses", one.chooses},
          {"measured", to_json(one.measured)}};
}

HeldOutCollective read_collective(const JsonField& field) {
  HeldOutCollective one{.collective = field["collective"].text(),
                        .algorithm = field["algorithm"].text(),
                        .ranks = field["P"].count<std::int32_t>(),
                        .root = field["root"].count<std::int32_t>(),
                        .bytes = field["bytes"].count<Bytes>(),
                        .segment = field["segment"].count<Bytes>(),
                        .message = field["message"].count<Bytes>(),
                        .measured = read_estimate(field["measured"]),
                        .chooses = field["chooses"].truth()};
  if (!(one.measured.value > 0)) {
    throw field["measured"].wrong("above 0");
  }
  return one;
}

/// Of |predicted/measured - 1|, for readers that want no more.
Json errors_of(const HeldOut& held_out, const HeldOutPredictions& predictions) {
  std::vector<double> errors;
  for (std::size_t i = 0; i < predictions.seconds.size(); ++i) {
    errors.push_back(std::abs(predictions.seconds[i] / held_out.collectives[i].measured.value - 1));
  }
  return {{"median", median(errors)},
          {"percentile95", quantile(errors, 0.95)},
          {"maximum", *std::max_element(errors.begin(), errors.end())}};
}

Json to_json(const HeldOut& held_out, const HeldOutPredictions& predictions) {
  Json value{{"model", predictions.model},
             {"evaluator", predictions.evaluator},
             {"seconds", predictions.seconds},
             {"errors", errors_of(held_out, predictions)}};
  if (!predictions.uncertainty.empty()) {
    value["uncertainty"] = predictions.uncertainty;
  }
  return value;
}

std::vector<double> read_numbers(const JsonField& field, std::size_t count) {
  std::vector<double> numbers;
  field.for_each_item([&](const JsonField& number) { numbers.push_back(number.number()); });
  if (numbers.size() != count) {
    throw field.wrong("as many numbers as there are collectives");
  }
  return numbers;
}

HeldOutPredictions read_predictions(const JsonField& field, std::size_t count) {
  HeldOutPredictions predictions{field["model"].text(), field["evaluator"].text(),
                                 read_numbers(field["seconds"], count)};
  const bool is_positive =
      std::all_of(predictions.seconds.begin(), predictions.seconds.end(), [](double seconds) { return seconds > 0; });
  if (!is_positive) {
    throw field["seconds"].wrong("above 0");
  }
  if (field.has("uncertainty")) {
    predictions.uncertainty = read_numbers(field["uncertainty"], count);
  }
  return predictions;
}

}  // namespace

Json to_json(const HeldOut& held_out) {
  Json collectives = Json::array();
  for (const HeldOutCollective& one : held_out.collectives) {
    collectives.push_back(to_json(one));
  }
  Json predictions = Json::array();
  for (const HeldOutPredictions& one : held_out.predictions) {
    predictions.push_back(to_json(held_out, one));
  }
  return {{"collectives", std::move(collectives)}, {"predictions", std::move(predictions)}};
}

HeldOut read_held_out(const JsonField& field) {
  HeldOut held_out;
  field["collectives"].for_each_item(
      [&](const JsonField& one) { held_out.collectives.push_back(read_collective(one)); });
  field["predictions"].for_each_item([&](const JsonField& one) {
    held_out.predictions.push_back(read_predictions(one, held_out.collectives.size()));
  });
  return held_out;
}

}  // namespace postage
