#include "tuning/lint/environment/families.hpp"
#include "tuning/lint/formats.hpp"
#include "tuning/lint/openmpi/rules_file.hpp"

#include <postage/base/error.hpp>
#include <postage/tuning/lint.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <sstream>
#include <string>

namespace postage {
namespace {

constexpr std::string_view kFormats =
    "one of openmpi-rules, openmpi-json, han-rules, mpich-json, ucc-conf or environment";

bool has_any(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

std::string without_comments(std::string_view text) {
  std::string kept;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    kept += line.substr(0, line.find('#')) + '\n';
  }
  return kept;
}

bool begins_with_number(const std::string& text) {
  const auto at = text.find_first_not_of(" \t\r\n");
  return at != std::string::npos && (std::isdigit(static_cast<unsigned char>(text[at])) != 0 || text[at] == '-');
}

/// HAN's rules hold names, or blocks whose first size is 1 and rules of two numbers.
bool is_han(const std::string& text) {
  if (has_any(text, {"intra_node", "inter_node", "global_communicator"})) {
    return true;
  }
  std::istringstream lines(text);
  std::size_t pairs = 0;
  std::size_t fours = 0;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::size_t count = 0;
    for (std::string word; words >> word;) {
      ++count;
    }
    pairs += count == 2 ? 1 : 0;
    fours += count >= 4 ? 1 : 0;
  }
  return fours == 0 && pairs > 0;
}

/// Lines in brackets: ucc.conf's.
bool has_sections(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('[')) {
      return true;
    }
  }
  return false;
}

/// Without comments, as JSON readers or the other libraries have them, and a byte order mark before the rest.
std::string_view behind_comments(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) {
    text.remove_prefix(3);
  }
  for (;;) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    const bool is_block = text.starts_with("/*");
    if (!is_block && !text.starts_with("//") && !text.starts_with('#')) {
      return text;
    }
    const auto end = text.find(is_block ? "*/" : "\n");
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + (is_block ? 2 : 1));
  }
}

/// An object, or a list, in which no section of ucc.conf begins like this.
bool begins_json(std::string_view text) {
  if (!text.starts_with('[')) {
    return text.starts_with('{');
  }
  const auto next = text.find_first_not_of(" \t\r\n", 1);
  return next == std::string_view::npos || std::string_view("{[]\"").find(text[next]) != std::string_view::npos;
}

bool is_environment(std::string_view text) {
  const AssignmentText read = read_assignments(text);
  return std::ranges::any_of(read.assignments, [](const Assignment& one) {
    return one.name.starts_with("OMPI_MCA_") || !mpich_variable(one.name).empty() || one.name.starts_with("UCC_") ||
           one.name.starts_with("UCX_") || one.name.starts_with("I_MPI_") || one.name.starts_with("coll_") ||
           one.name.starts_with("btl_") || one.name.starts_with("pml_");
  });
}

}  // namespace

bool has_words(std::string_view text) {
  return std::ranges::any_of(without_comments(text), [](unsigned char c) { return std::isalpha(c) != 0; });
}

TuningFormat detect_tuning_format(std::string_view text) {
  const std::string plain = without_comments(text);
  if (plain.find_first_not_of(" \t\r\n") == std::string::npos) {
    throw UsageError("it is empty: name the format with --as, " + std::string(kFormats));
  }
  if (begins_json(behind_comments(text))) {
    if (has_any(text, {"\"postage-"})) {
      throw UsageError("it is one of postage's own files, which no MPI library reads: lint the files that emit writes");
    }
    return has_any(text, {"collective=", "comm_type=", "algorithm=MPIR", "composition="}) ? TuningFormat::kMpichJson
                                                                                          : TuningFormat::kOpenMpiJson;
  }
  if (text.starts_with(kRuleVersionLine) || begins_with_number(plain)) {
    return is_han(plain) ? TuningFormat::kHanRules : TuningFormat::kOpenMpiRules;
  }
  if (has_sections(plain)) {
    return TuningFormat::kUccConf;
  }
  if (is_environment(text)) {
    return TuningFormat::kEnvironment;
  }
  throw UsageError("it is no tuning file that is known here: name the format with --as, " + std::string(kFormats));
}

}  // namespace postage
