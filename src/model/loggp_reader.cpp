#include "model/loggp_reader.hpp"

#include <utility>
#include <vector>

namespace postage {

LogGPLink read_loggp(const GroupReader& group) {
  return {group.value("L"), group.value("o_s"), group.value("o_r"), group.value("g"), group.value("G")};
}

CostSurface read_contention(const GroupReader& group) {
  CostSurface contention = group.surface("C");
  if (contention.rows().front().at <= 1) {
    return contention;
  }
  std::vector<CostSurface::Row> rows{{1, CostCurve()}};
  rows.insert(rows.end(), contention.rows().begin(), contention.rows().end());
  return CostSurface(std::move(rows));
}

}  // namespace postage
