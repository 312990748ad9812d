#include "platform/doctor_checks.hpp"

#include <postage/platform/launcher_release.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace postage {
namespace {

namespace fs = std::filesystem;

struct Flavour {
  const char* name;
  const char* title;
  const char* launcher;
  const char* packages;  ///< Debian's
  const char* purpose;
};

constexpr std::array kFlavours{
    Flavour{"openmpi", "Open MPI", "mpirun.openmpi", "openmpi-bin libopenmpi-dev", "measure with it"},
    Flavour{"mpich", "MPICH", "mpirun.mpich", "mpich libmpich-dev", "measure with it"},
    Flavour{"smpi", "SMPI", "smpirun", "libsimgrid-dev", "measure virtual clusters"},
    Flavour{"custom", "other MPI", "mpirun", "", "measure with it"},
};

// Flavours that have no name here are of no vendor known.
const Flavour& description_of(const MpiInstallation& mpi) {
  const auto* known = std::ranges::find(kFlavours, mpi.flavour, [](const Flavour& f) { return std::string(f.name); });
  return known == kFlavours.end() ? kFlavours.back() : *known;
}

Finding judge(const MpiInstallation& mpi) {
  const Flavour& flavour = description_of(mpi);
  Finding finding{.topic = fmt::format("MPI: {}", flavour.title), .seen = "", .advice = ""};
  const std::string program = fmt::format("postage-measure-{}", mpi.flavour);
  const bool is_debian = *flavour.packages != '\0';
  const std::string install = is_debian ? fmt::format("apt-get install {}, then make build", flavour.packages)
                                        : "make build MPICXX=/path/to/its/mpicxx";
  if (mpi.launcher.empty() && mpi.program.empty()) {
    finding.seen = fmt::format("not installed: there is no {}", flavour.launcher);
    finding.advice = fmt::format("to {}: {}", flavour.purpose, install);
    return finding;
  }
  if (mpi.launcher.empty()) {
    finding.status = Finding::Status::kWarning;
    finding.seen = fmt::format("{} is built, but there is no {}", program, flavour.launcher);
    finding.advice = "put its launcher into the PATH, or name it with --launcher";
    return finding;
  }
  const std::string release = release_of(mpi.launcher).text;
  finding.seen =
      fmt::format("{} ({})", release.empty() ? "a version that it does not tell" : release, mpi.launcher.string());
  if (mpi.program.empty()) {
    finding.status = Finding::Status::kWarning;
    finding.seen += fmt::format(", but {} is not built", program);
    finding.advice = install;
  } else {
    finding.seen += fmt::format(", {} is built", program);
  }
  return finding;
}

// mpirun is most often another name of a launcher that is listed already.
bool is_worth_telling(const MpiInstallation& mpi, std::span<const MpiInstallation> all) {
  if (mpi.flavour != "custom" || !mpi.program.empty()) {
    return true;
  }
  std::error_code none;
  const auto same = [&](const MpiInstallation& other) {
    return other.flavour != mpi.flavour && fs::equivalent(other.launcher, mpi.launcher, none);
  };
  return !mpi.launcher.empty() && std::ranges::none_of(all, same);
}

}  // namespace

std::vector<Finding> judge_mpi(std::span<const MpiInstallation> mpis) {
  std::vector<Finding> findings;
  bool can_measure = false;
  for (const MpiInstallation& mpi : mpis) {
    can_measure |= !mpi.program.empty() && !mpi.launcher.empty();
    if (is_worth_telling(mpi, mpis)) {
      findings.push_back(judge(mpi));
    }
  }
  if (!can_measure) {
    findings.push_back(
        {.topic = "MPI",
         .status = Finding::Status::kProblem,
         .seen = "no MPI has both its launcher and its measuring program here",
         .advice = "nothing can be measured: apt-get install openmpi-bin libopenmpi-dev, then make build"});
  }
  return findings;
}

}  // namespace postage
