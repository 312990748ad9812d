#include "papers/builtin_papers.hpp"
#include "papers/rico_gallego/jobs.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace postage::rico_gallego_paper {
namespace {

constexpr Rank kRanks = 16;
constexpr Bytes kBlock = 1000;

std::vector<Transfer> stage_of(Collective collective, std::string_view algorithm, Index wanted) {
  const Schedule schedule = build_schedule(find_algorithm(collective, algorithm), {.ranks = kRanks, .bytes = kBlock});
  std::vector<Transfer> found;
  Index round = 0;
  for_each_round(schedule, [&](const RoundPosition& position) {
    if (round++ == wanted) {
      for_each_transfer(schedule, position, [&](const Transfer& transfer) { found.push_back(transfer); });
    }
  });
  return found;
}

PaperRow count_row(std::string what, Index printed, Index ours) {
  return number_row(std::move(what), static_cast<double>(printed), static_cast<double>(ours), AxisUnit::kNumber);
}

/// Stages with so many messages of so many blocks.
std::vector<PaperRow> stage_rows(Collective collective, std::string_view algorithm,
                                 const std::vector<std::pair<Index, Index>>& printed) {
  std::vector<PaperRow> rows;
  for (std::size_t i = 0; i < printed.size(); ++i) {
    const std::vector<Transfer> stage = stage_of(collective, algorithm, static_cast<Index>(i));
    const bool alike =
        std::all_of(stage.begin(), stage.end(), [&](const Transfer& t) { return t.bytes == stage.front().bytes; });
    rows.push_back(
        count_row(fmt::format("stage {}: messages", i + 1), printed[i].first, static_cast<Index>(stage.size())));
    rows.push_back(count_row(fmt::format("stage {}: blocks of m/P in each", i + 1), printed[i].second,
                             alike ? stage.front().bytes / kBlock : -1));
  }
  return rows;
}

ExhibitResult figure_1(PaperContext&) {
  const std::vector<Transfer> first = stage_of(Collective::kBcast, "binomial", 0);
  const std::vector<Transfer> last = stage_of(Collective::kBcast, "binomial", 3);
  const bool has_last_pair =
      std::any_of(last.begin(), last.end(), [](const Transfer& t) { return t.source == 14 && t.target == 15; });
  return {.rows = {count_row("stage 1 goes from 0 to", 8, first.front().target),
                   count_row("stage 4: messages at the same time", 8, static_cast<Index>(last.size())),
                   count_row("stage 4: messages from 14 to 15", 1, has_last_pair ? 1 : 0)},
          .why = "Of 16 processes with root 0."};
}

ExhibitResult figure_2(PaperContext&) {
  const FormulaJob job{.platform = on_one_channel("taulop", "o=0,n=2,L=8K/1:1us;8K/2:2us,S=8K"), .bytes = 40960};
  return {.rows = {number_row("transfers of k = 5 segments", 10, evaluator("p2p", "rico-gallego-segments", job) / 1e-6,
                              AxisUnit::kNumber)},
          .why = "Counted with L(S, 1) = 1 us and L(S, 2) = 2 us, which is 1 us for each transfer."};
}

ExhibitResult figure_3(PaperContext&) {
  return {.rows = stage_rows(Collective::kScatter, "binomial", {{1, 8}, {2, 4}, {4, 2}, {8, 1}}),
          .why = "Of 16 processes with root 0: the messages double, and their size halves."};
}

ExhibitResult figure_4(PaperContext&) {
  return {.rows = stage_rows(Collective::kAllgather, "recursive-doubling", {{16, 1}, {16, 2}, {16, 4}, {16, 8}}),
          .why = "Of 16 processes: each arc of the figure is a sendrecv, two messages."};
}

ExhibitResult ring_on(const Mapping& mapping, Index within) {
  Index inside = 0;
  const std::vector<Transfer> stage = stage_of(Collective::kAllgather, "ring", 0);
  for (const Transfer& t : stage) {
    inside += mapping.placement_of(t.source).node == mapping.placement_of(t.target).node ? 1 : 0;
  }
  return {.rows = {count_row("messages of a stage within nodes", within, inside),
                   count_row("messages of a stage between nodes", kRanks - within,
                             static_cast<Index>(stage.size()) - inside)},
          .why = "Of 16 processes on 4 nodes."};
}

ExhibitResult figure_6(PaperContext&) {
  return ring_on(Mapping::block(4, 4), 12);
}

ExhibitResult figure_7(PaperContext&) {
  return ring_on(Mapping::cyclic(4, 4), 0);
}

Exhibit figure(std::string number, std::string caption, std::string where, ExhibitResult (*compute)(PaperContext&)) {
  return {.kind = ExhibitKind::kFigure,
          .number = std::move(number),
          .caption = std::move(caption),
          .where = {std::move(where)},
          .compute = compute};
}

}  // namespace

Exhibits algorithms() {
  return {figure("1", "the binomial tree of a broadcast", "src/schedule/algorithms/bcast.cpp#binomial", figure_1),
          figure("2", "a segmented message through a shared buffer", "include/postage/model/tau_lop.hpp#segmented_cost",
                 figure_2),
          figure("3", "the binomial scatter", "src/schedule/algorithms/scatter.cpp#binomial", figure_3),
          figure("4", "the recursive doubling allgather", "src/schedule/algorithms/allgather.cpp#recursive_doubling",
                 figure_4),
          figure("6", "the ring under sequential mapping", "src/schedule/algorithms/allgather.cpp#ring", figure_6),
          figure("7", "the ring under round-robin mapping", "src/schedule/algorithms/allgather.cpp#ring", figure_7)};
}

}  // namespace postage::rico_gallego_paper
