#pragma once

#include <postage/model/cell_plogp.hpp>
#include <postage/model/flow.hpp>
#include <postage/model/hockney.hpp>
#include <postage/model/lmo.hpp>
#include <postage/model/log_3p.hpp>
#include <postage/model/log_np.hpp>
#include <postage/model/loggp.hpp>
#include <postage/model/loggpc.hpp>
#include <postage/model/loggps.hpp>
#include <postage/model/logp.hpp>
#include <postage/model/model.hpp>
#include <postage/model/plogp.hpp>
#include <postage/model/tau_lop.hpp>
#include <postage/model/two_log.hpp>
#include <postage/platform/mapping.hpp>

#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace postage {

inline double any_time(double scale = 1e-8) {
  return scale * *rc::gen::inRange(1, 1000);
}

/// Grows with the size, by at least 0 and, for the same `scale`, at most as much as others.
inline CostCurve any_curve(double scale = 1e-8) {
  std::vector<CostCurve::Point> points{{0, any_time(scale)}};
  for (int more = *rc::gen::inRange(0, 4); more > 0; --more) {
    points.push_back({points.back().at + *rc::gen::inRange(1, 100000), points.back().value + any_time(scale)});
  }
  return CostCurve(std::move(points));
}

/// `curve` and `other` added up at the points of both, which makes it at least either.
inline CostCurve sum_of(const CostCurve& curve, const CostCurve& other) {
  std::vector<CostCurve::Point> points;
  for (const CostCurve* each : {&curve, &other}) {
    points.insert(points.end(), each->points().begin(), each->points().end());
  }
  std::sort(points.begin(), points.end(), [](const auto& a, const auto& b) { return a.at < b.at; });
  points.erase(std::unique(points.begin(), points.end(), [](const auto& a, const auto& b) { return a.at == b.at; }),
               points.end());
  for (CostCurve::Point& point : points) {
    point.value = curve.at(point.at) + other.at(point.at);
  }
  return CostCurve(std::move(points));
}

/// L(m, tau) between L(m, 1) and tau L(m, 1).
inline CostSurface any_contended_surface(const CostCurve& alone) {
  std::vector<CostSurface::Row> rows{{1, alone}};
  for (int more = *rc::gen::inRange(0, 4); more > 0; --more) {
    const double tau = rows.back().at * 2;
    const double growth = *rc::gen::inRange(100, 200) / 100.0;
    std::vector<CostCurve::Point> points = rows.back().curve.points();
    for (CostCurve::Point& point : points) {
      point.value *= growth;
    }
    rows.push_back({tau, CostCurve(std::move(points))});
  }
  return CostSurface(std::move(rows));
}

/// o_s + o_r <= g <= L + o_s + o_r.
inline LogGPLink any_loggp() {
  LogGPLink link{.send_overhead = any_time(), .receive_overhead = any_time(), .gap_per_byte = any_time(1e-12)};
  link.gap = link.send_overhead + link.receive_overhead + any_time(1e-9);
  link.latency = link.gap - link.send_overhead - link.receive_overhead + any_time();
  return link;
}

inline PLogPLink any_plogp() {
  const CostCurve send = any_curve();
  const CostCurve receive = any_curve();
  return {any_time(), send, receive, sum_of(sum_of(send, receive), any_curve(1e-9))};
}

inline MiddlewareLevel any_level(bool has_network) {
  return {any_curve(), CostSurface({{8, any_curve()}}), has_network ? any_curve(1e-7) : CostCurve()};
}

/// At least as dear as `level` in everything, as a network is.
inline MiddlewareLevel dearer_than(const MiddlewareLevel& level) {
  return {sum_of(level.overhead, any_curve()), CostSurface({{8, sum_of(level.latency->rows()[0].curve, any_curve())}}),
          any_curve(1e-7)};
}

inline TauLopLink any_memory() {
  return {.overhead = any_curve(), .transfer = any_contended_surface(any_curve()), .transfers = 2};
}

template <typename M, typename Link>
M with_link(Link link) {
  M model;
  model.links.set_all_channels({{0, std::move(link)}});
  return model;
}

constexpr double kRounding = 1e-11;

inline void check_equal(Seconds found, Seconds expected) {
  RC_ASSERT(std::abs(found - expected) <= kRounding * std::abs(expected));
}

inline void check_at_most(Seconds found, Seconds most) {
  RC_ASSERT(found <= most * (1 + kRounding));
}

/// `nodes` nodes of `per_node` cores that share a cache; channel 0 within, 1 between.
inline Platform cluster_platform(std::int32_t per_node) {
  Platform platform{.channels = {kSharedCache, kInterNode}, .nodes = {{"n", {}}}};
  for (std::int32_t core = 0; core < per_node; ++core) {
    platform.nodes[0].topology.cores.push_back({core, 0, 0, 0});
  }
  return platform;
}

inline ChannelMap cluster(std::int32_t nodes, std::int32_t per_node) {
  return {cluster_platform(per_node), Mapping::block(nodes, per_node)};
}

inline ChannelMap round_robin_cluster(std::int32_t nodes, std::int32_t per_node) {
  return {cluster_platform(per_node), Mapping::cyclic(nodes, per_node)};
}

}  // namespace postage
