#include "tuning/lint/formats.hpp"
#include "tuning/lint/json_text.hpp"
#include "tuning/lint/mpich/conditions.hpp"
#include "tuning/lint/mpich/file_kind.hpp"
#include "tuning/lint/mpich/json_c.hpp"
#include "tuning/lint/mpich/leaf.hpp"
#include "tuning/lint/mpich/siblings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <optional>
#include <string>
#include <vector>

namespace postage {
namespace {

/// A level of the tree: what holds for calls that reach it.
struct TreeLevel {
  std::string collective{};
  MpichConditions conditions{};
  std::vector<MpichKey> path{};
  int depth = 1;
};

class MpichTree {
 public:
  MpichTree(const LibraryVersion& version, LintFindings& findings) : version_(version), findings_(findings) {}

  void check(const JsonLine& root) {
    if (!root.is_object()) {
      abort(root.line, "structure", "the file is no object: MPI_Init crashes", "{\"collective=bcast\": {...}, ...}");
      return;
    }
    if (!check_keys(root)) {
      return;
    }
    file_ = mpich_file_of(root);
    check_object(root, {});
    check_missing(root);
  }

 private:
  void abort(int line, std::string check, std::string what, std::string instead) {
    findings_.add(line, LintEffect::kAborts, std::move(check), std::move(what), std::move(instead));
  }

  /// Everything that MPI_Init aborts on, which hides the rest; false there.
  bool check_keys(const JsonLine& object) {
    bool is_good = true;
    for (const JsonLine& member : object.items) {
      const MpichKey key = parse_mpich_key(member.name);
      if (!key.is_leaf() && !is_known(key, version_)) {
        abort(member.line, "key", fmt::format("the key \"{}\" is not known: MPI_Init aborts", member.name),
              key_help(key));
        is_good = false;
      }
      if (!member.is_object()) {
        abort(member.line, "structure", fmt::format("the value of \"{}\" is no object: MPI_Init aborts", member.name),
              "{...}");
        is_good = false;
      } else if (!key.is_leaf()) {
        is_good = check_keys(member) && is_good;
      }
    }
    return is_good;
  }

  std::string key_help(const MpichKey& key) const {
    if (key.is_any() || key.name == "any") {
      return "comm_size=any, avg_msg_size=any, total_msg_size=any, count=any or comm_hierarchy=any";
    }
    return "collective, comm_type, comm_size, comm_hierarchy, comm_avg_ppn, avg_msg_size, total_msg_size, count, "
           "is_multi_threaded, is_commutative, is_sendbuf_inplace, is_op_built_in, is_block_regular, "
           "is_node_consecutive, "
           "algorithm or composition";
  }

  bool check_depth(const JsonLine& object, int depth) {
    if (depth > kDeepestForJsonC && !is_too_deep_) {
      is_too_deep_ = true;
      abort(object.line, "depth",
            "it is nested more than 32 levels deep: MPICH's parser refuses it and MPI_Init aborts", "fewer levels");
    }
    return depth <= kDeepestForJsonC;
  }

  void check_object(const JsonLine& object, const TreeLevel& level) {
    if (!check_depth(object, level.depth)) {
      return;
    }
    if (object.items.empty()) {
      abort(object.line, "empty",
            level.path.empty() ? "no collective has rules: the first call of each aborts"
                               : fmt::format("nothing stands below \"{}\": MPI_Init aborts", object.name),
            "an algorithm");
      return;
    }
    check_chain(object, level);
    TreeLevel rest = level;
    for (const JsonLine& member : object.items) {
      const MpichKey key = parse_mpich_key(member.name);
      if (key.is_leaf()) {
        check_depth(member, level.depth + (member.items.empty() ? 1 : 2));
        check_file_of(member, key);
        check_mpich_leaf(member, key, {level.collective, level.conditions}, version_, findings_);
        continue;
      }
      if (!check_key(member, key, level)) {
        continue;
      }
      TreeLevel below = rest;
      below.conditions.apply(key, true);
      below.path.push_back(key);
      below.depth += 1;
      if (key.name == "collective") {
        below.collective = key.value;
      }
      check_object(member, below);
      rest.conditions.apply(key, false);
    }
  }

  void check_file_of(const JsonLine& leaf, const MpichKey& key) {
    if (mpich_file_of(key) != file_) {
      abort(leaf.line, "mixed",
            fmt::format("\"{}\" stands among leaves of another file: MPI_Init aborts on either", leaf.name),
            "algorithms, ch4's compositions and algorithms of shared memory each in a file of their own");
    }
  }

  /// False where what is below does not count.
  bool check_key(const JsonLine& member, const MpichKey& key, const TreeLevel& level) {
    const bool is_other = std::ranges::any_of(level.path, [&](const MpichKey& above) {
      return (key.name == "collective" || key.name == "comm_type") && above.name == key.name &&
             above.value != key.value;
    });
    if (is_other) {
      findings_.add(member.line, LintEffect::kRuleIgnored, "never-reached",
                    fmt::format("no call reaches \"{}\", which stands below another {}", member.name, key.name),
                    fmt::format("it beside the other \"{}=...\"", key.name));
      return false;
    }
    if (key.name == "collective") {
      const bool is_one = std::ranges::find(mpich_collectives(), key.value) != mpich_collectives().end();
      if (!is_one) {
        abort(member.line, "collective", fmt::format("there is no collective {}: MPI_Init aborts", key.value),
              "MPI's name in lower case without MPI_");
      }
      return is_one;
    }
    if (!level.collective.empty() && !is_defined(key, level.collective)) {
      const bool is_average = key.name == "avg_msg_size";
      abort(member.line, "undefined-key",
            fmt::format("{} is not defined for {}: its first call aborts", key.name, level.collective),
            is_average ? "total_msg_size, which is that of all ranks together" : "another key, or none");
    }
    check_number(member, key);
    const bool below_sizes = std::ranges::any_of(
        level.path, [](const MpichKey& above) { return above.name.ends_with("msg_size") || above.name == "count"; });
    if (key.name == "comm_size" && key.comparison == "<" && below_sizes) {
      findings_.add(
          member.line, LintEffect::kMisread, "order-of-keys",
          "below a message size, comm_size< is read as comm_size<=", "keys of communicators above those of sizes");
    }
    return true;
  }

  void check_number(const JsonLine& member, const MpichKey& key) {
    if (key.comparison == "=" || (key.name == "count" && key.value == "pow2")) {
      return;
    }
    const bool is_whole =
        !key.value.empty() && std::ranges::all_of(key.value, [](char c) { return c >= '0' && c <= '9'; });
    if (!is_whole || key.value.size() > 10 || std::stoll(key.value) > INT_MAX) {
      findings_.add(member.line, LintEffect::kMisread, "number",
                    fmt::format("\"{}\" is read by atoi into 32 bits", key.value),
                    "digits alone, at most 2147483647; \"=any\" for what is larger");
    }
  }

  /// Siblings are tried one after the other.
  void check_chain(const JsonLine& object, const TreeLevel& level) {
    const MpichKey last = parse_mpich_key(object.items.back().name);
    for (std::size_t i = 0; i < object.items.size(); ++i) {
      const MpichKey key = parse_mpich_key(object.items[i].name);
      const bool is_last = i + 1 == object.items.size();
      if (key.is_leaf() && object.items.size() > 1) {
        check_beside_leaf(object, findings_);
        return;
      }
      // "comm_hierarchy=any" and the like match always; 4.0 checks that nothing follows.
      if (key.is_any() && !is_last) {
        abort(object.items[i + 1].line, "behind-any",
              fmt::format("it stands behind \"{}\": MPI_Init aborts", object.items[i].name), "\"=any\" last");
        return;
      }
      check_sequence(object, i, findings_);
    }
    check_end(object, last, level);
  }

  void check_end(const JsonLine& object, const MpichKey& last, const TreeLevel& level) {
    const bool ends_other =
        !may_end_chain(last) || (last.comparison == "=" && last.name == "comm_size" && !last.is_any());
    if (ends_other) {
      abort(object.items.back().line, "no-any",
            fmt::format("a chain of sizes ends in \"{}\" without \"=any\": MPI_Init aborts", object.items.back().name),
            fmt::format("\"{}=any\" behind it", last.name));
      return;
    }
    const bool falls_back = file_ == MpichFile::kSharedMemory;  // the module above it takes what it leaves out
    if (last.is_any() || last.is_leaf() || last.name == "collective" || level.collective.empty() || falls_back) {
      return;
    }
    report_uncovered(object, last, level);
  }

  /// A chain of yes and no that leaves one out.
  void report_uncovered(const JsonLine& object, const MpichKey& last, const TreeLevel& level) {
    const bool has_other = std::ranges::any_of(object.items, [&](const JsonLine& member) {
      const MpichKey key = parse_mpich_key(member.name);
      return key.name == last.name && key.value != last.value;
    });
    if (has_other && last.name != "comm_hierarchy") {
      return;
    }
    if (last.name == "comm_type" && last.value == "intra") {
      if (has_intercommunicators(level.collective) && file_ == MpichFile::kAlgorithms) {
        abort(object.items.back().line, "intercommunicators",
              fmt::format("{} on an intercommunicator aborts: \"comm_type=inter\" is missing", level.collective),
              "\"comm_type=inter\" with one of its algorithms");
      }
      return;
    }
    abort(object.items.back().line, "not-covered",
          fmt::format("a call of {} for which \"{}\" does not hold aborts", level.collective, object.items.back().name),
          fmt::format("\"{}={}\" beside it", last.name,
                      last.value == "yes"  ? "no"
                      : last.value == "no" ? "yes"
                                           : "any"));
  }

  /// The file takes the place of the built-in tree. Trees of compositions may leave collectives out.
  void check_missing(const JsonLine& root) {
    const std::string missing = file_ == MpichFile::kAlgorithms ? missing_collectives(root) : "";
    if (!missing.empty()) {
      abort(
          root.line, "missing-collectives",
          fmt::format("the file takes the place of the built-in rules, and the first call of what it lacks aborts: {}",
                      missing),
          "every collective, also the non-blocking ones, which the algorithms nb call");
    }
  }

  const LibraryVersion& version_;
  LintFindings& findings_;
  bool is_too_deep_ = false;  ///< said once
  MpichFile file_ = MpichFile::kAlgorithms;
};

}  // namespace

void lint_mpich_json(std::string_view text, const LibraryVersion& version, LintFindings& findings) {
  const char* const consequence = "MPICH's first collective aborts";
  if (text.starts_with("\xef\xbb\xbf")) {
    findings.add(1, LintEffect::kAborts, "byte-order-mark",
                 fmt::format("the file begins with a byte order mark: {}", consequence), "UTF-8 without one");
  }
  if (const auto root = lint_json_value(as_json(text), true, LintEffect::kAborts, consequence, findings)) {
    MpichTree(version, findings).check(*root);
  }
}

}  // namespace postage
