#include "papers/builtin_papers.hpp"
#include "papers/chai/applications.hpp"

#include <postage/bench/shared_cache.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <string_view>

namespace postage::chai_paper {
namespace {

/// By how much single copy misses less often.
double improvement(double copies, double single_copy) {
  return copies > 0 ? 1 - single_copy / copies : 0;
}

constexpr Bytes kPlateau = 16 << 10;  ///< above it the paper's improvement is constant
/// Misses of a message, below which a window fits into the cache.
constexpr double kNothing = 1;

std::vector<SharedCacheMisses> simulated(PaperContext& context, const std::vector<Bytes>& sizes) {
  return simulate_shared_cache(kClovertown, sizes, [&](const std::string& line) { context.tell(line); });
}

DrawnCurve curve_of(const std::string& label, const std::vector<SharedCacheMisses>& misses,
                    double SharedCacheMisses::*series) {
  constexpr double kMessages = 64;
  DrawnCurve curve{.label = label};
  for (const SharedCacheMisses& one : misses) {
    curve.x.push_back(static_cast<double>(one.bytes));
    curve.y.push_back(kMessages * (one.*series));
  }
  return curve;
}

DrawnCurve improvement_curve(const std::string& label, const std::vector<SharedCacheMisses>& misses,
                             double SharedCacheMisses::*copies) {
  DrawnCurve curve{.label = label};
  for (const SharedCacheMisses& one : misses) {
    curve.x.push_back(static_cast<double>(one.bytes));
    curve.y.push_back(improvement(one.*copies, one.single_copy));
  }
  return curve;
}

ExhibitResult figure_4(PaperContext& context) {
  const std::vector<SharedCacheMisses> misses = simulated(context, parse_sizes("16K:256K:x2"));
  ExhibitResult result;
  bool fewer = true;
  for (const SharedCacheMisses& one : misses) {
    fewer = fewer && one.single_copy <= one.copies_pool_window + kNothing;
    if (one.copies_pool_window > kNothing) {
      const std::string what = fmt::format("fewer misses with single copy, {}", format_bytes(one.bytes));
      const double ours = improvement(one.copies_pool_window, one.single_copy);
      result.rows.push_back(one.bytes > kPlateau ? number_row(what, 0.07, ours, AxisUnit::kShare, 0.01)
                                                 : our_row(what, ours, AxisUnit::kShare));
    }
  }
  result.rows.push_back(claim_row("for the whole range of message sizes single copy has fewer misses", "fewer",
                                  improvement(misses.back().copies_pool_window, misses.back().single_copy),
                                  AxisUnit::kShare, fewer));
  result.why =
      "Simulated by cachegrind: one 4 MB cache of 16 ways that both ranks share, as two cores of a Clovertown do, "
      "where "
      "the paper profiled two cores with a cache each (OProfile, which also counts what the kernel does). Both ranks "
      "are threads of one process, a copy stands for the kernel's, and copy-in copy-out goes through the pool's first "
      "512 KiB over and over, as MVAPICH reuses its buffers. Where 64 messages fit into the cache nothing misses, and "
      "no "
      "row stands here; at 16 and 32 KB both ranks' windows fit, but not beside the pool. Beyond, each line misses "
      "when it is written, read and stored whatever the protocol, "
      "and the pool's lines "
      "on "
      "top. Through the whole pool of 4 MiB in turn, which is as large as the cache, the difference is larger (see the "
      "drawing).";
  result.charts = {
      {.name = "misses",
       .title = "Simulated misses of a shared 4 MB cache for a window of 64 messages",
       .curves = {curve_of("copies, whole pool", misses, &SharedCacheMisses::copies_whole_pool),
                  curve_of("copies, 512 KiB of the pool", misses, &SharedCacheMisses::copies_pool_window),
                  curve_of("single copy", misses, &SharedCacheMisses::single_copy)},
       .y = {"misses", AxisUnit::kNumber}},
      {.name = "improvement",
       .title = "Fewer misses with single copy (simulated)",
       .curves = {improvement_curve("than with the whole pool", misses, &SharedCacheMisses::copies_whole_pool),
                  improvement_curve("than with 512 KiB of it", misses, &SharedCacheMisses::copies_pool_window)},
       .y = {"share", AxisUnit::kShare, false}}};
  return result;
}

/// Table 1: shares of messages below 1K, 32K and 1M, and above.
struct CountedApplication {
  const char* name;
  MessageShares shares;
  bool is_better;  ///< section 5.2: has better cache utilization with the hybrid
};
constexpr std::array<CountedApplication, 9> kApplications{{{"CG", {0.62, 0, 0.38, 0}, false},
                                                           {"MG", {0.52, 0.28, 0.20, 0}, false},
                                                           {"FT", {0.17, 0, 0, 0.83}, true},
                                                           {"PSTSWM", {0.02, 0.01, 0.97, 0}, true},
                                                           {"IS", {0.44, 0.15, 0, 0.41}, true},
                                                           {"LU", {0.30, 0.69, 0.01, 0}, false},
                                                           {"HPL", {0.58, 0.37, 0.03, 0.02}, false},
                                                           {"BT", {0.01, 0, 0.99, 0}, false},
                                                           {"SP", {0.01, 0, 0.99, 0}, false}}};

/// One size for each of the table's columns; the hybrid takes single copy from 32 KB on, as section 4.1 has it for
/// cores that share a cache.
constexpr std::array<Bytes, 4> kSizes{512, 8 << 10, 128 << 10, 1 << 20};
constexpr Bytes kHybridFrom = 32 << 10;

/// By how much a window of messages of these shares misses less often.
double improvement_of(const MessageShares& shares, const std::vector<SharedCacheMisses>& misses) {
  double copies = 0;
  double hybrid = 0;
  for (std::size_t i = 0; i < misses.size(); ++i) {
    const SharedCacheMisses& one = misses[i];
    copies += shares.at(i) * one.copies_pool_window;
    hybrid += shares.at(i) * (one.bytes >= kHybridFrom ? one.single_copy : one.copies_pool_window);
  }
  return improvement(copies, hybrid);
}

constexpr int kRanksOfTable = 8;

ExhibitResult figure_10(PaperContext& context) {
  const std::vector<SharedCacheMisses> misses = simulated(context, {kSizes.begin(), kSizes.end()});
  ExhibitResult result;
  for (const CountedApplication& application : kApplications) {
    const double ours = improvement_of(application.shares, misses);
    const std::string what = fmt::format("{}: fewer misses of its messages", application.name);
    result.rows.push_back(application.is_better ? claim_row(what, "fewer", ours, AxisUnit::kShare, ours > 0)
                                                : our_row(what, ours, AxisUnit::kShare));
  }
  for (const StandIn& program : stand_ins()) {
    const double ours = improvement_of(message_shares(context, program, kRanksOfTable), misses);
    result.rows.push_back(our_row(
        fmt::format("{}, in the place of {}: fewer misses of its messages", program.program, program.stands_for), ours,
        AxisUnit::kShare));
  }
  result.why =
      "Of the messages only, not of the applications, which are not run: each column of table 1 stands for one "
      "size (512 bytes, 8K, 128K, 1M), and windows of 64 such messages go through the simulated cache of figure 4. "
      "Where most messages are long, single copy saves the pool's lines; the share that an application saves is "
      "smaller by as much as it misses itself. The last rows have the messages that programs in their place were "
      "counted to send (table 1).";
  return result;
}

const CountedApplication& application_named(std::string_view name) {
  return *std::ranges::find(kApplications, name,
                            [](const CountedApplication& one) { return std::string_view(one.name); });
}

ExhibitResult table_1(PaperContext& context) {
  constexpr std::array<const char*, 4> kColumns{"< 1K", "1K-32K", "32K-1M", "> 1M"};
  ExhibitResult result;
  for (const CountedApplication& application : kApplications) {
    const double sum = std::accumulate(application.shares.begin(), application.shares.end(), 0.0);
    result.rows.push_back(number_row(fmt::format("{}: sum of its shares", application.name), 1, sum, AxisUnit::kShare));
  }
  for (const StandIn& program : stand_ins()) {
    const MessageShares ours = message_shares(context, program, kRanksOfTable);
    for (std::size_t i = 0; i < kColumns.size(); ++i) {
      result.rows.push_back(
          number_row(fmt::format("{}, {} in its place: {}", program.stands_for, program.program, kColumns.at(i)),
                     application_named(program.stands_for).shares.at(i), ours.at(i), AxisUnit::kShare, 0.005));
    }
  }
  result.why =
      "The table as data, which figure 10 uses, and what the preload library counts in four programs of "
      "examples/programs among 8 ranks of this machine. These programs do what their namesakes do, with messages of "
      "other sizes and numbers: NAS's CG exchanges parts of vectors where ours gathers a whole one, and HPL swaps "
      "rows. "
      "A collective counts as in docs/profiling.md.";
  return result;
}

}  // namespace

Exhibits caches() {
  return {{.kind = ExhibitKind::kTable,
           .number = "1",
           .caption = "message size distribution of the applications",
           .where = {"src/papers/chai/exhibits/caches.cpp#kApplications",
                     "src/papers/chai/applications.cpp#message_shares"},
           .source = ExhibitSource::kMeasured,
           .duration = 20,
           .command = "postage run --stats -- mpirun -n 8 --oversubscribe ./fft_2d",
           .compute = table_1},
          {.kind = ExhibitKind::kFigure,
           .number = "4",
           .caption = "L2 cache misses of the benchmark of figure 3, by simulated caches",
           .where = {"src/bench/shared_cache.cpp#simulate_shared_cache", "src/bench/programs/shm_traced_main.cpp"},
           .source = ExhibitSource::kSimulated,
           .duration = 45,
           .compute = figure_4},
          {.kind = ExhibitKind::kFigure,
           .number = "10",
           .caption = "L2 cache misses of the applications' messages, by simulated caches",
           .where = {"src/bench/shared_cache.cpp#simulate_shared_cache",
                     "src/papers/chai/exhibits/caches.cpp#kApplications"},
           .source = ExhibitSource::kSimulated,
           .duration = 35,
           .compute = figure_10}};
}

}  // namespace postage::chai_paper
