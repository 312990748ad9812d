#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace postage {

struct JsonMember;

/// A JSON value: null, true or false, an integer, a number, a text, an array or an object, whose members are kept in
/// the order of their names. nlohmann's library reads and writes the text; only json_text.cpp includes it,
/// since its header takes seconds to compile.
///
/// `Json{{"name", "a"}, {"sizes", {8, 64}}}` is an object, as is every list of pairs that start with a text; any other
/// list is an array. What asks for a value of another kind than there is throws Error.
class Json {
 public:
  Json() noexcept;
  Json(std::nullptr_t) noexcept : Json() {}
  Json(bool value);
  Json(int value);
  Json(long value);
  Json(long long value);
  Json(unsigned value);
  Json(unsigned long value);
  Json(unsigned long long value);
  Json(double value);  ///< one that is not finite is written as null
  Json(const char* text);
  Json(std::string_view text);
  Json(std::string text);
  Json(const void*) = delete;
  Json(std::initializer_list<Json> list);
  template <typename Item>
  Json(const std::vector<Item>& items) : Json(array()) {
    for (const auto& item : items) {
      push_back(item);
    }
  }
  template <typename Value>
  Json(const std::map<std::string, Value>& members) : Json(object()) {
    for (const auto& [name, value] : members) {
      (*this)[name] = value;
    }
  }

  Json(const Json& other);
  Json(Json&& other) noexcept;
  Json& operator=(const Json& other);
  Json& operator=(Json&& other) noexcept;
  ~Json();

  [[nodiscard]] static Json array();
  [[nodiscard]] static Json array(std::initializer_list<Json> items);
  [[nodiscard]] static Json object();
  /// Throws Error that names line, column and mistake. Refuses what is nested more than 500 levels deep.
  [[nodiscard]] static Json parse(std::string_view text);
  /// On one line without spaces, or with each level indented by so many spaces. Numbers are the shortest texts that
  /// read back exactly. Throws where a text is not UTF-8.
  [[nodiscard]] std::string dump(int indent = -1) const;

  [[nodiscard]] bool is_null() const noexcept;
  [[nodiscard]] bool is_boolean() const noexcept;
  [[nodiscard]] bool is_integer() const noexcept;  ///< written without a point or an exponent
  [[nodiscard]] bool is_number() const noexcept;
  [[nodiscard]] bool is_text() const noexcept;
  [[nodiscard]] bool is_array() const noexcept;
  [[nodiscard]] bool is_object() const noexcept;

  [[nodiscard]] bool truth() const;
  [[nodiscard]] std::int64_t integer() const;  ///< of any number; one beyond the type wraps
  [[nodiscard]] double number() const;
  [[nodiscard]] const std::string& text() const;

  /// Items of an array or members of an object; 0 for null, 1 for anything else.
  [[nodiscard]] std::size_t size() const noexcept;
  [[nodiscard]] bool empty() const noexcept { return size() == 0; }

  /// Items of an array; none for null.
  [[nodiscard]] const Json* begin() const;
  [[nodiscard]] const Json* end() const;
  [[nodiscard]] Json* begin();
  [[nodiscard]] Json* end();
  [[nodiscard]] const Json& operator[](std::size_t index) const;
  [[nodiscard]] Json& operator[](std::size_t index);
  /// Makes an array of null.
  void push_back(Json item);

  /// Of an object.
  [[nodiscard]] const std::vector<JsonMember>& members() const;
  /// Null if there is none of that name, or this is no object.
  [[nodiscard]] const Json* find(std::string_view name) const noexcept;
  [[nodiscard]] bool contains(std::string_view name) const noexcept { return find(name) != nullptr; }
  [[nodiscard]] const Json& operator[](std::string_view name) const;
  /// Makes an object of null, and the member, null itself, where there is none.
  Json& operator[](std::string_view name);
  /// Whether there was one.
  bool erase(std::string_view name);

  /// Numbers are equal whether or not they are integers.
  friend bool operator==(const Json& a, const Json& b) noexcept;

 private:
  friend class JsonText;  // json_text.cpp
  using Array = std::vector<Json>;
  using Object = std::vector<JsonMember>;
  // Integers from 2^63 on need the unsigned type; below, both mean the same.
  std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string, Array, Object> value_;
};

struct JsonMember {
  std::string name;
  Json value;
  friend bool operator==(const JsonMember&, const JsonMember&) = default;
};

}  // namespace postage
