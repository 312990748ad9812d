#include "platform/json/rank_sets_json.hpp"

#include <postage/platform/number_list.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

namespace postage {

Json rank_sets_to_json(const std::vector<int>& set_of_rank) {
  std::vector<std::vector<int>> sets;
  for (std::size_t rank = 0; rank < set_of_rank.size(); ++rank) {
    const auto set = static_cast<std::size_t>(set_of_rank[rank]);
    sets.resize(std::max(sets.size(), set + 1));
    sets[set].push_back(static_cast<int>(rank));
  }
  std::vector<std::string> texts;
  for (const std::vector<int>& ranks : sets) {
    texts.push_back(format_number_list(ranks));
  }
  return texts;
}

std::vector<int> read_rank_sets(const JsonField& field) {
  std::vector<int> sets;
  int set = 0;
  field.for_each_item([&](const JsonField& text) {
    const auto ranks = parse_number_list(text.text());
    if (!ranks) {
      throw text.wrong("ranks that ascend, in ranges, like 0-3 8");
    }
    for (const int rank : *ranks) {
      sets.resize(std::max(sets.size(), static_cast<std::size_t>(rank) + 1), -1);
      if (std::exchange(sets[static_cast<std::size_t>(rank)], set) >= 0) {
        throw text.wrong(fmt::format("each rank in one set only; rank {} is in two", rank));
      }
    }
    ++set;
  });
  if (const auto missing = std::find(sets.begin(), sets.end(), -1); missing != sets.end()) {
    throw field.wrong(fmt::format("every rank in some set; rank {} is in none", missing - sets.begin()));
  }
  return sets;
}

}  // namespace postage
