#include <postage/base/error.hpp>
#include <postage/base/json_lines.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <limits>
#include <utility>

namespace postage {
namespace {

constexpr std::size_t kDeepestLines = 500;

/// Where the library's parser is: it reads at most one character ahead, behind numbers.
struct Place {
  const char* at = nullptr;
  int line = 1;
  bool last_was_newline = false;
};

/// Shows the characters to the parser and counts their lines.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, Place* place) : at_(at), place_(place) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    place_->last_was_newline = *at_ == '\n';
    place_->line += place_->last_was_newline ? 1 : 0;
    place_->at = ++at_;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const CountingIterator& other) const { return at_ == other.at_; }

 private:
  const char* at_;
  Place* place_;
};

class LineBuilder final : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit LineBuilder(const Place& place) : place_(place) { open_.emplace_back(); }

  bool null() override { return add(JsonLine::Kind::kNull); }
  bool boolean(bool value) override {
    add(JsonLine::Kind::kBoolean);
    open_.back().items.back().truth = value;
    return true;
  }
  bool number_integer(number_integer_t value) override { return add_integer(value); }
  bool number_unsigned(number_unsigned_t value) override {
    constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
    return add_integer(value > static_cast<number_unsigned_t>(kMost) ? kMost : static_cast<std::int64_t>(value));
  }
  bool number_float(number_float_t /*value*/, const string_t& text) override {
    add(JsonLine::Kind::kReal, number_line());
    open_.back().items.back().text = text;
    return true;
  }
  bool string(string_t& value) override {
    add(JsonLine::Kind::kText);
    open_.back().items.back().text = std::move(value);
    return true;
  }
  bool binary(binary_t& /*value*/) override { return false; }
  bool start_array(std::size_t /*size*/) override { return open(JsonLine::Kind::kArray); }
  bool end_array() override { return close(); }
  bool start_object(std::size_t /*size*/) override { return open(JsonLine::Kind::kObject); }
  bool end_object() override { return close(); }
  bool key(string_t& name) override {
    name_ = std::move(name);
    name_line_ = place_.line;
    return true;
  }
  bool parse_error(std::size_t /*position*/, const std::string& /*token*/,
                   const nlohmann::json::exception& mistake) override {
    std::string why = mistake.what();
    if (const auto end = why.find("] "); end != std::string::npos) {
      why.erase(0, end + 2);
    }
    throw Error(why);
  }

  [[nodiscard]] JsonLine take() { return std::move(open_.front().items.front()); }

 private:
  [[nodiscard]] int number_line() const { return place_.line - (place_.last_was_newline ? 1 : 0); }

  JsonLine named(JsonLine::Kind kind, int line) {
    JsonLine value{.kind = kind, .line = name_line_ > 0 ? name_line_ : line, .name = std::move(name_)};
    name_.clear();
    name_line_ = 0;
    return value;
  }

  bool add(JsonLine::Kind kind, int line = 0) {
    open_.back().items.push_back(named(kind, line > 0 ? line : place_.line));
    return true;
  }

  bool add_integer(std::int64_t value) {
    add(JsonLine::Kind::kInteger, number_line());
    open_.back().items.back().integer = value;
    open_.back().items.back().text = std::to_string(value);
    return true;
  }

  bool open(JsonLine::Kind kind) {
    if (open_.size() > kDeepestLines) {
      throw Error(fmt::format("line {}: nested more than {} levels deep", place_.line, kDeepestLines));
    }
    open_.push_back(named(kind, place_.line));
    return true;
  }

  bool close() {
    JsonLine closed = std::move(open_.back());
    open_.pop_back();
    open_.back().items.push_back(std::move(closed));
    return true;
  }

  const Place& place_;
  std::string name_;
  int name_line_ = 0;
  std::vector<JsonLine> open_;  ///< the first holds the whole
};

int line_of_rest(std::string_view text, const Place& place) {
  const auto* const rest = std::find_if(place.at, text.data() + text.size(), [](char c) {
    return std::string_view(" \t\r\n").find(c) == std::string::npos;
  });
  return rest == text.data() + text.size() ? 0 : place.line + static_cast<int>(std::count(place.at, rest, '\n'));
}

}  // namespace

const JsonLine* JsonLine::find(std::string_view wanted) const {
  const auto found = std::ranges::find(items, wanted, &JsonLine::name);
  return is_object() && found != items.end() ? &*found : nullptr;
}

JsonLinesText parse_json_lines(std::string_view text, bool is_lenient) {
  Place place{.at = text.data()};
  LineBuilder builder(place);
  const CountingIterator first(text.data(), &place);
  const CountingIterator last(text.data() + text.size(), &place);
  nlohmann::json::sax_parse(first, last, &builder, nlohmann::json::input_format_t::json, !is_lenient, is_lenient);
  return {builder.take(), is_lenient ? line_of_rest(text, place) : 0};
}

}  // namespace postage
