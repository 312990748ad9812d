#include <postage/base/error.hpp>
#include <postage/platform/host_list.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>

namespace postage {
namespace {

[[noreturn]] void refuse_list(std::string_view text, const std::string& why) {
  throw UsageError(fmt::format("'{}' is no list of hosts like a[1-4,7],b[001-010]: {}", text, why));
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// A number as it is written, zeros in front included.
struct WrittenNumber {
  std::uint64_t value = 0;
  std::size_t width = 0;
};

std::optional<WrittenNumber> parse_written_number(std::string_view digits) {
  constexpr std::size_t kMostDigits = 18;
  if (digits.empty() || digits.size() > kMostDigits || !std::ranges::all_of(digits, is_digit)) {
    return {};
  }
  WrittenNumber number{.width = digits.size()};
  std::from_chars(digits.data(), digits.data() + digits.size(), number.value);
  return number;
}

/// Pieces between the commas that lie outside of brackets.
std::vector<std::string_view> split_at_commas(std::string_view text) {
  std::vector<std::string_view> items;
  std::size_t begin = 0;
  bool in_brackets = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '[' || text[i] == ']') {
      in_brackets = text[i] == '[';
    } else if (text[i] == ',' && !in_brackets) {
      items.push_back(text.substr(begin, i - begin));
      begin = i + 1;
    }
  }
  items.push_back(text.substr(begin));
  return items;
}

/// Expands one list; counts hosts so that a short text cannot fill the memory.
class HostListReader {
 public:
  explicit HostListReader(std::string_view text) : text_(text) {}

  std::vector<std::string> read() {
    for (const std::string_view item : split_at_commas(text_)) {
      if (item.empty()) {
        refuse_list(text_, "a name is empty");
      }
      std::vector<std::string> names = expand_item(item);
      std::ranges::move(names, std::back_inserter(hosts_));
      check_count(hosts_.size());
    }
    return std::move(hosts_);
  }

 private:
  void check_count(std::size_t count) const {
    if (count > kMostListedHosts) {
      refuse_list(text_, fmt::format("it stands for more than {} hosts", kMostListedHosts));
    }
  }

  std::vector<std::string> expand_item(std::string_view item) const {
    std::vector<std::string> names{""};
    while (!item.empty()) {
      const std::size_t open = item.find('[');
      if (item.substr(0, open).find(']') != std::string_view::npos) {
        refuse_list(text_, "a ']' has no '['");
      }
      for (std::string& name : names) {
        name += item.substr(0, open);
      }
      if (open == std::string_view::npos) {
        break;
      }
      const std::size_t close = item.find(']', open);
      if (close == std::string_view::npos) {
        refuse_list(text_, "a '[' has no ']'");
      }
      names = combine(names, expand_brackets(item.substr(open + 1, close - open - 1)));
      item.remove_prefix(close + 1);
    }
    return names;
  }

  std::vector<std::string> combine(const std::vector<std::string>& names,
                                   const std::vector<std::string>& numbers) const {
    check_count(names.size() * numbers.size());
    std::vector<std::string> combined;
    for (const std::string& name : names) {
      for (const std::string& number : numbers) {
        combined.push_back(name + number);
      }
    }
    return combined;
  }

  std::vector<std::string> expand_brackets(std::string_view inside) const {
    std::vector<std::string> numbers;
    for (const std::string_view range : split_at_commas(inside)) {
      const std::size_t dash = range.find('-');
      const auto first = parse_written_number(range.substr(0, dash));
      const auto last = dash == std::string_view::npos ? first : parse_written_number(range.substr(dash + 1));
      if (!first || !last) {
        refuse_list(text_, fmt::format("'{}' in brackets is no number and no range like 1-4", range));
      }
      if (last->value < first->value) {
        refuse_list(text_, fmt::format("the range {} falls", range));
      }
      check_count(numbers.size() + (last->value - first->value));
      for (std::uint64_t number = first->value; number <= last->value; ++number) {
        numbers.push_back(fmt::format("{:0{}}", number, first->width));
      }
    }
    return numbers;
  }

  std::string_view text_;
  std::vector<std::string> hosts_;
};

/// A name as what stands before its last number, that number, and what stands behind it.
struct NumberedName {
  std::string_view before;
  std::optional<WrittenNumber> number;
  std::string_view behind;
};

NumberedName split_name(std::string_view name) {
  const auto last = std::find_if(name.rbegin(), name.rend(), is_digit);
  const auto first = std::find_if_not(last, name.rend(), is_digit);
  const auto end = static_cast<std::size_t>(name.rend() - last);
  const auto begin = static_cast<std::size_t>(name.rend() - first);
  const std::optional<WrittenNumber> number = parse_written_number(name.substr(begin, end - begin));
  return number ? NumberedName{name.substr(0, begin), number, name.substr(end)} : NumberedName{name, {}, {}};
}

/// Hosts whose names differ in one number only.
class NumberedHosts {
 public:
  explicit NumberedHosts(const NumberedName& first) : name_(first), ranges_{{*first.number, *first.number}} {}

  bool takes(const NumberedName& next) {
    if (!next.number || next.before != name_.before || next.behind != name_.behind) {
      return false;
    }
    auto& [first, last] = ranges_.back();
    const bool follows = next.number->value == last.value + 1 &&
                         next.number->width == std::max(first.width, fmt::formatted_size("{}", next.number->value));
    if (follows) {
      last = *next.number;
    } else {
      ranges_.emplace_back(*next.number, *next.number);
    }
    return true;
  }

  [[nodiscard]] std::string text() const {
    std::string inside;
    for (const auto& [first, last] : ranges_) {
      inside += fmt::format("{}{:0{}}", inside.empty() ? "" : ",", first.value, first.width);
      inside += first.value == last.value ? "" : fmt::format("-{:0{}}", last.value, last.width);
    }
    const bool is_one = ranges_.size() == 1 && ranges_[0].first.value == ranges_[0].second.value;
    return is_one ? fmt::format("{}{}{}", name_.before, inside, name_.behind)
                  : fmt::format("{}[{}]{}", name_.before, inside, name_.behind);
  }

 private:
  NumberedName name_;
  std::vector<std::pair<WrittenNumber, WrittenNumber>> ranges_;
};

}  // namespace

std::vector<std::string> expand_host_list(std::string_view text) {
  return HostListReader(text).read();
}

std::string format_host_list(std::span<const std::string> hosts) {
  std::vector<std::string> items;
  std::optional<NumberedHosts> running;
  const auto flush = [&] {
    if (running) {
      items.push_back(running->text());
      running.reset();
    }
  };
  for (const std::string& host : hosts) {
    const NumberedName name = split_name(host);
    if (running && running->takes(name)) {
      continue;
    }
    flush();
    if (name.number) {
      running.emplace(name);
    } else {
      items.push_back(host);
    }
  }
  flush();
  return fmt::format("{}", fmt::join(items, ","));
}

}  // namespace postage
