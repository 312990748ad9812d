#pragma once

#include <postage/bench/preload.hpp>

#include <string>

namespace postage {

/// Times every blocking collective with and without the preload library; prints a table or JSON, and writes JSON to
/// `output` where that is not empty.
void bench_preload(const PreloadBenchPlan& plan, const std::string& output, bool as_json);

}  // namespace postage
