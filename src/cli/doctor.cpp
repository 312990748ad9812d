#include "cli/commands.hpp"
#include "cli/table.hpp"

#include <postage/base/error.hpp>
#include <postage/base/json.hpp>
#include <postage/launch/launch.hpp>
#include <postage/platform/doctor.hpp>

#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <vector>

namespace postage {
namespace {

std::vector<MpiInstallation> installations() {
  std::vector<MpiInstallation> found;
  for (const MpiFlavour& flavour : find_flavours()) {
    found.push_back({.flavour = flavour.name, .launcher = flavour.launcher, .program = flavour.program});
  }
  return found;
}

Json to_json(const DoctorReport& report) {
  Json findings = Json::array();
  for (const Finding& finding : report.findings) {
    findings.push_back({{"topic", finding.topic},
                        {"status", status_name(finding.status)},
                        {"seen", finding.seen},
                        {"advice", finding.advice}});
  }
  return {{"can_measure", report.can_measure()}, {"findings", std::move(findings)}};
}

std::string to_table(const DoctorReport& report) {
  Table table({{"topic"}, {"status"}, {"seen"}, {"advice"}});
  for (const Finding& finding : report.findings) {
    table.add_row({finding.topic, status_name(finding.status), finding.seen, finding.advice});
  }
  return table.render(output_width());
}

void run_doctor(bool as_json) {
  const DoctorReport report = examine_machine("/", installations());
  std::cout << (as_json ? to_json(report).dump(1) + "\n" : to_table(report));
  for (const Finding& finding : report.findings) {
    if (finding.status == Finding::Status::kProblem) {
      std::cout.flush();
      throw Error(fmt::format("measuring is impossible here: {}; {}", finding.seen, finding.advice));
    }
  }
}

}  // namespace

void add_doctor_command(Command& app) {
  Command command = app.subcommand("doctor", "Check whether this machine can measure, and how well");
  const auto as_json = std::make_shared<bool>(false);
  command.flag("--json", *as_json, "Print JSON");
  command.footer(
      "The exit status is 1 where measuring is impossible: hwloc cannot read the machine, or no\n"
      "MPI has both its launcher in the PATH and its postage-measure-FLAVOUR built. Warnings do\n"
      "not change it.\n\n"
      "Example:\n  postage doctor --json");
  command.action([as_json] { run_doctor(*as_json); });
}

}  // namespace postage
