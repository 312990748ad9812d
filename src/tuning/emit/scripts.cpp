#include "tuning/emit/targets.hpp"

#include <postage/base/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>

namespace postage {
namespace {

constexpr std::int32_t kAnyNodes = std::numeric_limits<std::int32_t>::max();

bool holds_for_all(const Span<std::int32_t>& nodes) {
  return nodes.first <= 1 && nodes.last == kAnyNodes;
}

std::string in_folder(const EmittedSetting& setting, std::string_view folder) {
  return setting.value.starts_with("@/") ? fmt::format("{}{}", folder, setting.value.substr(1)) : setting.value;
}

std::string shell_condition(const Span<std::int32_t>& nodes) {
  const std::string least = fmt::format("[ \"$postage_nodes\" -ge {} ]", nodes.first);
  return nodes.last == kAnyNodes ? least : fmt::format("{} && [ \"$postage_nodes\" -le {} ]", least, nodes.last);
}

std::vector<EmittedSetting> eager_settings(const EagerLimits& limits, std::span<const DecisionTable> tables) {
  std::vector<EmittedSetting> settings;
  for (const DecisionTable& table : tables) {
    if (table.target() == TuningTarget::kOpenMpi && limits.shared_memory) {
      const bool is_vader = table.version() < LibraryVersion{5, 0, 0};
      settings.push_back({{1},
                          is_vader ? "OMPI_MCA_btl_vader_eager_limit" : "OMPI_MCA_btl_sm_eager_limit",
                          std::to_string(*limits.shared_memory)});
    }
    if (table.target() == TuningTarget::kOpenMpi && limits.network) {
      settings.push_back({{1}, "OMPI_MCA_btl_tcp_eager_limit", std::to_string(*limits.network)});
    }
    if (table.target() == TuningTarget::kIntelMpi && limits.shared_memory) {
      settings.push_back({{1}, "I_MPI_SHM_EAGER_LIMIT", std::to_string(*limits.shared_memory)});
    }
  }
  const bool uses_ucx = std::ranges::any_of(tables, [](const DecisionTable& table) {
    return table.target() == TuningTarget::kMpich || table.target() == TuningTarget::kUcc;
  });
  if (uses_ucx && (limits.shared_memory || limits.network)) {
    std::string value = limits.shared_memory ? fmt::format("intra:{}", *limits.shared_memory) : "";
    value += limits.network ? fmt::format("{}inter:{}", value.empty() ? "" : ",", *limits.network) : "";
    settings.push_back({{1}, "UCX_RNDV_THRESH", value});
  }
  return settings;
}

std::vector<EmittedSetting> all_settings(std::span<const DecisionTable> tables, std::span<const EmittedTarget> targets,
                                         const EmitOptions& options) {
  std::vector<EmittedSetting> all;
  for (const EmittedTarget& target : targets) {
    all.insert(all.end(), target.settings.begin(), target.settings.end());
  }
  const std::vector<EmittedSetting> eager = eager_settings(options.eager_limits, tables);
  all.insert(all.end(), eager.begin(), eager.end());
  return all;
}

std::string env_script(const std::vector<EmittedSetting>& settings, const std::string& folder) {
  std::string text = fmt::format(
      "# To be sourced before mpirun: . {1}\n"
      "POSTAGE_TUNED=\"${{POSTAGE_TUNED:-{0}}}\"\n"
      "# Nodes of the job, for rules that differ by their number.\n"
      "postage_nodes=\"${{POSTAGE_NODES:-${{SLURM_JOB_NUM_NODES:-1}}}}\"\n",
      folder, shell_word(folder + "/env.sh"));
  for (const EmittedSetting& setting : settings) {
    const std::string line = fmt::format("export {}=\"{}\"", setting.name, in_folder(setting, "$POSTAGE_TUNED"));
    text += holds_for_all(setting.nodes) ? line + "\n"
                                         : fmt::format("if {}; then\n  {}\nfi\n", shell_condition(setting.nodes), line);
  }
  return text;
}

std::string tcl_condition(const Span<std::int32_t>& nodes) {
  const std::string least = fmt::format("$nodes >= {}", nodes.first);
  return nodes.last == kAnyNodes ? least : fmt::format("{} && $nodes <= {}", least, nodes.last);
}

std::string modulefile(const std::vector<EmittedSetting>& settings, const std::string& folder) {
  std::string text =
      "#%Module1.0\n"
      "module-whatis \"Collective algorithms of MPI libraries as postage chose them for this machine\"\n"
      "set nodes 1\n"
      "if {[info exists env(SLURM_JOB_NUM_NODES)]} { set nodes $env(SLURM_JOB_NUM_NODES) }\n"
      "if {[info exists env(POSTAGE_NODES)]} { set nodes $env(POSTAGE_NODES) }\n";
  for (const EmittedSetting& setting : settings) {
    const std::string line = fmt::format("setenv {} \"{}\"", setting.name, in_folder(setting, folder));
    // Tcl reads brackets in quotes; braces take them as they are.
    const std::string safe = fmt::format("setenv {} {{{}}}", setting.name, in_folder(setting, folder));
    const std::string& written = line.find('[') == std::string::npos ? line : safe;
    text += holds_for_all(setting.nodes)
                ? written + "\n"
                : fmt::format("if {{{}}} {{\n  {}\n}}\n", tcl_condition(setting.nodes), written);
  }
  return text;
}

std::string mca_parameters(const std::vector<EmittedSetting>& settings, const std::string& folder) {
  std::string lines;
  for (const EmittedSetting& setting : settings) {
    constexpr std::string_view kPrefix = "OMPI_MCA_";
    if (setting.name.starts_with(kPrefix) && setting.nodes.first <= 1) {
      lines += fmt::format("{} = {}\n", setting.name.substr(kPrefix.size()), in_folder(setting, folder));
    }
  }
  return lines;
}

std::string readme(std::span<const DecisionTable> tables, std::span<const EmittedTarget> targets,
                   const EmitOptions& options) {
  std::string text = fmt::format(
      "# Tuned collectives\n\nWritten by postage for {}. Where no rule holds, the library's own default does.\n\n"
      "One job: `. {}` before mpirun. A site: `module use {}`, then `module load modulefile`. Rules that differ "
      "by the number "
      "of nodes are chosen by SLURM_JOB_NUM_NODES, or POSTAGE_NODES. Moved files: set POSTAGE_TUNED to their "
      "folder.\n\n"
      "`postage lint` says what a library would ignore in them; `postage prove {}` runs every rule once and says which "
      "algorithm "
      "really ran.\n",
      tables.empty() || tables.front().platform.empty() ? "this machine" : tables.front().platform,
      shell_word(options.folder + "/env.sh"), shell_word(options.folder), shell_word(options.folder));
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const bool is_untried = std::ranges::find(options.not_tried, tables[i].target()) != options.not_tried.end();
    text += fmt::format(
        "\n## {} {}\n\n{}{} rules, {} dropped.\n", name_of(tables[i].target()), format_version(tables[i].version()),
        is_untried ? "NOT TRIED HERE: this release is not installed on the machine that wrote the files. " : "",
        tables[i].rules().size(), tables[i].dropped.size());
    for (const std::string& paragraph : targets[i].installation) {
      text += "\n" + paragraph + "\n";
    }
    for (const std::string& note : targets[i].notes) {
      text += "\n- " + note;
    }
    text += targets[i].notes.empty() ? "" : "\n";
  }
  return text;
}

}  // namespace

std::string nodes_suffix(const Span<std::int32_t>& nodes) {
  if (nodes.last == kAnyNodes) {
    return fmt::format("-{}-nodes-and-more", nodes.first);
  }
  return nodes.first == nodes.last ? fmt::format("-{}-node{}", nodes.first, nodes.first == 1 ? "" : "s")
                                   : fmt::format("-{}-to-{}-nodes", nodes.first, nodes.last);
}

std::vector<EmittedFile> emit_scripts(std::span<const DecisionTable> tables, std::span<const EmittedTarget> targets,
                                      const EmitOptions& options) {
  const std::vector<EmittedSetting> settings = all_settings(tables, targets, options);
  std::vector<EmittedFile> files{{"env.sh", env_script(settings, options.folder)},
                                 {"modulefile", modulefile(settings, options.folder)},
                                 {"README.md", readme(tables, targets, options)}};
  if (const std::string lines = mca_parameters(settings, options.folder); !lines.empty()) {
    files.push_back({"openmpi/mca-params.conf", lines});
  }
  return files;
}

}  // namespace postage
