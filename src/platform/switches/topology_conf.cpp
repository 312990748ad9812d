#include <postage/base/error.hpp>
#include <postage/base/files.hpp>
#include <postage/platform/host_list.hpp>
#include <postage/platform/switch_tree.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <utility>

namespace postage {
namespace {

constexpr const char* kConfExample = "SwitchName=s0 Nodes=node[0-15]";
constexpr std::size_t kMostQuoted = 60;  ///< characters: another file may be one long line

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) {
    text.remove_prefix(1);
  }
  while (!text.empty() && is_blank(text.back())) {
    text.remove_suffix(1);
  }
  return text;
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c; });
  return lower;
}

/// Lines without comments; those that end in '\' with what follows.
struct ConfLine {
  int number = 0;
  std::string text;
};

std::vector<ConfLine> conf_lines(std::string_view text) {
  std::vector<ConfLine> lines;
  bool goes_on = false;
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    line = trimmed(line.substr(0, line.find('#')));
    if (!goes_on) {
      lines.push_back({number, ""});
    }
    goes_on = line.ends_with('\\');
    line.remove_suffix(goes_on ? 1 : 0);
    lines.back().text += line;
    lines.back().text += goes_on ? " " : "";
  }
  return lines;
}

class TopologyConf {
 public:
  explicit TopologyConf(std::filesystem::path source) { tree_.source = std::move(source); }

  void read(const ConfLine& line) {
    std::string_view rest = trimmed(line.text);
    if (rest.empty()) {
      return;
    }
    line_ = line.number;
    std::map<std::string, std::string> values;
    while (!rest.empty()) {
      auto [key, value] = take_setting(rest);
      if (!values.emplace(key, value).second) {
        refuse(fmt::format("{}= stands twice", key));
      }
    }
    add_switch(values);
  }

  SwitchTree finish() {
    if (tree_.switches.empty()) {
      throw UsageError(
          fmt::format("{} describes no switch; a line like '{}' would", tree_.source.string(), kConfExample));
    }
    for (std::size_t i = 0; i < tree_.switches.size(); ++i) {
      set_parents(i);
    }
    for (const SiteSwitch& own : tree_.switches) {
      check_above(own);
    }
    return std::move(tree_);
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw UsageError(fmt::format("{}:{}: {}", tree_.source.string(), line_, why));
  }

  /// "key = value" or "key="value"" from the front.
  std::pair<std::string, std::string> take_setting(std::string_view& rest) const {
    const std::size_t equals = rest.find('=');
    const std::string_view written = trimmed(rest.substr(0, equals));
    const std::string key = lower_case(written);
    if (key.starts_with("include")) {
      refuse("Include is not followed: write the lines of that file here");
    }
    if (key.starts_with("block")) {
      refuse("this is a topology of blocks (topology/block); only trees of switches (topology/tree) are read");
    }
    if (equals == std::string_view::npos ||
        (key != "switchname" && key != "nodes" && key != "switches" && key != "linkspeed")) {
      refuse(fmt::format("'{}' is not known; a line takes SwitchName=, Nodes=, Switches= and LinkSpeed=, as in '{}'",
                         written.substr(0, kMostQuoted), kConfExample));
    }
    rest = trimmed(rest.substr(equals + 1));
    return {key, take_value(rest, key)};
  }

  std::string take_value(std::string_view& rest, const std::string& key) const {
    const bool is_quoted = rest.starts_with('"');
    const std::size_t end = is_quoted ? rest.find('"', 1) : std::ranges::find_if(rest, is_blank) - rest.begin();
    if (end == std::string_view::npos) {
      refuse(fmt::format("the value of {}= has a '\"' without another", key));
    }
    const std::string value(is_quoted ? rest.substr(1, end - 1) : rest.substr(0, end));
    if (value.empty()) {
      refuse(fmt::format("{}= has no value", key));
    }
    rest = trimmed(rest.substr(is_quoted ? end + 1 : end));
    return value;
  }

  void add_switch(const std::map<std::string, std::string>& values) {
    const auto name = values.find("switchname");
    if (name == values.end()) {
      refuse(fmt::format("the line names no switch; begin it as in '{}'", kConfExample));
    }
    if (name->second.find_first_of("[],") != std::string::npos) {
      refuse(fmt::format("'{}' is no name of one switch: write a line for each", name->second));
    }
    const auto [known, is_new] = index_.emplace(name->second, static_cast<int>(tree_.switches.size()));
    if (!is_new) {
      refuse(fmt::format("switch {} is described on line {} already", name->second,
                         tree_.switches[static_cast<std::size_t>(known->second)].line));
    }
    SiteSwitch& own = tree_.switches.emplace_back();
    own.name = name->second;
    own.line = line_;
    if (values.contains("nodes") == values.contains("switches")) {
      refuse(fmt::format("switch {} takes either Nodes= or Switches=", own.name));
    }
    if (const auto nodes = values.find("nodes"); nodes != values.end()) {
      add_hosts(own, nodes->second);
    }
    const auto below = values.find("switches");
    below_.push_back(below == values.end() ? std::vector<std::string>{} : expand(below->second));
    if (const auto speed = values.find("linkspeed"); speed != values.end()) {
      own.link_speed = parse_speed(speed->second);
    }
  }

  std::vector<std::string> expand(const std::string& list) const {
    try {
      return expand_host_list(list);
    } catch (const UsageError& mistake) {
      refuse(mistake.what());
    }
  }

  void add_hosts(SiteSwitch& own, const std::string& list) {
    own.hosts = expand(list);
    for (const std::string& host : own.hosts) {
      if (lower_case(host) == "all") {
        refuse("Nodes=ALL is not read: name the nodes");
      }
      const auto [known, is_new] = switch_of_.emplace(host, std::pair(own.name, line_));
      if (!is_new) {
        refuse(
            fmt::format("host {} is on switch {} already (line {})", host, known->second.first, known->second.second));
      }
    }
  }

  double parse_speed(const std::string& text) const {
    double speed = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), speed);
    if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(speed) || speed <= 0) {
      refuse(fmt::format("LinkSpeed={} is no number above 0", text));
    }
    return speed;
  }

  void set_parents(std::size_t above) {
    line_ = tree_.switches[above].line;
    for (const std::string& name : below_[above]) {
      const auto found = index_.find(name);
      if (found == index_.end()) {
        refuse(fmt::format("switch {} is above {}, which no line describes", tree_.switches[above].name, name));
      }
      SiteSwitch& below = tree_.switches[static_cast<std::size_t>(found->second)];
      if (below.parent >= 0) {
        const SiteSwitch& other = tree_.switches[static_cast<std::size_t>(below.parent)];
        refuse(fmt::format("switch {} is below {} already (line {}); a tree has one above each", name, other.name,
                           other.line));
      }
      below.parent = static_cast<int>(above);
    }
  }

  void check_above(const SiteSwitch& own) {
    std::size_t steps = 0;
    for (const SiteSwitch* at = &own; at->parent >= 0; at = &tree_.switches[static_cast<std::size_t>(at->parent)]) {
      if (++steps > tree_.switches.size()) {
        line_ = own.line;
        refuse(fmt::format("switch {} is above itself, or below switches that are", own.name));
      }
    }
  }

  SwitchTree tree_;
  int line_ = 0;
  std::map<std::string, int> index_;
  std::vector<std::vector<std::string>> below_;  ///< names, by switch
  std::map<std::string, std::pair<std::string, int>> switch_of_;
};

}  // namespace

SwitchTree parse_topology_conf(std::string_view text, const std::filesystem::path& source) {
  TopologyConf conf(source);
  for (const ConfLine& line : conf_lines(text)) {
    conf.read(line);
  }
  return conf.finish();
}

SwitchTree read_topology_conf(const std::filesystem::path& path) {
  if (!std::filesystem::is_regular_file(path)) {
    throw UsageError(
        fmt::format("--topology: there is no file {}; Slurm keeps one at /etc/slurm/topology.conf", path.string()));
  }
  return parse_topology_conf(read_file(path), path);
}

}  // namespace postage
