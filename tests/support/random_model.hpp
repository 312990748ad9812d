#pragma once

#include <postage/predict/given_parameters.hpp>
#include <postage/predict/platform_model.hpp>
#include <postage/schedule/schedule.hpp>

#include <fmt/format.h>

#include <cmath>
#include <random>
#include <string>

namespace postage::test {

/// Platforms of any model whose parameters are drawn evenly on logarithmic scales: by pair of ranks, for models of
/// contention by channel, with two ranks on a node.
class RandomModel {
 public:
  explicit RandomModel(std::uint64_t seed) : random_(seed) {}

  [[nodiscard]] PlatformModel platform(const std::string& model, Rank ranks) {
    const ParameterTable table = parse_parameters(model, parameters(model, ranks));
    const std::int32_t per_node = has_channels(model) ? 2 : 1;
    const std::int32_t nodes = (ranks + per_node - 1) / per_node;
    const Platform platform = platform_of(table, nodes, per_node);
    return {table, platform.channels, ChannelMap(platform, Mapping::block(nodes, per_node))};
  }

  [[nodiscard]] double between(double least, double most) { return least * std::pow(most / least, share()); }
  [[nodiscard]] Rank rank_below(Rank ranks) { return static_cast<Rank>(random_() % static_cast<std::uint64_t>(ranks)); }
  [[nodiscard]] Bytes bytes() { return static_cast<Bytes>(between(1, 262144)); }

 private:
  [[nodiscard]] static bool has_channels(const std::string& model) {
    return model == "loggpc" || model == "taulop" || model == "flow" || model == "plogp-cell";
  }

  [[nodiscard]] std::string parameters(const std::string& model, Rank ranks) {
    if (model == "log3p") {
      return link(model, 1);
    }
    if (has_channels(model)) {
      return "[shared-cache]" + link(model, 1) + " [inter-node]" + link(model, 10);
    }
    std::string text = link(model, 1);
    for (Rank a = 0; a < ranks; ++a) {
      for (Rank b = a + 1; b < ranks; ++b) {
        text += fmt::format(" [pair {} {}]{}", a, b, link(model, 1));
      }
    }
    return text;
  }

  /// `scale` multiplies its times.
  [[nodiscard]] std::string link(const std::string& model, double scale) {
    const auto us = [&](double least, double most) { return fmt::format("{}us", scale * between(least, most)); };
    const auto ns = [&](double least, double most) { return fmt::format("{}ns", scale * between(least, most)); };
    const auto curve = [&](double at_64k) { return fmt::format("0:{};64K:{}", us(1, 10), us(at_64k, 10 * at_64k)); };
    const auto surface = [&](double at_64k) {
      return fmt::format("0/1:{0};64K/1:{1};0/4:{0};64K/4:{2}", us(1, 2), us(at_64k, 2 * at_64k),
                         us(4 * at_64k, 8 * at_64k));
    };
    if (model == "hockney") {
      return fmt::format("alpha={},beta={}", us(1, 100), ns(0.1, 100));
    }
    if (model == "plogp") {
      return fmt::format("L={},o_s=0:{};64K:{},o_r=0:{};64K:{},g=0:{};64K:{}", us(1, 100), us(1, 10), us(10, 100),
                         us(1, 10), us(10, 100), us(10, 100), us(100, 1000));
    }
    if (model == "plogp-cell") {
      return fmt::format("L=16:{};32K:{},g=16:{};32K:{}", us(1, 2), us(10, 20), us(0.5, 1), us(5, 10));
    }
    if (model == "taulop") {
      return fmt::format("o={},L={},n=2", us(1, 5), surface(30));
    }
    if (model == "flow") {
      return fmt::format("L={},o={},G={},B_node={}MB/s", us(1, 5), us(1, 5), ns(1, 2), between(200, 800) / scale);
    }
    if (model == "log3p") {
      return fmt::format("o_mw={},l_mw=0/8:{};16K/8:{},o_net={}", curve(10), us(1, 2), us(10, 20), curve(50));
    }
    std::string text = fmt::format("L={},o_s={},o_r={},g={}", us(1, 100), us(1, 50), us(1, 50), us(1, 100));
    if (model != "logp") {
      text += ",G=" + ns(0.1, 100);
    }
    if (model == "loggps") {
      return text + ",S=16K";
    }
    return model == "loggpc" ? text + ",C=0/2:1us;64K/2:30us;0/4:4us;64K/4:200us" : text;
  }

  [[nodiscard]] double share() { return static_cast<double>(random_() >> 11U) * 0x1p-53; }

  std::mt19937_64 random_;
};

}  // namespace postage::test
