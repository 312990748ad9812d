#include "mutation.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>

namespace postage {
namespace {

constexpr std::array<const char*, 18> kNumbers{"0",
                                               "-1",
                                               "1",
                                               "2147483647",
                                               "2147483648",
                                               "4294967296",
                                               "9223372036854775807",
                                               "9223372036854775808",
                                               "-9223372036854775808",
                                               "1e999",
                                               "-1e999",
                                               "nan",
                                               "18446744073709551615",
                                               "99999999999999999999",
                                               "0.1",
                                               "1e-320",
                                               "",
                                               "1000000"};

// std::uniform_int_distribution differs between libraries.
std::size_t below(std::size_t limit, std::mt19937& random) {
  return limit == 0 ? 0 : random() % limit;
}

void replace_number(std::string& text, std::mt19937& random) {
  const auto is_digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  const auto start = text.begin() + static_cast<std::ptrdiff_t>(below(text.size(), random));
  const auto first = std::find_if(start, text.end(), is_digit);
  const auto last = std::find_if_not(first, text.end(), is_digit);
  text.replace(first, last, kNumbers[below(kNumbers.size(), random)]);
}

void insert_piece(std::string& text, const std::string& other, std::mt19937& random) {
  const std::size_t from = below(other.size() + 1, random);
  text.insert(below(text.size() + 1, random), other, from, below(40, random));
}

void change_once(std::string& text, const std::vector<std::string>& corpus, std::mt19937& random) {
  const std::size_t at = below(text.size(), random);
  switch (below(6, random)) {
    case 0:
      if (!text.empty()) {
        text[at] = static_cast<char>(below(256, random));
      }
      return;
    case 1:
      text.erase(at, 1 + below(20, random));
      return;
    case 2:
      insert_piece(text, text, random);
      return;
    case 3:
      insert_piece(text, corpus[below(corpus.size(), random)], random);
      return;
    case 4:
      text.resize(at);
      return;
    default:
      replace_number(text, random);
  }
}

}  // namespace

std::string mutated(const std::vector<std::string>& corpus, std::mt19937& random) {
  std::string text = corpus[below(corpus.size(), random)];
  for (std::size_t changes = 1 + below(4, random); changes > 0; --changes) {
    change_once(text, corpus, random);
  }
  return text;
}

}  // namespace postage
