#include "cli/preload/environment.hpp"

#include "cli/options/output_file.hpp"

#include <postage/base/error.hpp>
#include <postage/preload/settings.hpp>
#include <postage/schedule/tree_file.hpp>
#include <postage/tuning/decision_table.hpp>

#include <fmt/format.h>
#include <unistd.h>

namespace postage {
namespace {

/// Says which option or variable names the file that is wrong.
template <typename Read>
void check_file(std::string_view option, const Read& read) {
  try {
    read();
  } catch (const UsageError& wrong) {
    throw UsageError(fmt::format("{}: {}", option, wrong.what()));
  } catch (const Error& wrong) {
    throw Error(fmt::format("{}: {}", option, wrong.what()));
  }
}

}  // namespace

void check_decisions(std::string_view option, const std::string& file) {
  check_file(option, [&] {
    const TuningTarget target = read_decisions(file).target();
    if (target != TuningTarget::kPreload) {
      throw UsageError(fmt::format("{} has decisions for {}; postage tune --for preload makes those for run", file,
                                   name_of(target)));
    }
  });
}

void check_schedule(std::string_view option, const std::string& file) {
  check_file(option, [&] { static_cast<void>(read_schedule_file(file)); });
}

void check_environment() {
  const preload::Settings settings = preload::settings_in(environ);
  if (!settings.complaints.empty()) {
    throw UsageError(settings.complaints.front().wrong);
  }
  check_output_file("POSTAGE_STATS_JSON", settings.statistics_file.value_or(""));
  check_output_file("POSTAGE_TRACE", settings.trace_file.value_or(""));
  if (!settings.decisions_file.empty()) {
    check_decisions("POSTAGE_DECISIONS", settings.decisions_file);
  }
  for (const std::string& file : settings.schedule_files) {
    check_schedule("POSTAGE_SCHEDULES", file);
  }
}

}  // namespace postage
