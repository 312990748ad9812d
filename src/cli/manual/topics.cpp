#include "cli/manual/topics.hpp"

#include <postage/base/error.hpp>

#include <algorithm>
#include <cctype>
#include <regex>
#include <sstream>

namespace postage {
namespace {

/// Of a line outside code: a picture is nothing, a link its text, and marks of emphasis go.
std::string without_marks(const std::string& line) {
  static const std::regex picture(R"(!\[[^\]]*\]\([^)]*\))");
  static const std::regex link(R"(\[([^\]]*)\]\([^)]*\))");
  static const std::regex strong(R"(\*\*([^*]+)\*\*)");
  std::string text = std::regex_replace(line, picture, "");
  text = std::regex_replace(text, link, "$1");
  text = std::regex_replace(text, strong, "$1");
  std::erase(text, '`');
  return text;
}

std::string heading(const std::string& line) {
  std::string text = without_marks(line.substr(line.find_first_not_of("# ")));
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
  return text;
}

bool is_comment(const std::string& line) {
  return line.starts_with("<!--") && line.ends_with("-->");
}

const TopicText* find_topic(std::string_view name) {
  const std::span<const TopicText> all = topic_texts();
  const auto found = std::find_if(all.begin(), all.end(), [&](const TopicText& one) { return one.name == name; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace

std::string plain_text(std::string_view markdown) {
  std::istringstream lines{std::string(markdown)};
  std::string text;
  bool is_code = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) {
      is_code = !is_code;
    } else if (is_code) {
      text += line.empty() ? "\n" : "    " + line + "\n";
    } else if (line.starts_with("#")) {
      text += heading(line) + "\n";
    } else if (!is_comment(line)) {
      text += without_marks(line) + "\n";
    }
  }
  return text;
}

std::vector<Topic> topics() {
  static const std::regex entry(R"(- \[[^\]]*\]\(([a-z-]+)\.md\): (.*))");
  std::vector<Topic> list;
  std::istringstream lines{std::string(find_topic("README")->text)};
  for (std::string line; std::getline(lines, line);) {
    if (std::smatch found; std::regex_match(line, found, entry) && find_topic(found[1].str()) != nullptr) {
      list.push_back({found[1], without_marks(found[2])});
    }
  }
  return list;
}

std::string topic_page(std::string_view name) {
  std::string names;
  for (const Topic& topic : topics()) {
    if (topic.name == name) {
      return plain_text(find_topic(name)->text);
    }
    names += (names.empty() ? "" : ", ") + topic.name;
  }
  throw UsageError(unknown_name("topic", std::string(name), names));
}

}  // namespace postage
