#include "preload/settings/names.hpp"

#include <postage/preload/settings.hpp>

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <map>
#include <sstream>
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
  Reader(const Variables& variables, std::vector<Complaint>& complaints)
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
    complain(name, has_always ? "on, off or always" : "on or off", value,
             wrong == 0 ? "it is taken as off" : "it is taken as on");
    return wrong;
  }

  /// At most so many whole numbers with commas between them; none where they are anything else. `what`: a sentence's
  /// words for that.
  std::vector<std::int64_t> numbers(std::string_view name, std::size_t most, std::string_view what) {
    const std::string value = text(name).value_or("");
    std::vector<std::int64_t> list;
    std::istringstream in(value);
    for (std::string word; std::getline(in, word, ',');) {
      const bool is_number =
          !word.empty() && word.size() <= kMostDigits && word.find_first_not_of("0123456789") == std::string::npos;
      list.push_back(is_number ? std::stoll(word) : -1);
    }
    const bool is_wrong = value.ends_with(',') || list.size() > most || std::ranges::count(list, -1) > 0;
    if (is_wrong) {
      complain(name, what, value, "it is not used");
    }
    return is_wrong ? std::vector<std::int64_t>{} : list;
  }

  /// File names with colons between them.
  [[nodiscard]] std::vector<std::string> files(std::string_view name) const {
    std::vector<std::string> list;
    std::istringstream in(text(name).value_or(""));
    for (std::string file; std::getline(in, file, ':');) {
      if (!file.empty()) {
        list.push_back(file);
      }
    }
    return list;
  }

  void check_names() {
    for (const auto& [name, value] : variables_) {
      if (const auto meant = name_meant_by(name)) {
        complaints_.push_back(
            {fmt::format("{}={} sets no variable of Postage; the name is {}", name, value, *meant), "it is not used"});
      }
    }
  }

 private:
  void complain(std::string_view name, std::string_view right, std::string_view value, std::string_view instead) {
    complaints_.push_back({fmt::format("{} is {}, not \"{}\"", name, right, value), std::string(instead)});
  }

  static constexpr std::size_t kMostDigits = 9;
  const Variables& variables_;
  std::vector<Complaint>& complaints_;
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
  settings.decisions_file = reader.text("POSTAGE_DECISIONS").value_or("");
  settings.schedule_files = reader.files("POSTAGE_SCHEDULES");
  const auto cores = reader.numbers("POSTAGE_PRETENDED_CORES", 1, "a whole number");
  settings.pretended_cores = cores.empty() ? 0 : cores.front();
  settings.pretended_nodes =
      reader.numbers("POSTAGE_PRETENDED_NODES", SIZE_MAX, "a list of whole numbers with commas between them");
  settings.pretended_times =
      reader.numbers("POSTAGE_PRETENDED_TIMES", 3, "up to three whole numbers with commas between them");
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
  if (!fs::is_directory(folder, ignored)) {
    return text_of(fs::exists(folder, ignored) ? ENOTDIR : ENOENT);
  }
  const fs::path& written = fs::exists(file, ignored) ? fs::path(file) : folder;
  return access(written.c_str(), W_OK) == 0 ? std::nullopt : std::optional(text_of(errno));
}

}  // namespace postage::preload
