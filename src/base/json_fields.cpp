#include "base/json_fields.hpp"

#include <postage/base/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace postage {
namespace {

constexpr std::size_t kLongestQuotation = 40;

std::string quotation(const nlohmann::json& value) {
  if (value.is_structured()) {
    return value.is_array() ? "an array" : "an object";
  }
  std::string text = value.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  if (text.size() > kLongestQuotation) {
    text = text.substr(0, kLongestQuotation) + "...";
  }
  return text;
}

}  // namespace

JsonField JsonField::child(const nlohmann::json& value, const std::string& step) const {
  JsonField field = *this;
  field.value_ = &value;
  field.way_ += way_.empty() && step.front() == '.' ? step.substr(1) : step;
  return field;
}

void JsonField::fail(const std::string& complaint) const {
  throw Error(fmt::format("{}: {} {}", file_, way_.empty() ? "the whole" : way_, complaint));
}

void JsonField::must_be(std::string_view what) const {
  fail(fmt::format("is {} but must be {}", quotation(*value_), what));
}

std::optional<JsonField> JsonField::find(const std::string& key) const {
  if (!value_->is_object()) {
    must_be("an object");
  }
  const auto member = value_->find(key);
  return member == value_->end() ? std::nullopt : std::optional(child(*member, "." + key));
}

JsonField JsonField::at(const std::string& key) const {
  const auto member = find(key);
  if (!member) {
    child(*value_, "." + key).fail("is missing");
  }
  return *member;
}

std::vector<JsonField> JsonField::elements() const {
  if (!value_->is_array()) {
    must_be("an array");
  }
  std::vector<JsonField> fields;
  fields.reserve(value_->size());
  for (const auto& element : *value_) {
    fields.push_back(child(element, fmt::format("[{}]", fields.size())));
  }
  return fields;
}

std::vector<std::pair<std::string, JsonField>> JsonField::members() const {
  if (!value_->is_object()) {
    must_be("an object");
  }
  std::vector<std::pair<std::string, JsonField>> fields;
  for (const auto& [key, member] : value_->items()) {
    fields.emplace_back(key, child(member, "." + key));
  }
  return fields;
}

void JsonField::allow_only(std::initializer_list<std::string_view> keys) const {
  for (const auto& [key, member] : members()) {
    if (std::ranges::find(keys, key) == keys.end()) {
      member.fail(fmt::format("is not a field of this format; there are {}", fmt::join(keys, ", ")));
    }
  }
}

std::string JsonField::text() const {
  if (!value_->is_string()) {
    must_be("a string");
  }
  return value_->get<std::string>();
}

bool JsonField::boolean() const {
  if (!value_->is_boolean()) {
    must_be("true or false");
  }
  return value_->get<bool>();
}

double JsonField::number() const {
  if (*value_ == "inf" || *value_ == "-inf") {
    const double infinity = std::numeric_limits<double>::infinity();
    return *value_ == "inf" ? infinity : -infinity;
  }
  if (!value_->is_number()) {
    must_be("a number");
  }
  return value_->get<double>();
}

std::int64_t JsonField::integer_in(std::int64_t least, std::int64_t most) const {
  const bool too_large = value_->is_number_unsigned() && value_->get<std::uint64_t>() > std::uint64_t{kMost};
  if (!value_->is_number_integer() || too_large || value_->get<std::int64_t>() < least ||
      value_->get<std::int64_t>() > most) {
    must_be(most == kMost ? fmt::format("an integer of at least {}", least)
                          : fmt::format("an integer from {} to {}", least, most));
  }
  return value_->get<std::int64_t>();
}

nlohmann::json json_number(double value) {
  if (std::isnan(value)) {
    throw Error("a value that is not a number cannot be written");
  }
  if (std::isinf(value)) {
    return value > 0 ? "inf" : "-inf";
  }
  return value;
}

}  // namespace postage
