#include "preload/settings/settings.hpp"

#include "preload/settings/names.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <string_view>

namespace postage::preload {
namespace {

using Variables = std::map<std::string, std::string, std::less<>>;

Variables variables_in(const char* const* environment) {
  constexpr std::string_view kPrefix = "POSTAGE_";
  Variables variables;
  for (; *environment != nullptr; ++environment) {
    const std::string_view line = *environment;
    const std::size_t end = line.find('=');
    if (line.substr(0, kPrefix.size()) == kPrefix && end < line.size() - 1) {
      variables.emplace(line.substr(0, end), line.substr(end + 1));
    }
  }
  return variables;
}

/// Reads variables, and notes what is wrong with them.
class Reader {
 public:
  Reader(const Variables& variables, std::vector<std::string>& complaints)
      : variables_(variables), complaints_(complaints) {}

  [[nodiscard]] std::optional<std::string> text(std::string_view name) const {
    const auto found = variables_.find(name);
    return found != variables_.end() ? std::optional(found->second) : std::nullopt;
  }

  /// 0 for off or 0, 1 for on or 1, 2 for always, where that is a value. `wrong`: for anything else.
  int level(std::string_view name, int otherwise, int wrong, bool has_always = false) {
    const std::string value = text(name).value_or("");
    if (value.empty()) {
      return otherwise;
    }
    if (value == "off" || value == "0") {
      return 0;
    }
    if (value == "on" || value == "1") {
      return 1;
    }
    if (has_always && value == "always") {
      return 2;
    }
    complaints_.push_back(fmt::format("{} is {}, not \"{}\"; it is taken as {}", name,
                                      has_always ? "on, off or always" : "on or off", value,
                                      wrong == 0 ? "off" : "on"));
    return wrong;
  }

  void check_numbers(std::string_view name) {
    const std::string value = text(name).value_or("0");
    const bool is_list = value.find_first_not_of("0123456789,") == std::string::npos && value.front() != ',' &&
                         value.back() != ',' && value.find(",,") == std::string::npos;
    if (!is_list) {
      complaints_.push_back(
          fmt::format("{} is a list of whole numbers with commas between them, not \"{}\"", name, value));
    }
  }

  void check_names() {
    for (const auto& [name, value] : variables_) {
      if (const auto meant = name_meant_by(name)) {
        complaints_.push_back(fmt::format("{} is no variable of this library; the name is {}", name, *meant));
      }
    }
  }

 private:
  const Variables& variables_;
  std::vector<std::string>& complaints_;
};

std::string text_of(int error) {
  return std::strerror(error);
}

}  // namespace

Settings settings_in(const char* const* environment) {
  const Variables variables = variables_in(environment);
  Settings settings;
  Reader reader(variables, settings.complaints);
  settings.replacing = static_cast<Replacing>(reader.level("POSTAGE_PRELOAD", 1, 1, true));
  settings.probes = reader.level("POSTAGE_PROBES", 1, 1) != 0;
  settings.prints_statistics = reader.level("POSTAGE_STATS", 0, 1) != 0;
  settings.statistics_file = reader.text("POSTAGE_STATS_JSON");
  settings.trace_file = reader.text("POSTAGE_TRACE");
  for (const char* list : {"POSTAGE_PRETENDED_CORES", "POSTAGE_PRETENDED_NODES", "POSTAGE_PRETENDED_TIMES"}) {
    reader.check_numbers(list);
  }
  reader.check_names();
  return settings;
}

std::optional<std::string> why_unwritable(const std::string& file) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (fs::is_directory(file, ignored)) {
    return text_of(EISDIR);
  }
  const fs::path folder = fs::path(file).has_parent_path() ? fs::path(file).parent_path() : fs::path(".");
  const fs::path& written = fs::exists(file, ignored) ? fs::path(file) : folder;
  return access(written.c_str(), W_OK) == 0 ? std::nullopt : std::optional(text_of(errno));
}

}  // namespace postage::preload
