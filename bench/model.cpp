// What one question costs, model by model.
#include <postage/model/model.hpp>

#include <benchmark/benchmark.h>

#include <string>

namespace postage {
namespace {

void ask(benchmark::State& state, const ModelDescriptor& description) {
  const ParameterTable table = parse_parameters(description.name, description.example);
  const Model model = build_model(table, channels_of(table));
  Bytes bytes = 1;
  for (auto _ : state) {
    bytes = bytes * 5 % 65537;
    benchmark::DoNotOptimize(cost(model, {.source = 0, .target = 1, .bytes = bytes, .concurrency = 3}));
  }
}

const bool kRegistered = [] {
  for (const ModelDescriptor* description : models()) {
    benchmark::RegisterBenchmark(("cost/" + std::string(description->name)).c_str(), ask, *description);
  }
  return true;
}();

}  // namespace
}  // namespace postage
