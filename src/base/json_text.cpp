#include <postage/base/error.hpp>
#include <postage/base/json.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <type_traits>
#include <utility>

namespace postage {

/// Between a value and its text, by nlohmann's library.
class JsonText {
 public:
  static nlohmann::json library_value(const Json& value) {
    return std::visit(
        [](const auto& held) {
          using Held = std::decay_t<decltype(held)>;
          if constexpr (std::is_same_v<Held, std::monostate>) {
            return nlohmann::json();
          } else if constexpr (std::is_same_v<Held, Json::Array>) {
            return array(held);
          } else if constexpr (std::is_same_v<Held, Json::Object>) {
            return object(held);
          } else {
            return nlohmann::json(held);
          }
        },
        value.value_);
  }

 private:
  static nlohmann::json array(const Json::Array& items) {
    auto made = nlohmann::json::array();
    for (const Json& item : items) {
      made.push_back(library_value(item));
    }
    return made;
  }

  static nlohmann::json object(const Json::Object& members) {
    nlohmann::json::object_t made;
    for (const JsonMember& member : members) {
      made.emplace_hint(made.end(), member.name, library_value(member.value));
    }
    return made;
  }
};

namespace {

constexpr std::size_t kDeepest = 500;

/// Takes what the library's parser finds, in the order of the text.
class Builder final : public nlohmann::json_sax<nlohmann::json> {
 public:
  bool null() override { return add({}); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t& /*text*/) override { return add(value); }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t& /*value*/) override { return false; }
  bool start_array(std::size_t /*size*/) override { return open(Json::array()); }
  bool end_array() override { return close(); }
  bool start_object(std::size_t /*size*/) override { return open(Json::object()); }
  bool key(string_t& name) override {
    names_.back() = std::move(name);
    return true;
  }
  bool end_object() override { return close(); }
  bool parse_error(std::size_t /*position*/, const std::string& /*token*/,
                   const nlohmann::json::exception& mistake) override {
    std::string why = mistake.what();
    // The library starts its sentence with "[json.exception.parse_error.101] ".
    if (const auto end = why.find("] "); end != std::string::npos) {
      why.erase(0, end + 2);
    }
    throw Error(why);
  }

  [[nodiscard]] Json take() { return std::move(whole_); }

 private:
  bool open(Json container) {
    if (open_.size() == kDeepest) {
      throw Error(fmt::format("nested more than {} levels deep", kDeepest));
    }
    open_.push_back(std::move(container));
    names_.emplace_back();
    return true;
  }

  bool close() {
    Json closed = std::move(open_.back());
    open_.pop_back();
    names_.pop_back();
    return add(std::move(closed));
  }

  bool add(Json value) {
    if (open_.empty()) {
      whole_ = std::move(value);
    } else if (open_.back().is_array()) {
      open_.back().push_back(std::move(value));
    } else {
      open_.back()[names_.back()] = std::move(value);
    }
    return true;
  }

  Json whole_;
  std::vector<Json> open_;
  std::vector<std::string> names_;  // of the member that comes next, one for each that is open
};

}  // namespace

Json Json::parse(std::string_view text) {
  Builder builder;
  nlohmann::json::sax_parse(text, &builder);
  return builder.take();
}

std::string Json::dump(int indent) const {
  // Text that is no UTF-8, as of a file that is quoted, gets U+FFFD where it is none: JSON has nothing else for it.
  return JsonText::library_value(*this).dump(indent, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace postage
