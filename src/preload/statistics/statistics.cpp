#include "preload/statistics/statistics.hpp"

#include "preload/job.hpp"
#include "preload/settings/settings.hpp"
#include "preload/statistics/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace postage::preload {
namespace {

/// "3\n" before the counts: the rank's node.
Counts split(const std::string& text, std::int32_t& nodes) {
  const std::size_t end = text.find('\n');
  nodes = std::max(nodes, static_cast<std::int32_t>(std::stol(text.substr(0, end))) + 1);
  return counts_of(text.substr(end + 1));
}

}  // namespace

Statistics::Statistics(const JobRank& job) : job_(job), began_(now()) {}

void Statistics::finish(const GatherText& gather) {
  Counts own = profile_.counts();
  own.program = now() - began_;
  const std::vector<std::string> texts = gather(fmt::format("{}\n{}", job_.node, text_of(own)));
  if (job_.rank != 0) {
    return;
  }
  std::vector<Counts> ranks;
  std::int32_t nodes = 1;
  for (const std::string& text : texts) {
    ranks.push_back(split(text, nodes));
  }
  const Summary summary = summarise(job_, nodes, ranks);
  if (settings().prints_statistics) {
    std::fputs(table_of(summary).c_str(), stderr);
  }
  if (const auto& file = settings().statistics_file) {
    write_text(*file, json_of(summary));
  }
}

}  // namespace postage::preload
