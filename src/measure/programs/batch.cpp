#include <postage/base/entries.hpp>
#include <postage/base/error.hpp>
#include <postage/measure/batch.hpp>

#include <fmt/format.h>

#include <sstream>

namespace postage {

BatchPoint parse_batch_point(const std::string& line) {
  std::istringstream words(line);
  BatchPoint point;
  std::string run;
  std::string rest;
  if (!(words >> point.ranks >> run) || point.ranks < 1 || words >> rest) {
    throw UsageError(fmt::format("'{}' is not RANKS RUN, like 16 bcast:binomial:64K", line));
  }
  point.run = parse_collective_run(run);
  if (point.run.ranks > 0) {
    throw UsageError(fmt::format("'{}' says twice how many ranks: leave out ranks=", line));
  }
  return point;
}

std::vector<BatchPoint> parse_batch(const std::string& text, const std::string& source) {
  return parse_entries<BatchPoint>(text, source, parse_batch_point);
}

std::string format_batch(const std::vector<BatchPoint>& points) {
  std::string text;
  for (const BatchPoint& point : points) {
    text += fmt::format("{} {}\n", point.ranks, format_collective_run(point.run));
  }
  return text;
}

}  // namespace postage
