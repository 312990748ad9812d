// Writes and reads platform files for tests/cli/schemas.py, which holds them against share/platform.schema.json.
#include <postage/base/error.hpp>
#include <postage/platform/platform.hpp>

#include <fmt/format.h>

#include <limits>
#include <string>

namespace postage {
namespace {

NetworkStructure example_network() {
  const Estimate rate{1e9, 0.9e9, std::numeric_limits<double>::infinity()};
  return {.classes = {{{0, 1}, rate, rate, Estimate::exactly(1e-6)}},
          .levels = {{GroupJunction::kMesh, 1, rate},
                     {GroupJunction::kRows, 1, rate, 1, true},
                     {GroupJunction::kSwitch, 4, {}, 2}},
          .groups = {{"a", 0, 2, {0}},
                     {"b", 0, 3, {1}},
                     {"row a", 1, 4, {0}},
                     {"row b", 1, 4, {1}},
                     {"all", 2, -1, {0, 1}, rate, rate, {{4, 0}}}},
          .torus = TorusNetwork{{2, 1}, {rate, std::nullopt}, true},
          .rails = 2,
          .backbone = rate,
          .half_duplex = true};
}

// Every kind of field, scope and number that a file can hold.
Platform example() {
  const double infinity = std::numeric_limits<double>::infinity();
  Platform platform;
  platform.name = "two \"nodes\"";
  platform.implementation = "Open MPI 4.1.4";
  platform.channels = {kSharedCache, kInterNode};
  platform.nodes = {{"a", {{{0, 0, 0, 0}, {1, 0, 0, 0}}}}, {"b", {{{4, 0, 0, 0}}}}};
  platform.ranks = {{0, 0}, {0, 1}, {1, 0}};
  platform.models = {{"hockney",
                      {{{kSharedCache}, 0, {{"alpha", {1e-7, 0.9e-7, 1.1e-7}}, {"beta", Estimate::exactly(1. / 3e9)}}},
                       {{"", 0, 2}, 4096, {{"alpha", {2e-6, -infinity, infinity}}}}},
                      {12, 0.01, 0.05, 8, 1048576}},
                     {"taulop",
                      {{{kSharedCache},
                        0,
                        {{"n", Estimate::exactly(2)}},
                        {{"o", {{0, {1e-6, -infinity, 2e-6}}, {65536, Estimate::exactly(2e-6)}}}},
                        {{"L", {{1, {{8, Estimate::exactly(3e-7)}}}, {4, {{8, {9e-7, 8e-7, infinity}}}}}}}},
                       {{.processor = 2}, 0, {{"C", Estimate::exactly(1e-5)}}}},
                      {4, 0.01, 0.05, 8, 1048576}}};
  platform.points = {{0, 1, kSharedCache, 8, {2.6e-7, 2.5e-7, 2.7e-7}, 100, true},
                     {0, 2, kInterNode, 0, {1e-6, -infinity, infinity}, 1, false}};
  platform.shm_protocols = {{kSharedCache, BufferUse::kReused, {8192, 16384, 65536, 262144, 32768, true}}};
  platform.network = example_network();
  return platform;
}

int run(const std::string& action, const std::string& path) {
  if (action == "write") {
    write_platform(path, example());
    return 0;
  }
  const bool is_same = read_platform(path) == example();
  fmt::print("{}\n", is_same ? "the example" : "another platform");
  return 0;
}

}  // namespace
}  // namespace postage

int main(int argc, char** argv) {
  try {
    return argc == 3 ? postage::run(argv[1], argv[2]) : 2;
  } catch (const postage::Error& failure) {
    fmt::print(stderr, "{}\n", failure.what());
    return 1;
  }
}
