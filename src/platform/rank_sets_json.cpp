#include "platform/rank_sets_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <string>

namespace postage {
namespace {

constexpr const char* kForm = "ranks in ranges, like 0-3 8";
/// More are no ranks of a job.
constexpr int kMostRanks = 1 << 24;

void append_range(std::string& text, std::size_t first, std::size_t last) {
  text += fmt::format("{}{}", text.empty() ? "" : " ", first);
  if (last > first) {
    text += fmt::format("-{}", last);
  }
}

void read_range(const JsonField& field, const std::string& word, int set, std::vector<int>& sets) {
  std::istringstream range(word);
  int first = -1;
  char dash = '-';
  bool is_right = static_cast<bool>(range >> first);
  int last = first;
  if (is_right && !range.eof()) {
    is_right = static_cast<bool>(range >> dash >> last) && range.eof();
  }
  if (!is_right || dash != '-' || first < 0 || last < first || last >= kMostRanks) {
    throw field.wrong(kForm);
  }
  sets.resize(std::max(sets.size(), static_cast<std::size_t>(last) + 1), -1);
  for (int rank = first; rank <= last; ++rank) {
    int& own = sets[static_cast<std::size_t>(rank)];
    if (own >= 0) {
      throw field.wrong(fmt::format("each rank in one set only; rank {} is in two", rank));
    }
    own = set;
  }
}

}  // namespace

Json rank_sets_to_json(const std::vector<int>& set_of_rank) {
  std::vector<std::string> texts;
  for (std::size_t first = 0; first < set_of_rank.size();) {
    std::size_t end = first + 1;
    while (end < set_of_rank.size() && set_of_rank[end] == set_of_rank[first]) {
      ++end;
    }
    const auto set = static_cast<std::size_t>(set_of_rank[first]);
    texts.resize(std::max(texts.size(), set + 1));
    append_range(texts[set], first, end - 1);
    first = end;
  }
  return texts;
}

std::vector<int> read_rank_sets(const JsonField& field) {
  std::vector<int> sets;
  int set = 0;
  field.for_each_item([&](const JsonField& text) {
    std::istringstream words(text.text());
    for (std::string word; words >> word;) {
      read_range(text, word, set, sets);
    }
    ++set;
  });
  if (const auto missing = std::find(sets.begin(), sets.end(), -1); missing != sets.end()) {
    throw field.wrong(fmt::format("every rank in some set; rank {} is in none", missing - sets.begin()));
  }
  return sets;
}

}  // namespace postage
