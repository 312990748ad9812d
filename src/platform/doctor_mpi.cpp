#include "platform/doctor_checks.hpp"

#include <fmt/format.h>

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
    Flavour{"custom", "other MPI", "mpirun", "", "measure with it"},
};

// Flavours that have no name here are of no vendor known.
const Flavour& description_of(const MpiInstallation& mpi) {
  const auto* known = std::ranges::find(kFlavours, mpi.flavour, [](const Flavour& f) { return std::string(f.name); });
  return known == kFlavours.end() ? kFlavours.back() : *known;
}

std::string quoted(const std::string& word) {
  std::string result = "'";
  for (const char c : word) {
    result += c == '\'' ? "'\\''" : std::string(1, c);
  }
  return result + "'";
}

std::string answer_to_version(const fs::path& launcher) {
  const std::string command = quoted(launcher.string()) + " --version 2>&1 </dev/null";
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
  finding.seen = fmt::format("{} ({})", version_from(answer_to_version(mpi.launcher)), mpi.launcher.string());
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
