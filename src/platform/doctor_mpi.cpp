#include "platform/doctor_checks.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <sstream>
#include <string_view>

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
    Flavour{"custom", "other MPI", "mpirun", "", "measure with another MPI: make build MPICXX=/path/to/mpicxx"},
};

const Flavour& description_of(const MpiInstallation& installation) {
  return *std::ranges::find(kFlavours, installation.flavour, &Flavour::name);
}

std::string find_program(const std::string& search_path, const char* name) {
  std::error_code none;
  std::istringstream folders(search_path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path candidate = fs::path(folder) / name;
    if (!folder.empty() && fs::is_regular_file(candidate, none) && access(candidate.c_str(), X_OK) == 0) {
      return candidate.string();
    }
  }
  return "";
}

std::string quoted(const std::string& word) {
  std::string result = "'";
  for (const char c : word) {
    result += c == '\'' ? "'\\''" : std::string(1, c);
  }
  return result + "'";
}

std::string answer_to_version(const std::string& launcher) {
  const std::string command = quoted(launcher) + " --version 2>&1 </dev/null";
  const std::unique_ptr<FILE, int (*)(FILE*)> output(popen(command.c_str(), "r"), pclose);
  std::string answer;
  std::array<char, 512> piece{};
  while (output != nullptr && fgets(piece.data(), static_cast<int>(piece.size()), output.get()) != nullptr) {
    answer += piece.data();
  }
  return answer;
}

std::string text_after(const std::string& line, std::string_view mark) {
  const auto at = line.find(mark);
  if (at == std::string::npos) {
    return "";
  }
  std::string rest;
  std::istringstream(line.substr(at + mark.size())) >> rest;
  return rest;
}

Finding judge(const MpiInstallation& found) {
  const Flavour& flavour = description_of(found);
  Finding finding{.topic = fmt::format("MPI: {}", flavour.title), .seen = "", .advice = ""};
  const std::string program = fmt::format("postage-measure-{}", found.flavour);
  const bool is_debian = *flavour.packages != '\0';
  if (found.launcher.empty() && !found.has_program) {
    finding.seen = fmt::format("not installed: there is no {}", flavour.launcher);
    finding.advice = is_debian
                         ? fmt::format("to {}: apt-get install {}, then make build", flavour.purpose, flavour.packages)
                         : fmt::format("to {}", flavour.purpose);
  } else if (found.launcher.empty()) {
    finding.status = Finding::Status::kWarning;
    finding.seen = fmt::format("{} is built, but there is no {}", program, flavour.launcher);
    finding.advice = "put its launcher into the PATH, or name it with --launcher";
  } else if (!found.has_program) {
    finding.status = Finding::Status::kWarning;
    finding.seen = fmt::format("{} ({}), but {} is not built", found.version, found.launcher, program);
    finding.advice = is_debian ? fmt::format("apt-get install {}, then make build", flavour.packages)
                               : "make build MPICXX=/path/to/its/mpicxx";
  } else {
    finding.seen = fmt::format("{} ({}), {} is built", found.version, found.launcher, program);
  }
  return finding;
}

}  // namespace

std::string version_from(const std::string& answer) {
  std::string first;
  std::istringstream lines(answer);
  for (std::string line; std::getline(lines, line);) {
    for (const auto& [mark, name] :
         {std::pair{"(OpenRTE) ", "Open MPI"}, {"(Open MPI) ", "Open MPI"}, {"SimGrid version ", "SimGrid"}}) {
      if (const std::string number = text_after(line, mark); !number.empty()) {
        return fmt::format("{} {}", name, number);
      }
    }
    const bool is_hydra = first.starts_with("HYDRA");
    if (const std::string number = text_after(line, " Version:"); is_hydra && !number.empty()) {
      return fmt::format("MPICH {}", number);
    }
    if (first.empty()) {
      first = line;
    }
  }
  return first.empty() ? "a version that it does not tell" : first;
}

std::vector<MpiInstallation> find_mpi(const DoctorPlaces& places) {
  std::vector<MpiInstallation> found;
  std::error_code none;
  const auto is_known = [&](const std::string& launcher) {
    return std::ranges::any_of(found, [&](const MpiInstallation& other) {
      return !other.launcher.empty() && fs::canonical(other.launcher, none) == fs::canonical(launcher, none);
    });
  };
  for (const Flavour& flavour : kFlavours) {
    MpiInstallation installation{
        .flavour = flavour.name,
        .launcher = find_program(places.search_path, flavour.launcher),
        .version = "",
        .has_program = fs::exists(places.programs / fmt::format("postage-measure-{}", flavour.name), none)};
    const bool is_custom = installation.flavour == "custom";
    // mpirun is most often another name of a launcher that is listed already.
    if (is_custom && !installation.has_program && (installation.launcher.empty() || is_known(installation.launcher))) {
      continue;
    }
    if (!installation.launcher.empty()) {
      installation.version = version_from(answer_to_version(installation.launcher));
    }
    found.push_back(std::move(installation));
  }
  return found;
}

std::vector<Finding> judge_mpi(std::span<const MpiInstallation> installations) {
  std::vector<Finding> findings;
  bool can_measure = false;
  for (const MpiInstallation& installation : installations) {
    findings.push_back(judge(installation));
    can_measure |= installation.has_program && !installation.launcher.empty();
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
