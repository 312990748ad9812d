#include "cli/commands.hpp"
#include "cli/options/output_file.hpp"
#include "cli/options/remark.hpp"
#include "cli/preload/environment.hpp"
#include "cli/preload/platform_decisions.hpp"

#include <postage/base/error.hpp>
#include <postage/launch/find_program.hpp>
#include <postage/launch/linked_mpi.hpp>

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace postage {
namespace {

struct RunRequest {
  bool stats = false;
  std::string json;
  std::string trace;
  std::string decisions;
  std::string platform;
  std::vector<std::string> schedules;
  std::vector<std::string> command;
};

void set_variable(const char* name, const std::string& value) {
  if (setenv(name, value.c_str(), 1) != 0) {
    throw Error(fmt::format("cannot set {} ({})", name, std::strerror(errno)));
  }
}

/// Ranks may have another working directory.
std::string absolute(const std::string& file) {
  return std::filesystem::absolute(file).string();
}

/// What Open MPI's mpirun hands to ranks on other nodes, of what is set: it warns of the rest. MPICH's hands on
/// everything.
std::string handed_on() {
  std::string list = "LD_PRELOAD";
  for (const char* name : {"POSTAGE_PRELOAD", "POSTAGE_PROBES", "POSTAGE_DECISIONS", "POSTAGE_SCHEDULES",
                           "POSTAGE_STATS", "POSTAGE_STATS_JSON", "POSTAGE_TRACE"}) {
    list += std::getenv(name) != nullptr ? fmt::format(";{}", name) : "";
  }
  return list;
}

/// The library, before any other that is preloaded already: it passes calls on to them.
void preload(const std::filesystem::path& library) {
  const char* const others = std::getenv("LD_PRELOAD");
  const bool has_others = others != nullptr && *others != '\0';
  set_variable("LD_PRELOAD", has_others ? fmt::format("{}:{}", library.string(), others) : library.string());
  setenv("OMPI_MCA_mca_base_env_list", handed_on().c_str(), 0);
}

/// One sentence where nothing will be replaced: the program runs all the same.
void find_library_and_preload(const std::vector<std::string>& command) {
  if (const std::string program = find_static_mpi(command); !program.empty()) {
    print_remark("postage: {} has its MPI linked statically; nothing is replaced\n", program);
    return;
  }
  const auto mpi = mpi_of_command(command);
  if (!mpi) {
    print_remark(
        "postage: no word of the command names a program that is dynamically linked to an MPI, nor does its "
        "launcher say which MPI it is; nothing is replaced\n");
    return;
  }
  const auto library = find_built(fmt::format("libpostage-{}.so", mpi->flavour));
  if (library.empty()) {
    print_remark("postage: there is no preload library for {} here; nothing is replaced\n", mpi->library);
    return;
  }
  preload(library);
}

[[noreturn]] void become(std::vector<std::string> command) {
  std::vector<char*> words;
  for (std::string& word : command) {
    words.push_back(word.data());
  }
  words.push_back(nullptr);
  execvp(words.front(), words.data());
  throw Error(fmt::format("cannot start {} ({})", command.front(), std::strerror(errno)));
}

std::string list_of(const std::vector<std::string>& schedules) {
  std::string list;
  for (const std::string& file : schedules) {
    if (file.find(':') != std::string::npos) {
      throw UsageError(fmt::format("--schedule {}: a schedule file's name may have no colon here; rename it", file));
    }
    check_schedule("--schedule", file);
    list += (list.empty() ? "" : ":") + absolute(file);
  }
  return list;
}

[[noreturn]] void run_preloaded(const RunRequest& request) {
  check_output_file("--json", request.json);
  check_output_file("--trace", request.trace);
  if (request.stats) {
    set_variable("POSTAGE_STATS", "1");
  }
  if (!request.json.empty()) {
    set_variable("POSTAGE_STATS_JSON", absolute(request.json));
  }
  if (!request.trace.empty()) {
    set_variable("POSTAGE_TRACE", absolute(request.trace));
  }
  if (!request.decisions.empty()) {
    check_decisions("--decisions", request.decisions);
    set_variable("POSTAGE_DECISIONS", absolute(request.decisions));
  }
  if (!request.platform.empty()) {
    if (!request.decisions.empty()) {
      throw UsageError("--platform and --decisions both say what to replace; give one of them");
    }
    set_variable("POSTAGE_DECISIONS", decisions_of_platform(request.platform).string());
  }
  if (!request.schedules.empty()) {
    set_variable("POSTAGE_SCHEDULES", list_of(request.schedules));
  }
  check_environment();
  find_library_and_preload(request.command);
  become(request.command);
}

}  // namespace

void add_run_command(Command& app) {
  Command command = app.subcommand("run", "Run an MPI program with its collectives replaced where that is faster");
  const auto request = std::make_shared<RunRequest>();
  command.flag("--stats", request->stats,
               "Print what the program did with MPI, what was replaced and what that gained");
  command.option("--json", request->json, "Write this as JSON to a file");
  command.option("--decisions", request->decisions,
                 "Replace what this file of postage tune --for preload says, rather than what is built in");
  command.option("--platform", request->platform,
                 "Platform file, from which to predict what --decisions would say; kept for the next time");
  command
      .option("--schedule", request->schedules,
              "Schedule file of postage optimize tree, along which its collective goes; may be repeated")
      .one_at_a_time();
  command.option("--trace", request->trace,
                 "Record the program's communication in a file, which postage predict --trace plays and converts");
  command.option("command", request->command, "The launcher, the program and their arguments, after --").required();
  command.footer(
      "The program needs no recompiling: the preload library for the MPI that it is linked to (Open MPI,\n"
      "or MPICH and what shares its ABI) is set as LD_PRELOAD, and the command takes the place of\n"
      "postage, so that its exit status is the command's. POSTAGE_PRELOAD=off passes every call\n"
      "through, =always replaces every one that can be replaced, POSTAGE_PROBES=off times none of them\n"
      "to find out what is fastest, POSTAGE_DECISIONS=FILE is --decisions, POSTAGE_SCHEDULES=FILE:FILE\n"
      "is --schedule.\n\n"
      "Examples:\n"
      "  postage run -- mpirun -n 8 ./app\n"
      "  postage run --stats -- mpirun -n 8 python3 script.py");
  command.action([request] { run_preloaded(*request); });
}

}  // namespace postage
