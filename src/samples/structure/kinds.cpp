#include <postage/samples/pair_structure.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace postage {
namespace {

/// The largest |ln| of a ratio of their times.
double difference(const AlikePairs& a, const AlikePairs& b) {
  double most = 0;
  for (std::size_t i = 0; i < std::min(a.times.size(), b.times.size()); ++i) {
    most = std::max(most, std::abs(std::log(a.times[i] / b.times[i])));
  }
  return most;
}

}  // namespace

std::vector<int> kinds_of_ranks(const PairStructure& structure) {
  std::vector<std::set<std::size_t>> classes_of(static_cast<std::size_t>(structure.groups()));
  for (const auto& [key, one] : structure.class_of_groups) {
    classes_of[static_cast<std::size_t>(std::get<1>(key))].insert(one);
    classes_of[static_cast<std::size_t>(std::get<2>(key))].insert(one);
  }
  std::map<std::set<std::size_t>, int> kinds;
  std::vector<int> kind_of;
  for (const int group : structure.group_of) {
    const auto& classes = classes_of[static_cast<std::size_t>(group)];
    kind_of.push_back(kinds.try_emplace(classes, static_cast<int>(kinds.size())).first->second);
  }
  return kind_of;
}

std::vector<std::size_t> stand_ins(const PairStructure& structure, const std::vector<bool>& is_measured) {
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < structure.classes.size(); ++i) {
    std::size_t best = i;
    double least = is_measured[i] ? 0 : std::numeric_limits<double>::infinity();
    for (std::size_t j = 0; j < structure.classes.size() && !is_measured[i]; ++j) {
      const double away = difference(structure.classes[i], structure.classes[j]);
      if (is_measured[j] && structure.classes[j].channel == structure.classes[i].channel && away < least) {
        best = j;
        least = away;
      }
    }
    result.push_back(best);
  }
  return result;
}

}  // namespace postage
