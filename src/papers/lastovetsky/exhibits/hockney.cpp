#include "papers/builtin_papers.hpp"
#include "papers/lastovetsky/binomial_mapping.hpp"

#include <postage/predict/formulas/lastovetsky.hpp>
#include <postage/predict/timeline/timeline.hpp>
#include <postage/schedule/algorithms.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

namespace postage::lastovetsky_paper {
namespace {

constexpr std::array<std::int32_t, 8> kEight{0, 1, 2, 3, 4, 5, 6, 7};

ChannelMap one_rank_a_node(Rank ranks) {
  Platform platform{.channels = {kInterNode}};
  for (Rank rank = 0; rank < ranks; ++rank) {
    platform.nodes.push_back({"n", {{{0, 0, 0, 0}}}});
    platform.ranks.push_back({rank, 0});
  }
  return {platform, Mapping::block(ranks, 1)};
}

Seconds evaluated_binomial(Collective collective, const Hockney& model, Bytes block) {
  const Schedule schedule = build_schedule(find_algorithm(collective, "binomial"), {.ranks = 8, .bytes = block});
  return play(schedule, one_rank_a_node(8), model).seconds();
}

/// alpha_ij = 1 + i us, beta_ij = 0.5 j us/B for i < j.
Hockney uneven_links() {
  Hockney model;
  for (int i = 0; i < 8; ++i) {
    for (int j = i + 1; j < 8; ++j) {
      model.links.set_pair(i, j, {{0, {1e-6 * (1 + i), 0.5e-6 * j}}});
    }
  }
  return model;
}

ExhibitResult equation_two(PaperContext&) {
  const Hockney model = uneven_links();
  return {.rows = {number_row("formula: 1 + 24 + max(14.5, 5 + 18 + 17.5) us", 65.5e-6,
                              closed_form::binomial_scatter(model, kEight, 3), AxisUnit::kSeconds),
                   number_row("evaluator, scatter", 65.5e-6, evaluated_binomial(Collective::kScatter, model, 3),
                              AxisUnit::kSeconds)},
          .why =
              "For alpha_ij = (1 + i) us, beta_ij = j/2 us/B and blocks of M = 3 bytes: the pairs at the bottom take "
              "2.5, 7.5, 12.5 and 17.5 us, those above them 7 and 23 us, the first message 25 us."};
}

ExhibitResult equation_three(PaperContext&) {
  const HockneyLink link{177e-6, 0.0219e-6};
  Hockney model;
  model.links.set_all_channels({{0, link}});
  return {
      .rows = {number_row("formula: 3 * 177 + 7 * 21.9 us", 684.3e-6, closed_form::binomial_scatter(link, 8, 1000),
                          AxisUnit::kSeconds),
               number_row("evaluator, scatter", 684.3e-6, evaluated_binomial(Collective::kScatter, model, 1000),
                          AxisUnit::kSeconds),
               number_row("evaluator, gather", 684.3e-6, evaluated_binomial(Collective::kGather, model, 1000),
                          AxisUnit::kSeconds)},
      .why = "For the homogeneous parameters of section 3, alpha = 177 us and beta = 0.0219 us/B, and M = 1000 bytes."};
}

ExhibitResult table_two(PaperContext&) {
  Seconds alpha = 0;
  double beta = 0;
  for (int a = 0; a < 16; ++a) {
    for (int b = a + 1; b < 16; ++b) {
      alpha += printed_link(a, b).latency / 120;
      beta += printed_link(a, b).seconds_per_byte / 120;
    }
  }
  return {.rows = {number_row("mean alpha of the 120 pairs", 177e-6, alpha, AxisUnit::kSeconds, 0.5e-6),
                   number_row("mean beta of 1000 bytes", 21.9e-6, 1000 * beta, AxisUnit::kSeconds, 0.05e-6)},
          .why =
              "The homogeneous parameters are the means over all pairs. Those of beta agree. Those of alpha cannot be: "
              "six values (812, 888, 961, 665, 993 and 728 us) are several times their neighbours and look as if "
              "they had lost a decimal point; with 81.2, 88.8, 96.1, 66.5, 99.3 and 72.8 us the mean is 189.8 us."};
}

ExhibitResult mappings_differ(PaperContext&) {
  const Hockney model = printed_hockney();
  constexpr Bytes block = 100000;
  std::vector<std::int32_t> places = binomial_places(model, 16, block, Choice::kFastest);
  Seconds best = closed_form::binomial_scatter(model, places, block);
  Seconds worst = best;
  std::iota(places.begin(), places.end(), 0);
  for (std::size_t place = 1; place < 16; ++place) {  // node 10, of the slowest type, at every place
    std::vector<std::int32_t> moved = places;
    std::iter_swap(moved.begin() + 10, moved.begin() + static_cast<std::ptrdiff_t>(place));
    const Seconds time = closed_form::binomial_scatter(model, moved, block);
    best = std::min(best, time);
    worst = std::max(worst, time);
  }
  return {
      .rows = {claim_row("the slowest of 16 mappings over the fastest, blocks of 100000 bytes", "> 1.3", worst / best,
                         AxisUnit::kNumber, worst > 1.3 * best)},
      .why =
          "By equation 1 with Table 2, a node of type 1 as the root; the node of type 4, which has the slowest links, "
          "at each place of the tree, and the mapping of figure 2."};
}

ExhibitResult tree_of_sixteen(PaperContext&) {
  const Schedule schedule = build_schedule(find_algorithm(Collective::kScatter, "binomial"), {.ranks = 16, .bytes = 1});
  std::map<Bytes, int> arcs;
  for (std::size_t round = 0; round < schedule.stages.front().rounds.size(); ++round) {
    for_each_transfer(schedule, {0, 0, 0, round}, [&](const Transfer& transfer) { ++arcs[transfer.bytes]; });
  }
  ExhibitResult result{.why =
                           "Counted in the schedule that is predicted and executed: `postage schedule scatter binomial "
                           "-P 16` draws it."};
  for (const auto& [blocks, printed] : {std::pair{8, 1}, {4, 2}, {2, 4}, {1, 8}}) {
    result.rows.push_back(
        number_row(fmt::format("arcs with {} blocks", blocks), printed, arcs[blocks], AxisUnit::kNumber));
  }
  return result;
}

}  // namespace

Exhibits hockney() {
  const std::string formulas = "src/predict/formulas/lastovetsky.cpp#binomial_scatter";
  return {{.kind = ExhibitKind::kEquation,
           .number = "1-2",
           .caption = "binomial scatter and gather by the heterogeneous Hockney model",
           .where = {formulas},
           .compute = equation_two},
          {.kind = ExhibitKind::kEquation,
           .number = "3",
           .caption = "the same with equal links",
           .where = {formulas},
           .compute = equation_three},
          {.kind = ExhibitKind::kTable,
           .number = "2",
           .caption = "alpha and beta between the types of nodes",
           .where = {"src/papers/lastovetsky/binomial_mapping.cpp#kAlpha"},
           .compute = table_two},
          {.kind = ExhibitKind::kClaim,
           .number = "3-mappings",
           .caption = "mappings of binomial scatter differ by more than 30 %",
           .where = {formulas, "src/papers/lastovetsky/binomial_mapping.cpp#binomial_places"},
           .compute = mappings_differ},
          {.kind = ExhibitKind::kFigure,
           .number = "1",
           .caption = "the binomial tree of scatter and gather among 16 ranks",
           .where = {"src/schedule/algorithms/scatter.cpp"},
           .compute = tree_of_sixteen}};
}

}  // namespace postage::lastovetsky_paper
