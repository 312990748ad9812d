#include "tuning/lint/formats.hpp"
#include "tuning/lint/openmpi/tuned_rules.hpp"
#include "tuning/lint/openmpi/word_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace postage {
namespace {

constexpr LibraryVersion kHanNamesSince{5, 0, 0};
constexpr std::array<std::string_view, 3> kHanLevels{"intra_node", "inter_node", "global_communicator"};
constexpr std::array<std::string_view, 7> kHanComponents{"self", "basic", "libnbc", "tuned", "sm", "adapt", "han"};
constexpr std::array<std::string_view, 11> kHanCollectives{"allgather", "allgatherv", "allreduce", "alltoall",
                                                           "alltoallv", "barrier",    "bcast",     "gather",
                                                           "gatherv",   "reduce",     "scatter"};

std::optional<long> integer(std::string_view word) {
  long value = 0;
  const auto [end, mistake] = std::from_chars(word.data(), word.data() + word.size(), value);
  return mistake == std::errc{} && end == word.data() + word.size() ? std::optional(value) : std::nullopt;
}

std::string listed(std::span<const std::string_view> names) {
  std::string list;
  for (const std::string_view name : names) {
    list += (list.empty() ? "" : ", ") + std::string(name);
  }
  return list;
}

struct HanAlgorithms {
  std::string_view collective;
  std::vector<std::string_view> names;
};

/// coll_han_algorithms.c, for the collectives whose algorithms are the same in all releases since 5.0.
const std::vector<HanAlgorithms>& han_algorithms() {
  static const std::vector<HanAlgorithms> kAll{{"allgather", {"default", "intra", "simple"}},
                                               {"allreduce", {"default", "intra", "simple", "reproducible"}},
                                               {"barrier", {"default", "simple"}},
                                               {"bcast", {"default", "intra", "simple"}},
                                               {"gather", {"default", "intra", "simple"}},
                                               {"reduce", {"default", "intra", "simple", "reproducible"}},
                                               {"scatter", {"default", "intra", "simple"}}};
  return kAll;
}

/// Ends the reading: HAN ignores the file.
struct HanFileIgnored {};

class HanRules {
 public:
  HanRules(std::string_view text, const LibraryVersion& version, LintFindings& findings)
      : words_(text), version_(version), findings_(findings) {}

  void read() {
    const long collectives = count("the number of collectives");
    if (collectives == 0) {
      ignore("collectives", "no collective is announced", "at least one");
    }
    for (long i = 0; i < collectives; ++i) {
      read_collective();
    }
    if (const auto rest = words_.next()) {
      findings_.add(rest->line, LintEffect::kRuleIgnored, "rest", "what follows the last rule is never read",
                    "counts that fit the rules");
    }
  }

 private:
  [[noreturn]] void ignore(std::string check, const std::string& what, std::string instead) {
    findings_.add(words_.line(), LintEffect::kFileIgnored, std::move(check), what + ": the whole file is ignored",
                  std::move(instead));
    throw HanFileIgnored{};
  }

  HanWord word(std::string_view what) {
    const auto found = words_.next();
    if (!found) {
      ignore("truncated", fmt::format("the file ends where {} should stand", what),
             "counts that fit the rules that follow");
    }
    return *found;
  }

  long count(std::string_view what) {
    const HanWord found = word(what);
    const auto value = integer(found.text);
    if (!value || *value < 0) {
      ignore("number", fmt::format("{} is '{}', which is no number from 0 on", what, found.text), "an integer");
    }
    return *value;
  }

  /// A number, or from 5.0 on a name, of a list.
  long choice(std::string_view what, std::span<const std::string_view> names) {
    const HanWord found = word(what);
    const auto value = integer(found.text);
    const auto name = std::ranges::find(names, found.text);
    if (name != names.end() && version_ < kHanNamesSince) {
      ignore("names",
             fmt::format("Open MPI {} reads numbers only, and {} is '{}'", format_version(version_), what, found.text),
             fmt::format("{}", name - names.begin()));
    }
    if (name == names.end() && (!value || *value < 0 || *value >= std::ssize(names))) {
      ignore("names", fmt::format("{} is '{}'", what, found.text), fmt::format("one of {}", listed(names)));
    }
    return value ? *value : name - names.begin();
  }

  void read_collective() {
    const HanWord name = word("a collective");
    const auto id = integer(name.text);
    const bool is_number = id && *id >= 0 && !open_mpi_collective(static_cast<int>(std::min(*id, 1000L))).empty();
    const std::string collective = is_number ? std::string(open_mpi_collective(static_cast<int>(*id))) : name.text;
    if (!is_number && (version_ < kHanNamesSince || open_mpi_collective(collective) < 0)) {
      ignore("collective", fmt::format("there is no collective '{}'", name.text),
             version_ < kHanNamesSince ? "Open MPI's number, like 7 for bcast" : "Open MPI's name or number");
    }
    if (std::ranges::find(kHanCollectives, collective) == kHanCollectives.end()) {
      findings_.add(name.line, LintEffect::kNoEffect, "collective", fmt::format("HAN does not do {}", collective),
                    fmt::format("one of {}", listed(kHanCollectives)));
    }
    report_repetition(collectives_, collective, name.line, "collective");
    const long levels = count("the number of levels");
    std::map<std::string, int> seen;
    for (long i = 0; i < levels; ++i) {
      read_level(collective, seen);
    }
  }

  /// HAN looks from the end for the first that fits.
  void report_repetition(std::map<std::string, int>& seen, const std::string& name, int line, std::string_view what) {
    const auto [before, is_new] = seen.try_emplace(name, line);
    if (!is_new) {
      findings_.add(before->second, LintEffect::kRuleIgnored, "repeated",
                    fmt::format("the rules of this {} are replaced by those of line {}", what, line),
                    fmt::format("each {} once", what));
      before->second = line;
    }
  }

  void read_level(const std::string& collective, std::map<std::string, int>& seen) {
    const long level = choice("a level", kHanLevels);
    report_repetition(seen, std::string(kHanLevels[static_cast<std::size_t>(level)]), words_.line(), "level");
    const long sizes = count("the number of sizes");
    long before = 0;
    for (long i = 0; i < sizes; ++i) {
      const long size = count("a size");
      if (size < 1 || (i == 0 && size > 1)) {
        ignore("first-size", fmt::format("the first size of a level is {}", size), "1 for the first");
      }
      if (i > 0) {
        check_order(before, size, "size");
      }
      before = size;
      read_rules(collective, level);
    }
  }

  void check_order(long before, long size, std::string_view what) {
    if (size <= before) {
      findings_.add(words_.line(), LintEffect::kRuleIgnored, "unsorted",
                    fmt::format("{} {} follows {}: one of both is never used", what, size, before),
                    "sizes in ascending order, each once");
    }
  }

  void read_rules(const std::string& collective, long level) {
    const long rules = count("the number of message sizes");
    long before = 0;
    for (long i = 0; i < rules; ++i) {
      const long bytes = count("a message size");
      if (i == 0 && bytes > 1) {
        ignore("first-size", fmt::format("the first message size is {}", bytes), "0 for the first");
      }
      if (i > 0) {
        check_order(before, bytes, "message size");
      }
      before = bytes;
      read_component(collective, level);
    }
  }

  void read_component(const std::string& collective, long level) {
    const long component = choice("a component", kHanComponents);
    const int line = words_.line();
    const bool is_han = component == std::ssize(kHanComponents) - 1;
    if (is_han && kHanLevels[static_cast<std::size_t>(level)] != "global_communicator") {
      findings_.add(line, LintEffect::kRuleIgnored, "han-level",
                    fmt::format("han can do {} for the global communicator only, and not inside of itself", collective),
                    "tuned, libnbc, basic, sm or adapt on this level");
    }
    read_algorithm(collective, is_han);
    read_segments(line);
  }

  void read_algorithm(const std::string& collective, bool is_han) {
    if (!words_.next_begins_with('@')) {
      return;
    }
    const HanWord algorithm = word("an algorithm");
    if (version_ < kHanNamesSince || !is_han) {
      findings_.add(
          algorithm.line, LintEffect::kFileIgnored, "algorithm",
          fmt::format("'{}' is not understood here: an algorithm may follow the component han, from Open MPI 5.0 "
                      "on: the whole file is ignored",
                      algorithm.text),
          "none");
      return;
    }
    const auto known = std::ranges::find(han_algorithms(), collective, &HanAlgorithms::collective);
    const std::string name = algorithm.text.substr(1);
    const auto number = integer(name);
    if (known == han_algorithms().end() || std::ranges::find(known->names, name) != known->names.end() ||
        (number && *number >= 0 && *number < std::ssize(known->names))) {
      return;
    }
    ignore("algorithm", fmt::format("HAN has no algorithm '{}' of {}", name, collective),
           fmt::format("one of {}", listed(known->names)));
  }

  void read_segments(int line) {
    if (words_.next_begins_with('[')) {
      words_.skip_past(']');
      findings_.add(line, LintEffect::kNoEffect, "segment", "segment sizes in a file of rules are read and ignored",
                    "the parameter coll_han_COLLECTIVE_segsize");
    }
  }

  HanWordReader words_;
  std::map<std::string, int> collectives_;
  const LibraryVersion& version_;
  LintFindings& findings_;
};

}  // namespace

void lint_han_rules(std::string_view text, const LibraryVersion& version, LintFindings& findings) {
  try {
    HanRules(text, version, findings).read();
  } catch (const HanFileIgnored&) {
    return;  // the finding says why
  }
}

}  // namespace postage
