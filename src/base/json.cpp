#include <postage/base/error.hpp>
#include <postage/base/json.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace postage {
namespace {

/// The member of that name, or where it would stand.
template <typename Members>
auto lower_bound(Members& members, std::string_view name) {
  return std::lower_bound(members.begin(), members.end(), name,
                          [](const JsonMember& member, std::string_view wanted) { return member.name < wanted; });
}

template <typename Kind, typename Value>
auto& expect(Value& value, const char* what) {
  if (auto* const found = std::get_if<Kind>(&value)) {
    return *found;
  }
  throw Error(fmt::format("a JSON value is not {}", what));
}

bool is_pair_with_name(const Json& item) {
  return item.is_array() && item.size() == 2 && item[0].is_text();
}

}  // namespace

Json::Json() noexcept = default;
Json::Json(bool value) : value_(value) {}
Json::Json(int value) : value_(std::int64_t{value}) {}
Json::Json(long value) : value_(std::int64_t{value}) {}
Json::Json(long long value) : value_(std::int64_t{value}) {}
Json::Json(unsigned value) : value_(std::uint64_t{value}) {}
Json::Json(unsigned long value) : value_(std::uint64_t{value}) {}
Json::Json(unsigned long long value) : value_(std::uint64_t{value}) {}
Json::Json(double value) : value_(value) {}
Json::Json(const char* text) : value_(std::string(text)) {}
Json::Json(std::string_view text) : value_(std::string(text)) {}
Json::Json(std::string text) : value_(std::move(text)) {}

Json::Json(std::initializer_list<Json> list) {
  if (!std::ranges::all_of(list, is_pair_with_name)) {
    value_ = Array(list);
    return;
  }
  *this = object();
  for (const Json& item : list) {
    (*this)[item[0].text()] = item[1];
  }
}

Json::Json(const Json& other) = default;
Json::Json(Json&& other) noexcept = default;
Json& Json::operator=(const Json& other) = default;
Json& Json::operator=(Json&& other) noexcept = default;
Json::~Json() = default;

Json Json::array() {
  return array({});
}

Json Json::array(std::initializer_list<Json> items) {
  Json made;
  made.value_ = Array(items);
  return made;
}

Json Json::object() {
  Json made;
  made.value_ = Object();
  return made;
}

bool Json::is_null() const noexcept {
  return std::holds_alternative<std::monostate>(value_);
}

bool Json::is_boolean() const noexcept {
  return std::holds_alternative<bool>(value_);
}

bool Json::is_integer() const noexcept {
  return std::holds_alternative<std::int64_t>(value_) || std::holds_alternative<std::uint64_t>(value_);
}

bool Json::is_number() const noexcept {
  return is_integer() || std::holds_alternative<double>(value_);
}

bool Json::is_text() const noexcept {
  return std::holds_alternative<std::string>(value_);
}

bool Json::is_array() const noexcept {
  return std::holds_alternative<Array>(value_);
}

bool Json::is_object() const noexcept {
  return std::holds_alternative<Object>(value_);
}

bool Json::truth() const {
  return expect<bool>(value_, "true or false");
}

std::int64_t Json::integer() const {
  if (const auto* const found = std::get_if<std::uint64_t>(&value_)) {
    return static_cast<std::int64_t>(*found);
  }
  if (const auto* const found = std::get_if<double>(&value_)) {
    return static_cast<std::int64_t>(*found);
  }
  return expect<std::int64_t>(value_, "a number");
}

double Json::number() const {
  if (const auto* const found = std::get_if<std::uint64_t>(&value_)) {
    return static_cast<double>(*found);
  }
  if (const auto* const found = std::get_if<std::int64_t>(&value_)) {
    return static_cast<double>(*found);
  }
  return expect<double>(value_, "a number");
}

const std::string& Json::text() const {
  return expect<std::string>(value_, "a text");
}

std::size_t Json::size() const noexcept {
  if (const auto* const items = std::get_if<Array>(&value_)) {
    return items->size();
  }
  if (const auto* const members = std::get_if<Object>(&value_)) {
    return members->size();
  }
  return is_null() ? 0 : 1;
}

const Json* Json::begin() const {
  return is_null() ? nullptr : expect<Array>(value_, "an array").data();
}

const Json* Json::end() const {
  return is_null() ? nullptr : begin() + size();
}

Json* Json::begin() {
  return is_null() ? nullptr : expect<Array>(value_, "an array").data();
}

Json* Json::end() {
  return is_null() ? nullptr : begin() + size();
}

const Json& Json::operator[](std::size_t index) const {
  const Array& items = expect<Array>(value_, "an array");
  if (index >= items.size()) {
    throw Error(fmt::format("a JSON array of {} items has none of index {}", items.size(), index));
  }
  return items[index];
}

Json& Json::operator[](std::size_t index) {
  return const_cast<Json&>(std::as_const(*this)[index]);
}

void Json::push_back(Json item) {
  if (is_null()) {
    value_ = Array();
  }
  expect<Array>(value_, "an array").push_back(std::move(item));
}

const std::vector<JsonMember>& Json::members() const {
  return expect<Object>(value_, "an object");
}

const Json* Json::find(std::string_view name) const noexcept {
  const auto* const members = std::get_if<Object>(&value_);
  if (members == nullptr) {
    return nullptr;
  }
  const auto found = lower_bound(*members, name);
  return found != members->end() && found->name == name ? &found->value : nullptr;
}

const Json& Json::operator[](std::string_view name) const {
  if (const Json* const found = find(name)) {
    return *found;
  }
  throw Error(fmt::format("a JSON value has no member {}", name));
}

Json& Json::operator[](std::string_view name) {
  if (is_null()) {
    value_ = Object();
  }
  Object& members = expect<Object>(value_, "an object");
  auto found = lower_bound(members, name);
  if (found == members.end() || found->name != name) {
    found = members.insert(found, {std::string(name), Json()});
  }
  return found->value;
}

bool Json::erase(std::string_view name) {
  Object& members = expect<Object>(value_, "an object");
  const auto found = lower_bound(members, name);
  const bool there = found != members.end() && found->name == name;
  if (there) {
    members.erase(found);
  }
  return there;
}

bool operator==(const Json& a, const Json& b) noexcept {
  if (a.is_integer() && b.is_integer()) {
    return a.integer() == b.integer();
  }
  if (a.is_number() && b.is_number()) {
    return a.number() == b.number();
  }
  return a.value_ == b.value_;
}

}  // namespace postage
