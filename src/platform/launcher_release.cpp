#include <postage/base/text.hpp>
#include <postage/platform/launcher_release.hpp>

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <memory>
#include <sstream>
#include <string_view>

namespace postage {
namespace {

/// What stands before the number, on the first line; Hydra has it on one of its own.
struct Mark {
  std::string_view before;
  const char* library;
};

constexpr std::array kMarks{Mark{"(OpenRTE) ", "Open MPI"}, Mark{"(Open MPI) ", "Open MPI"},
                            Mark{"SimGrid version ", "SimGrid"}, Mark{" Version:", "MPICH"},
                            Mark{"Intel(R) MPI Library for Linux* OS, Version ", "Intel MPI"}};

std::string word_after(const std::string& line, std::string_view mark) {
  const auto at = line.find(mark);
  std::string word;
  if (at != std::string::npos) {
    std::istringstream(line.substr(at + mark.size())) >> word;
  }
  return word;
}

}  // namespace

LauncherRelease release_in(const std::string& answer) {
  std::string first;
  std::istringstream lines(answer);
  for (std::string line; std::getline(lines, line);) {
    first = first.empty() ? line : first;
    for (const auto& [before, library] : kMarks) {
      const std::string_view name = library;
      const bool fits = name != "MPICH" || first.starts_with("HYDRA");
      if (const std::string number = word_after(line, before); fits && !number.empty()) {
        return {library, number, name == "Intel MPI" ? first : fmt::format("{} {}", library, number)};
      }
    }
  }
  return {"", "", first};
}

LauncherRelease release_of(const std::filesystem::path& launcher) {
  const std::string command = fmt::format("command -v {0} >/dev/null && timeout 20 {0} --version 2>&1 </dev/null",
                                          shell_word(launcher.string()));
  const std::unique_ptr<FILE, int (*)(FILE*)> output(popen(command.c_str(), "r"), pclose);
  std::string answer;
  std::array<char, 512> piece{};
  while (output != nullptr && fgets(piece.data(), static_cast<int>(piece.size()), output.get()) != nullptr) {
    answer += piece.data();
  }
  return release_in(answer);
}

}  // namespace postage
