#include <postage/base/error.hpp>
#include <postage/launch/find_program.hpp>
#include <postage/launch/launch.hpp>
#include <postage/launch/slurm.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <ctime>
#include <vector>

namespace postage {
namespace {

constexpr Seconds kScontrolLimit = 20;

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::optional<long> whole_number(std::string_view text) {
  long value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_number = error == std::errc() && stop == text.data() + text.size() && value >= 0;
  return is_number ? std::optional(value) : std::nullopt;
}

/// What scontrol says of a job; nothing where it says nothing.
std::string said_by_scontrol(const std::string& job) {
  const std::filesystem::path scontrol = find_in_path("scontrol");
  if (scontrol.empty()) {
    return "";
  }
  try {
    return run_command({scontrol.string(), "show", "job", job}, kScontrolLimit);
  } catch (const Error&) {
    return "";  // without a controller that answers there is no limit to be known
  }
}

/// Of "1-12:00:00" the numbers 1, 12, 0 and 0; nothing where a part is no number.
std::optional<std::vector<long>> parts_of(std::string_view text) {
  std::vector<long> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of("-:"), text.size());
    const auto number = whole_number(text.substr(0, end));
    if (!number) {
      return std::nullopt;
    }
    parts.push_back(*number);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

Seconds parse_clock(const std::string& text) {
  const auto parts = parts_of(text);
  const bool has_days = text.find('-') != std::string::npos;
  const std::size_t wanted = has_days ? 4 : parts ? parts->size() : 0;
  if (!parts || parts->size() != wanted || parts->size() < 2 || parts->size() > 4 || (parts->size() == 4) != has_days) {
    throw UsageError(fmt::format("--time-limit {}: give a time like 10min, 600s, 10:00 or 1-12:00:00", text));
  }
  constexpr std::array<long, 4> kUnits{1, 60, 3600, 86400};
  Seconds seconds = 0;
  for (std::size_t i = 0; i < parts->size(); ++i) {
    seconds += static_cast<double>((*parts)[parts->size() - 1 - i] * kUnits[i]);
  }
  return seconds;
}

}  // namespace

std::optional<Seconds> end_time_in(std::string_view scontrol_output) {
  constexpr std::string_view kField = "EndTime=";
  const std::size_t field = scontrol_output.find(kField);
  if (field == std::string_view::npos) {
    return std::nullopt;
  }
  const std::string text(scontrol_output.substr(field + kField.size(), 19));
  std::tm time{};
  const char* const stop = strptime(text.c_str(), "%Y-%m-%dT%H:%M:%S", &time);
  if (stop == nullptr) {
    return std::nullopt;  // "Unknown", of a job without a limit
  }
  time.tm_isdst = -1;
  return static_cast<Seconds>(std::mktime(&time));
}

std::optional<Seconds> slurm_time_left() {
  const auto now = static_cast<Seconds>(std::time(nullptr));
  if (const auto end = whole_number(environment("SLURM_JOB_END_TIME"))) {
    return static_cast<Seconds>(*end) - now;
  }
  const std::string job = environment("SLURM_JOB_ID");
  const auto end = job.empty() ? std::nullopt : end_time_in(said_by_scontrol(job));
  return end ? std::optional(*end - now) : std::nullopt;
}

Seconds parse_time_limit(const std::string& text) {
  if (text.find(':') != std::string::npos) {
    return parse_clock(text);
  }
  return parse_seconds(text);
}

}  // namespace postage
