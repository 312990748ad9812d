#pragma once

#include <postage/platform/platform.hpp>

#include <rapidcheck.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace postage {

/// Any double that equals itself: infinities, subnormals and negative zero included.
inline rc::Gen<double> any_number() {
  using Limits = std::numeric_limits<double>;
  return rc::gen::oneOf(rc::gen::suchThat<double>([](double x) { return !std::isnan(x); }),
                        rc::gen::element(Limits::infinity(), Limits::denorm_min(), -0.0, 1. / 3, Limits::max(), 1e-7));
}

/// Text with quotes, backslashes, control characters and other alphabets.
inline rc::Gen<std::string> any_text() {
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(
                          rc::gen::element<std::string>("a", "Z", " ", "\"", "\\", "\n", "\x01", "/", "é", "節", "0")),
                      [](const std::vector<std::string>& parts) {
                        std::string text;
                        for (const auto& part : parts) {
                          text += part;
                        }
                        return text;
                      });
}

inline std::size_t index_into(std::size_t count) {
  return *rc::gen::inRange<std::size_t>(0, count);
}

template <typename Make>
auto some(int most, Make make) {
  std::vector<decltype(make())> values;
  for (int left = *rc::gen::inRange(0, most + 1); left > 0; --left) {
    values.push_back(make());
  }
  return values;
}

inline Estimate random_estimate() {
  const double a = *any_number();
  const double b = *any_number();
  return {.value = *any_number(), .lower = std::min(a, b), .upper = std::max(a, b)};
}

inline Core random_core() {
  const auto number = [] { return *rc::gen::nonNegative<int>(); };
  return {.pu = number(), .socket = number(), .numa = number(), .cache = number()};
}

inline Bytes random_bytes() {
  return *rc::gen::nonNegative<Bytes>();
}

inline ParameterScope random_scope(const Platform& platform) {
  if (platform.ranks.size() > 1 && *rc::gen::arbitrary<bool>()) {
    const auto second = 1 + index_into(platform.ranks.size() - 1);
    return {.channel = "", .first = static_cast<int>(index_into(second)), .second = static_cast<int>(second)};
  }
  return {.channel = platform.channels[index_into(platform.channels.size())]};
}

inline ParameterGroup random_group(const Platform& platform) {
  ParameterGroup group{.scope = random_scope(platform), .from_bytes = random_bytes(), .values = {}};
  for (const auto& symbol : some(3, [] { return *any_text(); })) {
    group.values[symbol] = random_estimate();
  }
  return group;
}

inline ParameterTable random_table(const Platform& platform) {
  return {.model = *any_text(),
          .groups = some(3, [&] { return random_group(platform); }),
          .fit = {.points = *rc::gen::inRange<std::size_t>(0, 1000),
                  .median_relative_residual = *any_number(),
                  .largest_relative_residual = *any_number(),
                  .smallest = random_bytes(),
                  .largest = random_bytes()}};
}

inline MeasuredPoint random_point(const Platform& platform) {
  const auto rank = [&] { return static_cast<int>(index_into(platform.ranks.size())); };
  return {.source = rank(),
          .target = rank(),
          .channel = platform.channels[index_into(platform.channels.size())],
          .bytes = random_bytes(),
          .one_way = random_estimate(),
          .repetitions = *rc::gen::inRange<std::size_t>(0, 1U << 30U),
          .precise = *rc::gen::arbitrary<bool>()};
}

inline Platform random_platform() {
  Platform platform;
  platform.name = *any_text();
  platform.implementation = *any_text();
  platform.created = *any_text();
  platform.is_virtual = *rc::gen::arbitrary<bool>();
  const auto names = some(3, [] { return *any_text(); });
  const std::set<std::string> distinct(names.begin(), names.end());
  platform.channels.assign(distinct.rbegin(), distinct.rend());
  platform.nodes = some(3, [] { return Node{.name = *any_text(), .topology = {.cores = some(4, random_core)}}; });
  for (std::size_t n = 0; n < platform.nodes.size(); ++n) {
    for (std::size_t c = 0; c < platform.nodes[n].topology.cores.size(); ++c) {
      platform.ranks.push_back({.node = static_cast<int>(n), .core = static_cast<int>(c)});
    }
  }
  if (!platform.channels.empty()) {
    platform.models = some(2, [&] { return random_table(platform); });
  }
  if (!platform.channels.empty() && !platform.ranks.empty()) {
    platform.points = some(4, [&] { return random_point(platform); });
  }
  return platform;
}

/// Any platform that a file can hold.
inline rc::Gen<Platform> any_platform() {
  return rc::gen::exec(random_platform);
}

}  // namespace postage
