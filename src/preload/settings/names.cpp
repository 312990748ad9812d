#include "preload/settings/names.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>
#include <vector>

namespace postage::preload {
namespace {

constexpr std::array<std::string_view, 10> kNames{
    "POSTAGE_PRELOAD",         "POSTAGE_PROBES",         "POSTAGE_STATS",     "POSTAGE_STATS_JSON",
    "POSTAGE_TRACE",           "POSTAGE_DECISIONS",      "POSTAGE_SCHEDULES", "POSTAGE_PRETENDED_CORES",
    "POSTAGE_PRETENDED_NODES", "POSTAGE_PRETENDED_TIMES"};
constexpr int kMostLetters = 2;

/// Letters to be inserted, removed or replaced to get from one to the other.
int letters_between(std::string_view a, std::string_view b) {
  std::vector<int> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    int diagonal = std::exchange(row[0], static_cast<int>(i) + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const int replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

}  // namespace

std::optional<std::string_view> name_meant_by(std::string_view name) {
  const auto* const known = std::find(kNames.begin(), kNames.end(), name);
  if (known != kNames.end()) {
    return std::nullopt;
  }
  const auto* const nearest = std::min_element(kNames.begin(), kNames.end(), [&](auto a, auto b) {
    return letters_between(name, a) < letters_between(name, b);
  });
  return letters_between(name, *nearest) <= kMostLetters ? std::optional(*nearest) : std::nullopt;
}

}  // namespace postage::preload
