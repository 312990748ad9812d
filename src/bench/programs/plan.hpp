#pragma once

#include "bench/programs/experiments.hpp"

#include <sstream>

namespace postage::bench {

/// "latency,bandwidth 8,1024 0.05": experiments, sizes, seconds per size, or "x3" for three repetitions of each; each
/// may be left out from the end.
inline Plan parse_plan(int argc, char** argv) {
  const auto split = [](const char* text) {
    std::vector<std::string> parts;
    std::istringstream in(text);
    for (std::string part; std::getline(in, part, ',');) {
      parts.push_back(part);
    }
    return parts;
  };
  Plan plan;
  if (argc > 1) {
    plan.experiments = split(argv[1]);
  }
  if (argc > 2) {
    plan.sizes.clear();
    for (const std::string& size : split(argv[2])) {
      plan.sizes.push_back(std::stoul(size));
    }
  }
  if (argc > 3) {
    const std::string text = argv[3];
    if (text.starts_with("x")) {
      plan.repeats = std::stoi(text.substr(1));
    } else {
      plan.seconds = std::stod(text);
    }
  }
  return plan;
}

}  // namespace postage::bench
