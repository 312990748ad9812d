#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace postage {

/// A value inside a JSON file that knows the way to it, so that every mistake is one sentence:
/// "p.json: nodes[2].cores is missing", "p.json: ranks[0].node is \"a\" but must be an integer of at least 0".
/// The JSON value must outlive its fields. All readers throw Error.
class JsonField {
 public:
  JsonField(const nlohmann::json& value, const std::filesystem::path& file) : value_(&value), file_(file.string()) {}

  /// A member that must be there, of an object.
  [[nodiscard]] JsonField at(const std::string& key) const;
  /// A member that may be left out.
  [[nodiscard]] std::optional<JsonField> find(const std::string& key) const;
  /// The elements of an array, and the members of an object by name.
  [[nodiscard]] std::vector<JsonField> elements() const;
  [[nodiscard]] std::vector<std::pair<std::string, JsonField>> members() const;
  /// Refuses members of an object by any other name: a misspelt field is a mistake, not an extension.
  void allow_only(std::initializer_list<std::string_view> keys) const;

  [[nodiscard]] std::string text() const;
  [[nodiscard]] bool boolean() const;
  /// A number, or "inf" or "-inf", which JSON's own numbers cannot say (see json_number).
  [[nodiscard]] double number() const;
  template <typename Integer>
  [[nodiscard]] Integer integer(Integer least, Integer most = std::numeric_limits<Integer>::max()) const {
    static_assert(std::is_integral_v<Integer>);
    return static_cast<Integer>(integer_in(least, most > kMost ? kMost : static_cast<std::int64_t>(most)));
  }

  /// Throws "FILE: WAY VALUE-IS but must be WHAT".
  [[noreturn]] void must_be(std::string_view what) const;

 private:
  static constexpr auto kMost = std::numeric_limits<std::int64_t>::max();

  [[nodiscard]] JsonField child(const nlohmann::json& value, const std::string& step) const;
  [[nodiscard]] std::int64_t integer_in(std::int64_t least, std::int64_t most) const;
  [[noreturn]] void fail(const std::string& complaint) const;

  const nlohmann::json* value_;
  std::string file_;
  std::string way_;
};

/// How a number that may be infinite is written. Throws Error for what is not a number.
[[nodiscard]] nlohmann::json json_number(double value);

}  // namespace postage
