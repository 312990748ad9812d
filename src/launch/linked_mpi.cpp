#include <postage/base/error.hpp>
#include <postage/launch/find_program.hpp>
#include <postage/launch/launch.hpp>
#include <postage/launch/linked_mpi.hpp>
#include <postage/platform/launcher_release.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>

namespace postage {
namespace {

constexpr Seconds kPatience = 20;

std::optional<LinkedMpi> mpi_of_library(const std::string& library) {
  if (library.starts_with("libmpi_abi.so")) {
    return LinkedMpi{"abi", library};
  }
  // Open MPI counts from 20 on; libmpi.so.12 is the name that MPICH's ABI has in MVAPICH and Intel MPI.
  if (library.starts_with("libmpich.so") || library == "libmpi.so.12") {
    return LinkedMpi{"mpich", library};
  }
  if (library.starts_with("libmpi.so.")) {
    return LinkedMpi{"openmpi", library};
  }
  return std::nullopt;
}

/// What a command prints; nothing where it fails.
std::optional<std::string> output_of(const std::vector<std::string>& command) {
  try {
    return run_command(command, kPatience);
  } catch (const Error&) {
    return std::nullopt;
  }
}

std::filesystem::path path_of(const std::string& word) {
  return word.find('/') != std::string::npos ? std::filesystem::path(word) : find_in_path(word);
}

/// Whether a file that is no script defines an entry of MPI itself: its name, whole, is among the names that the file
/// holds for debuggers.
bool defines_mpi(const std::filesystem::path& path) {
  if (path.empty() || !std::filesystem::is_regular_file(path)) {
    return false;
  }
  using namespace std::string_view_literals;
  std::ifstream file(path, std::ios::binary);
  std::array<char, 4> first{};
  if (!file.read(first.data(), first.size()) || std::string_view(first.data(), first.size()) != "\177ELF"sv) {
    return false;
  }
  const std::string content{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  return content.find("\0PMPI_Init\0"sv) != std::string::npos;
}

std::optional<LinkedMpi> mpi_of_launcher(const std::string& launcher) {
  const std::string library = release_of(launcher).library;
  if (library == "Open MPI") {
    return LinkedMpi{"openmpi", launcher};
  }
  if (library == "MPICH" || library == "Intel MPI") {
    return LinkedMpi{"mpich", launcher};
  }
  return std::nullopt;
}

}  // namespace

std::optional<LinkedMpi> mpi_among(const std::string& libraries) {
  std::istringstream lines(libraries);
  for (std::string line; std::getline(lines, line);) {
    std::string library;
    std::istringstream(line) >> library;
    if (auto found = mpi_of_library(std::filesystem::path(library).filename())) {
      return found;
    }
  }
  return std::nullopt;
}

std::optional<LinkedMpi> find_linked_mpi(const std::string& program) {
  const std::filesystem::path path = path_of(program);
  if (path.empty() || !std::filesystem::is_regular_file(path)) {
    return std::nullopt;
  }
  const auto libraries = output_of({"ldd", path.string()});
  return libraries ? mpi_among(*libraries) : std::nullopt;
}

std::string find_static_mpi(const std::vector<std::string>& command) {
  const auto has_own = [](const std::string& word) { return !find_linked_mpi(word) && defines_mpi(path_of(word)); };
  const auto found = std::find_if(command.begin(), command.end(), has_own);
  return found != command.end() ? *found : std::string();
}

std::optional<LinkedMpi> mpi_of_command(const std::vector<std::string>& command) {
  for (const std::string& word : command) {
    if (auto found = find_linked_mpi(word)) {
      return found;
    }
  }
  return command.empty() ? std::nullopt : mpi_of_launcher(command.front());
}

}  // namespace postage
