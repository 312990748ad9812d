#include <postage/base/json_fields.hpp>

#include <fmt/format.h>

#include <cmath>

namespace postage {

JsonField::JsonField(const Json& value, const std::filesystem::path& file, std::string path)
    : value_(&value), file_(&file), path_(std::move(path)) {}

JsonField JsonField::operator[](std::string_view name) const {
  expect(value_->is_object(), "an object");
  const Json* const found = value_->find(name);
  if (found == nullptr) {
    throw UsageError(fmt::format("{} lacks the field {}/{}", file_->string(), path_, name));
  }
  return {*found, *file_, fmt::format("{}/{}", path_, name)};
}

JsonField JsonField::made_of(const Json& value, std::string_view step) const {
  return {value, *file_, fmt::format("{}/{}", path_, step)};
}

void JsonField::for_each_item(const std::function<void(const JsonField&)>& visit) const {
  expect(value_->is_array(), "an array");
  for (std::size_t i = 0; i < value_->size(); ++i) {
    visit(JsonField((*value_)[i], *file_, fmt::format("{}/{}", path_, i)));
  }
}

std::vector<JsonField> JsonField::items() const {
  std::vector<JsonField> all;
  for_each_item([&](const JsonField& item) { all.push_back(item); });
  return all;
}

void JsonField::for_each_member(const std::function<void(const std::string&, const JsonField&)>& visit) const {
  expect(value_->is_object(), "an object");
  for (const auto& [name, member] : value_->members()) {
    visit(name, JsonField(member, *file_, fmt::format("{}/{}", path_, name)));
  }
}

std::string JsonField::text() const {
  expect(value_->is_text(), "a string");
  return value_->text();
}

bool JsonField::truth() const {
  expect(value_->is_boolean(), "true or false");
  return value_->truth();
}

double JsonField::number() const {
  expect(value_->is_number() && std::isfinite(value_->number()), "a finite number");
  return value_->number();
}

std::int64_t JsonField::integer(std::int64_t least, std::int64_t most) const {
  expect(value_->is_integer(), "an integer");
  const std::int64_t found = value_->integer();
  expect(found >= least && found <= most, fmt::format("between {} and {}", least, most));
  return found;
}

double JsonField::bound(double unbounded) const {
  if (value_->is_null()) {
    return unbounded;
  }
  expect(value_->is_number() && !std::isnan(value_->number()), "a number, or null for none");
  return value_->number();
}

UsageError JsonField::wrong(std::string_view what_is_right) const {
  return UsageError(fmt::format("field {} of {} must be {}", path_, file_->string(), what_is_right));
}

void JsonField::expect(bool holds, std::string_view what_is_right) const {
  if (!holds) {
    throw wrong(what_is_right);
  }
}

}  // namespace postage
