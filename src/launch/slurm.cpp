#include <postage/base/error.hpp>
#include <postage/launch/find_program.hpp>
#include <postage/launch/launch.hpp>
#include <postage/launch/slurm.hpp>

#include <charconv>
#include <cstdlib>
#include <ctime>

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

}  // namespace postage
