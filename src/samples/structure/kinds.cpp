#include <postage/samples/pair_structure.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>

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

namespace {

/// Of how many third groups both groups' pairs are of the same class.
int likeness(const PairStructure& structure, int a, int b) {
  std::map<std::pair<std::string, int>, std::size_t> of_a;  // by channel and third group
  for (const auto& [key, one] : structure.class_of_groups) {
    const auto& [channel, low, high] = key;
    if (low == a || high == a) {
      of_a[{channel, low == a ? high : low}] = one;
    }
  }
  int same = 0;
  for (const auto& [key, one] : structure.class_of_groups) {
    const auto& [channel, low, high] = key;
    const int third = low == b ? high : low;
    const auto found = of_a.find({channel, third});
    const bool is_of_b = (low == b || high == b) && third != a && third != b;
    same += is_of_b && found != of_a.end() && found->second == one ? 1 : 0;
  }
  return same;
}

}  // namespace

std::vector<int> kinds_of_ranks(const PairStructure& structure, const std::set<int>& known) {
  std::vector<int> kinds = kinds_of_ranks(structure);
  const auto at = [](int rank) { return static_cast<std::size_t>(rank); };
  std::map<int, int> known_groups;  // a group of each kind that is known
  for (const int rank : known) {
    known_groups.try_emplace(kinds[at(rank)], structure.group_of[at(rank)]);
  }
  std::map<int, int> instead;
  for (std::size_t rank = 0; rank < kinds.size() && !known_groups.empty(); ++rank) {
    if (known_groups.count(kinds[rank]) > 0 || instead.count(kinds[rank]) > 0) {
      continue;
    }
    int most = 0;
    for (const auto& [kind, group] : known_groups) {
      if (const int same = likeness(structure, structure.group_of[rank], group); same > most) {
        most = same;
        instead[kinds[rank]] = kind;
      }
    }
  }
  for (int& kind : kinds) {
    const auto other = instead.find(kind);
    kind = other == instead.end() ? kind : other->second;
  }
  return kinds;
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
