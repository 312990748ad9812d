#include "preload/statistics/statistics.hpp"

#include "preload/job.hpp"
#include "preload/settings/agreement.hpp"
#include "preload/statistics/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace postage::preload {
namespace {

/// What a rank tells: its node, its counts and its timed calls, of which each begins in a new part of the text.
constexpr char kPart = '\f';

struct RankStatistics {
  std::int32_t node = 0;
  Counts counts{};
  TimedSeriesByKey timed{};
};

RankStatistics statistics_of(const std::string& text) {
  const std::size_t counts = text.find(kPart) + 1;
  const std::size_t timed = text.find(kPart, counts) + 1;
  return {static_cast<std::int32_t>(std::stol(text)), counts_of(text.substr(counts, timed - 1 - counts)),
          timed_series_of(text.substr(timed))};
}

/// On rank 0.
Summary summary_of(const JobRank& job, const std::vector<std::string>& texts) {
  std::vector<Counts> counts;
  std::vector<TimedSeriesByKey> timed;
  std::vector<std::int32_t> nodes;
  for (const std::string& text : texts) {
    RankStatistics rank = statistics_of(text);
    nodes.push_back(rank.node);
    counts.push_back(std::move(rank.counts));
    timed.push_back(std::move(rank.timed));
  }
  return summarise(job, *std::max_element(nodes.begin(), nodes.end()) + 1, counts, call_times(timed, nodes));
}

}  // namespace

Statistics::Statistics(const JobRank& job) : job_(job), began_(now()) {}

void Statistics::finish(const GatherText& gather) {
  Counts own = profile_.counts();
  own.program = now() - began_;
  const std::vector<std::string> texts =
      gather(fmt::format("{}{}{}{}{}", job_.node, kPart, text_of(own), kPart, text_of(timed_.series())));
  if (job_.rank != 0) {
    return;
  }
  const Summary summary = summary_of(job_, texts);
  if (settings().prints_statistics) {
    std::fputs(table_of(summary).c_str(), stderr);
  }
  if (const auto& file = settings().statistics_file) {
    write_text(*file, json_of(summary));
  }
}

}  // namespace postage::preload
