#pragma once

#include <postage/base/error.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

namespace postage {

/// A JSON value that knows where it stands, so that a wrong file is refused with the path of the field at fault.
class JsonField {
 public:
  JsonField(const nlohmann::json& value, const std::filesystem::path& file, std::string path = "")
      : value_(&value), file_(&file), path_(std::move(path)) {}

  /// The member `name`, which must be there.
  [[nodiscard]] JsonField operator[](std::string_view name) const {
    expect(value_->is_object(), "an object");
    const auto found = value_->find(std::string(name));
    if (found == value_->end()) {
      throw Error(fmt::format("{} lacks the field {}/{}", file_->string(), path_, name));
    }
    return {*found, *file_, fmt::format("{}/{}", path_, name)};
  }
  [[nodiscard]] bool has(std::string_view name) const {
    return value_->is_object() && value_->contains(std::string(name));
  }

  /// Calls `visit` with each item of an array.
  template <typename Visit>
  void for_each_item(const Visit& visit) const {
    expect(value_->is_array(), "an array");
    for (std::size_t i = 0; i < value_->size(); ++i) {
      visit(JsonField((*value_)[i], *file_, fmt::format("{}/{}", path_, i)));
    }
  }
  /// Calls `visit` with each name and member of an object.
  template <typename Visit>
  void for_each_member(const Visit& visit) const {
    expect(value_->is_object(), "an object");
    for (const auto& [name, member] : value_->items()) {
      visit(name, JsonField(member, *file_, fmt::format("{}/{}", path_, name)));
    }
  }

  [[nodiscard]] std::string text() const {
    expect(value_->is_string(), "a string");
    return value_->get<std::string>();
  }
  [[nodiscard]] bool truth() const {
    expect(value_->is_boolean(), "true or false");
    return value_->get<bool>();
  }
  [[nodiscard]] double number() const {
    expect(value_->is_number() && std::isfinite(value_->get<double>()), "a finite number");
    return value_->get<double>();
  }
  [[nodiscard]] std::int64_t integer(std::int64_t least, std::int64_t most) const {
    expect(value_->is_number_integer(), "an integer");
    const auto found = value_->get<std::int64_t>();
    expect(found >= least && found <= most, fmt::format("between {} and {}", least, most));
    return found;
  }
  /// An integer of at least 0 that fits the type.
  template <typename Integer>
  [[nodiscard]] Integer count() const {
    const std::int64_t found = integer(0, std::numeric_limits<std::int64_t>::max());
    expect(std::in_range<Integer>(found), "smaller");
    return static_cast<Integer>(found);
  }
  /// A number; null stands for `unbounded`, since JSON has no infinity.
  [[nodiscard]] double bound(double unbounded) const {
    if (value_->is_null()) {
      return unbounded;
    }
    expect(value_->is_number() && !std::isnan(value_->get<double>()), "a number, or null for none");
    return value_->get<double>();
  }

  [[nodiscard]] Error wrong(std::string_view what_is_right) const {
    return Error(fmt::format("field {} of {} must be {}", path_, file_->string(), what_is_right));
  }

 private:
  void expect(bool holds, std::string_view what_is_right) const {
    if (!holds) {
      throw wrong(what_is_right);
    }
  }

  const nlohmann::json* value_;
  const std::filesystem::path* file_;
  std::string path_;
};

}  // namespace postage
