#pragma once

#include <postage/base/error.hpp>
#include <postage/base/json.hpp>

#include <concepts>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace postage {

/// A JSON value that knows where it stands, so that a wrong file is refused, with a UsageError, with the path of the
/// field at fault. It refers to the value and the file's name, which must live longer.
class JsonField {
 public:
  JsonField(const Json& value, const std::filesystem::path& file, std::string path = "");

  /// The member `name`, which must be there.
  [[nodiscard]] JsonField operator[](std::string_view name) const;
  [[nodiscard]] bool has(std::string_view name) const noexcept { return value_->contains(name); }
  [[nodiscard]] bool is_array() const noexcept { return value_->is_array(); }
  [[nodiscard]] bool is_object() const noexcept { return value_->is_object(); }

  [[nodiscard]] const Json& json() const noexcept { return *value_; }
  /// What was made of this field, as if it stood `step` below; it must live longer.
  [[nodiscard]] JsonField made_of(const Json& value, std::string_view step) const;

  /// Calls `visit` with each item of an array.
  void for_each_item(const std::function<void(const JsonField&)>& visit) const;
  /// The items of an array.
  [[nodiscard]] std::vector<JsonField> items() const;
  /// Calls `visit` with each name and member of an object.
  void for_each_member(const std::function<void(const std::string&, const JsonField&)>& visit) const;

  [[nodiscard]] std::string text() const;
  [[nodiscard]] bool truth() const;
  /// A finite one.
  [[nodiscard]] double number() const;
  [[nodiscard]] std::int64_t integer(std::int64_t least, std::int64_t most) const;
  /// An integer of at least 0 that fits the type.
  template <std::integral Integer>
  [[nodiscard]] Integer count() const {
    const std::int64_t found = integer(0, std::numeric_limits<std::int64_t>::max());
    expect(std::in_range<Integer>(found), "smaller");
    return static_cast<Integer>(found);
  }
  /// A number; null stands for `unbounded`, since JSON has no infinity.
  [[nodiscard]] double bound(double unbounded) const;

  [[nodiscard]] UsageError wrong(std::string_view what_is_right) const;

 private:
  void expect(bool holds, std::string_view what_is_right) const;

  const Json* value_;
  const std::filesystem::path* file_;
  std::string path_;
};

}  // namespace postage
