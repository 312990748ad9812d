#include "validate/random/kept_seed.hpp"

#include <postage/base/files.hpp>
#include <postage/base/json.hpp>
#include <postage/samples/sample_files.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <sstream>

namespace postage {
namespace {

std::string text_of(const std::vector<std::vector<double>>& times) {
  std::string text;
  for (const std::vector<double>& repeated : times) {
    text += fmt::format("{}\n", fmt::join(repeated, " "));
  }
  return text;
}

std::vector<std::vector<double>> times_in(const std::string& text) {
  std::istringstream lines(text);
  std::vector<std::vector<double>> times;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::vector<double>& repeated = times.emplace_back();
    for (double seconds = 0; words >> seconds;) {
      repeated.push_back(seconds);
    }
  }
  return times;
}

}  // namespace

KeptSeed::KeptSeed(const std::filesystem::path& keep, const RandomPlatform& random)
    : folder_(keep.empty() ? keep : keep / random.name()) {
  if (is_kept()) {
    std::filesystem::create_directories(folder_);
  }
}

SampleSet KeptSeed::samples(const std::string& name, const std::function<SampleSet()>& measure) const {
  const std::filesystem::path file = folder_ / name;
  if (is_kept() && std::filesystem::exists(file)) {
    return load_samples({file.string()});
  }
  SampleSet samples = measure();
  if (is_kept()) {
    write_json(file, to_json(samples));
  }
  return samples;
}

std::vector<std::vector<double>> KeptSeed::times(
    const std::vector<BatchPoint>& points, const std::function<std::vector<std::vector<double>>()>& simulate) const {
  const std::string asked = format_batch(points);
  if (is_kept() && std::filesystem::exists(folder_ / "times") && std::filesystem::exists(folder_ / "points") &&
      read_file(folder_ / "points") == asked) {
    return times_in(read_file(folder_ / "times"));
  }
  std::vector<std::vector<double>> times = simulate();
  if (is_kept()) {
    write_file(folder_ / "times", text_of(times));
    write_file(folder_ / "points", asked);
  }
  return times;
}

void KeptSeed::keep(const Platform& platform) const {
  if (is_kept()) {
    write_platform(folder_ / "platform.json", platform);
  }
}

}  // namespace postage
