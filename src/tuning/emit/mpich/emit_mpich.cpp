#include "tuning/emit/mpich/tree.hpp"
#include "tuning/emit/targets.hpp"
#include "tuning/lint/mpich/algorithms.hpp"

#include <postage/base/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <string>
#include <utility>

namespace postage {
namespace {

constexpr LibraryVersion kOldestMpich{4, 0, 0};
constexpr LibraryVersion kUnknownMpich{6, 0, 0};
constexpr const char* kSpansNodes = "comm_hierarchy=parent";
constexpr LibraryVersion kNamedTreesSince{4, 3, 0};

std::string with_capital(std::string_view name) {
  std::string text(name);
  text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return text;
}

/// "nb+tsp_tree+knomial_1" is the algorithm nb, with this one of MPI_I<collective>.
struct MpichChoice {
  std::string blocking;
  std::string non_blocking{};
  std::string tree{};
};

MpichChoice mpich_choice(const EmittedRange& range) {
  const std::string name(range.algorithm->name);
  if (!name.starts_with("nb+")) {
    return {.blocking = name};
  }
  const std::string rest = name.substr(3);
  const auto plus = rest.find('+');
  return {.blocking = "nb",
          .non_blocking = rest.substr(0, plus),
          .tree = plus == std::string::npos ? "" : rest.substr(plus + 1)};
}

std::string tree_type(const std::string& name, const LibraryVersion& version) {
  constexpr std::array<std::string_view, 3> kTypes{"kary", "knomial_1", "knomial_2"};
  const auto* const found = std::ranges::find(kTypes, name);
  return version >= kNamedTreesSince ? name : std::to_string(found - kTypes.begin());
}

class CompleteFile {
 public:
  CompleteFile(const DecisionTable& table, const NodeRules& part) : table_(table), part_(part) {}

  MpichNode root() {
    MpichNode root;
    for (const std::string& name : mpich_collectives()) {
      MpichNode kinds = mpich_chain({{"comm_type=intra", intra(name)}});
      if (const MpichNode inter = mpich_default_inter(name, table_.version()); !inter.members.empty()) {
        kinds.members.emplace_back("comm_type=inter", inter);
      }
      root.members.emplace_back("collective=" + name, std::move(kinds));
    }
    return root;
  }

  /// Whole collectives where a rule holds; elsewhere communicators are split by nodes as by default.
  [[nodiscard]] MpichNode compositions() const {
    MpichNode root;
    for (const MpichComposition& one : mpich_compositions(table_.version())) {
      MpichNode node = one.usual;
      for (const Collective collective : collectives_of(part_.rules)) {
        if (name_of(collective) == one.collective) {
          node = blocks(collective, emitted_blocks(table_, part_.rules, collective).blocks,
                        [&](const EmittedRange& range) { return range.rule == nullptr ? one.usual : one.flat; });
        }
      }
      root.members.emplace_back("collective=" + one.collective, mpich_chain({{"comm_type=intra", std::move(node)}}));
    }
    return root;
  }

  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

 private:
  /// The collective's own rules, or those that a blocking one hands on by nb.
  MpichNode intra(const std::string& name) {
    const bool is_non_blocking = name.front() == 'i';
    const std::string blocking = is_non_blocking ? name.substr(1) : name;
    for (const Collective collective : collectives_of(part_.rules)) {
      if (name_of(collective) == blocking) {
        return tuned(collective, name, is_non_blocking);
      }
    }
    return mpich_default(name, table_.version());
  }

  MpichNode tuned(Collective collective, const std::string& name, bool is_non_blocking) {
    EmittedBlocks made = emitted_blocks(table_, part_.rules, collective);
    if (!is_non_blocking) {
      notes_.insert(notes_.end(), made.notes.begin(), made.notes.end());
    }
    if (is_non_blocking && !std::ranges::any_of(part_.rules, [&](const DecisionRule& rule) {
          return rule.collective == collective && rule.choice.library_name.starts_with("nb+");
        })) {
      return mpich_default(name, table_.version());
    }
    // What MPICH makes of a communicator for its own use, the ranks of a node or one of each, has the default: the
    // steps of a collective that no rule holds for are those that they were.
    const MpichNode usual = mpich_given(mpich_default(name, table_.version()), kSpansNodes, false);
    MpichNode chain = mpich_chain({{"comm_hierarchy=node", usual}, {"comm_hierarchy=node_roots", usual}});
    const MpichNode tuned = blocks(collective, made.blocks,
                                   [&](const EmittedRange& range) { return choice(name, range, is_non_blocking); });
    if (tuned.members.front().first == kSpansNodes) {
      chain.members.insert(chain.members.end(), tuned.members.begin(), tuned.members.end());
    } else {
      chain.members.emplace_back("comm_hierarchy=any", tuned);
    }
    return chain;
  }

  using NodeOf = std::function<MpichNode(const EmittedRange&)>;

  static MpichNode blocks(Collective collective, const std::vector<EmittedBlock>& all, const NodeOf& node_of) {
    const auto given = [&](bool is_parent) {
      std::vector<MpichRange> by_ranks;
      by_ranks.reserve(all.size());
      for (const EmittedBlock& block : all) {
        by_ranks.push_back({block.ranks.last, sizes(collective, block, [&](const EmittedRange& range) {
                              return mpich_given(node_of(range), kSpansNodes, is_parent);
                            })});
      }
      return mpich_ranges("comm_size", by_ranks);
    };
    const MpichNode parent = given(true);
    const MpichNode other = given(false);
    return parent == other ? parent : mpich_chain({{kSpansNodes, parent}, {"comm_hierarchy=any", other}});
  }

  static MpichNode sizes(Collective collective, const EmittedBlock& block, const NodeOf& node_of) {
    const std::string key = size_of(collective);
    const Span<Bytes> ranks{block.ranks.first, block.ranks.last};
    std::vector<MpichRange> ranges;
    ranges.reserve(block.ranges.size());
    for (const EmittedRange& range : block.ranges) {
      const MpichNode among = mpich_within(node_of(range), "comm_size", ranks);
      ranges.push_back({range.bytes.last, mpich_within(among, key, range.bytes)});
    }
    return mpich_ranges(key, ranges);
  }

  static std::string size_of(Collective collective) {
    return collective == Collective::kAllgather || collective == Collective::kReduceScatter ? "total_msg_size"
                                                                                            : "avg_msg_size";
  }

  MpichNode choice(const std::string& name, const EmittedRange& range, bool is_non_blocking) const {
    MpichNode usual = mpich_default(name, table_.version());
    if (range.rule == nullptr) {
      return usual;
    }
    const MpichChoice choice = mpich_choice(range);
    if (is_non_blocking) {
      return choice.non_blocking.empty() ? usual : non_blocking(name, choice, range);
    }
    const std::string kind = choice.blocking == "nb" ? "allcomm" : "intra";
    const bool is_barrier = choice.blocking == "k_dissemination";
    MpichNode leaf = mpich_leaf(with_capital(name) + "_" + kind + "_" + choice.blocking,
                                is_barrier ? std::vector<std::string>{"k=2"} : std::vector<std::string>{});
    return guarded(name, choice.blocking, std::move(leaf), usual);
  }

  MpichNode non_blocking(const std::string& name, const MpichChoice& choice, const EmittedRange& range) const {
    std::vector<std::string> parameters;
    if (!choice.tree.empty()) {
      parameters.push_back("tree_type=" + tree_type(choice.tree, table_.version()));
      parameters.push_back(fmt::format("k={}", std::max<Index>(fan_out_of(range), 1)));
    }
    if (choice.non_blocking == "tsp_tree" || choice.non_blocking == "tsp_ring") {
      parameters.push_back(fmt::format("chunk_size={}", segment_of(range)));
    }
    return mpich_leaf(with_capital(name) + "_intra_" + choice.non_blocking, parameters);
  }

  /// MPICH checks nothing that an algorithm needs: where it lacks, the default holds.
  MpichNode guarded(const std::string& name, const std::string& algorithm, MpichNode leaf,
                    const MpichNode& usual) const {
    for (const MpichAlgorithm& one : mpich_algorithms()) {
      if (one.collective != name || one.name != algorithm || table_.version() < one.since ||
          one.before <= table_.version()) {
        continue;
      }
      if (one.needs.power_of_two) {
        leaf = mpich_chain({{"comm_size=pow2", leaf}, {"comm_size=any", usual}});
      }
      if (one.needs.count_of_power) {
        leaf = mpich_chain({{"count<pow2", usual}, {"count=any", leaf}});
      }
      leaf = one.needs.built_in_operation ? flag("is_op_built_in", leaf, usual) : leaf;
      leaf = one.needs.commutative ? flag("is_commutative", leaf, usual) : leaf;
      leaf = one.needs.equal_blocks ? flag("is_block_regular", leaf, usual) : leaf;
      leaf = one.needs.consecutive ? flag("is_node_consecutive", leaf, usual) : leaf;
      if (one.needs.not_in_place) {
        leaf = mpich_chain({{"is_sendbuf_inplace=yes", usual}, {"is_sendbuf_inplace=no", leaf}});
      }
      if (one.needs.whole_job) {
        leaf = mpich_chain({{"comm_hierarchy=parent", leaf}, {"comm_hierarchy=any", usual}});
      }
    }
    return leaf;
  }

  static MpichNode flag(const std::string& key, const MpichNode& yes, const MpichNode& no) {
    return mpich_chain({{key + "=yes", yes}, {key + "=no", no}});
  }

  const DecisionTable& table_;
  const NodeRules& part_;
  std::vector<std::string> notes_;
};

/// Variables for collectives with one choice for all communicators and sizes: they need no file.
std::string cvars_of(const DecisionTable& table, const NodeRules& part) {
  std::string lines;
  for (const Collective collective : collectives_of(part.rules)) {
    const EmittedBlocks made = emitted_blocks(table, part.rules, collective);
    const EmittedRange* only = made.blocks.front().ranges.data();
    const bool is_one = made.blocks.size() == 1 && made.blocks.front().ranges.size() == 1 && only->rule != nullptr;
    if (!is_one) {
      continue;
    }
    std::string name(name_of(collective));
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    const MpichChoice choice = mpich_choice(*only);
    lines += fmt::format("export MPIR_CVAR_{}_INTRA_ALGORITHM={}\n", name, choice.blocking);
    if (!choice.non_blocking.empty()) {
      lines += fmt::format("export MPIR_CVAR_I{}_INTRA_ALGORITHM={}\n", name, choice.non_blocking);
    }
    if (!choice.tree.empty()) {
      lines += fmt::format("export MPIR_CVAR_I{0}_TREE_TYPE={1}\nexport MPIR_CVAR_I{0}_TREE_KVAL={2}\n", name,
                           choice.tree, std::max<Index>(fan_out_of(*only), 1));
      lines += fmt::format("export MPIR_CVAR_I{}_TREE_PIPELINE_CHUNK_SIZE={}\n", name, segment_of(*only));
    }
  }
  return lines;
}

}  // namespace

EmittedTarget emit_mpich(const DecisionTable& table) {
  if (table.version() < kOldestMpich || table.version() >= kUnknownMpich) {
    throw UsageError(fmt::format("what MPICH {} reads is not known: its files are written for 4.0 to 5",
                                 format_version(table.version())));
  }
  EmittedTarget target;
  const std::vector<NodeRules> parts = rules_by_nodes(table);
  if (parts.empty()) {
    target.installation.push_back("There are no rules: nothing is to be installed.");
    return target;
  }
  for (const NodeRules& part : parts) {
    const std::string suffix = parts.size() == 1 ? "" : nodes_suffix(part.nodes);
    CompleteFile file(table, part);
    target.files.push_back({fmt::format("mpich/generic{}.json", suffix), render(file.root())});
    target.notes.insert(target.notes.end(), file.notes().begin(), file.notes().end());
    target.settings.push_back(
        {part.nodes, "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE", fmt::format("@/mpich/generic{}.json", suffix)});
    target.files.push_back({fmt::format("mpich/ch4{}.json", suffix), render(file.compositions())});
    target.settings.push_back(
        {part.nodes, "MPIR_CVAR_CH4_COLL_SELECTION_TUNING_JSON_FILE", fmt::format("@/mpich/ch4{}.json", suffix)});
    if (const std::string cvars = cvars_of(table, part); !cvars.empty()) {
      target.files.push_back({fmt::format("mpich/cvars{}.sh", suffix), cvars});
    }
  }
  target.installation.push_back(
      "MPICH: source env.sh, or add its MPIR_CVAR_ lines to the site's modulefile; MPICH reads no file of parameters "
      "of its own. "
      "mpich/generic.json takes the place of the built-in rules, so it names every collective; mpich/ch4.json hands "
      "collectives to it "
      "as a whole where a rule holds, instead of splitting communicators by nodes as MPICH does elsewhere. "
      "mpich/cvars.sh, where there is one, says the same of "
      "collectives with "
      "one choice, without files; a variable wins over the file. Non-blocking collectives follow the rules of nb+ "
      "algorithms. Reductions allocate memory in every call, and above 128 KiB glibc may give it back in every call; "
      "with MALLOC_MMAP_THRESHOLD_=33554432 and MALLOC_TRIM_THRESHOLD_=268435456 exported it keeps it, for all of the "
      "program, which env.sh leaves to you.");
  return target;
}

}  // namespace postage
