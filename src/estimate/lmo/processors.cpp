#include "estimate/lmo/lmo_times.hpp"
#include "estimate/regression/two_columns.hpp"

#include <postage/base/statistics.hpp>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

// The system of one processor i. Each experiment to j and then k gives one equation:
//
//   M = 0                        T_i(0) - max(T_ij(0), T_ik(0)) = C_i
//   M > 0, second reply last     T_i(M) - T_ik(M)               = C_i + M t_i
//   M > 0, first reply last      T_i(M) - T_ij(M)               = C_i
//
// The second reply is last where T_ik(M) + M t_i >= T_ij(M): always where T_ik(M) >= T_ij(M), as in one of each
// triplet's two orders, else as t_i decides, which the sure equations give first. All equations are solved at once by
// weighted least squares; a weight is the inverse variance of the two times in it. That is better than the average of
// what each triplet gives, since triplets are measured with different precision, and since those with the first reply
// last say nothing of t_i but do of C_i.

namespace postage {
namespace {

/// Half width of a 95 % interval over its standard error.
constexpr double kHalfWidth = 1.959963984540054;
/// Times are not known better than to this share, so that weights stay finite in simulations.
constexpr double kFinest = 1e-5;
constexpr int kMostRounds = 10;

double standard_error(const Estimate& e) {
  const double error = (e.upper - e.lower) / (2 * kHalfWidth);
  return std::isfinite(error) ? error : std::abs(e.value);
}

struct Equation {
  double right = 0;
  double bytes = 0;  ///< of t_i in it
  double experiment_error = 0;
  const Estimate* roundtrip = nullptr;  ///< that was subtracted
};

Equation equation(const LmoTimes::OneToTwo& one, const Estimate& roundtrip, Bytes bytes) {
  return {one.time.value - roundtrip.value, static_cast<double>(bytes), standard_error(one.time), &roundtrip};
}

/// A first t_i from the experiments with the second reply surely last; nothing where there is none.
std::optional<double> first_per_byte(const LmoTimes& times, const std::vector<LmoTimes::OneToTwo>& experiments,
                                     double fixed) {
  std::vector<double> sure;
  for (const LmoTimes::OneToTwo& one : experiments) {
    const double second = times.roundtrip(one.source, one.second, one.bytes)->value;
    if (one.bytes > 0 && second >= times.roundtrip(one.source, one.first, one.bytes)->value) {
      sure.push_back((one.time.value - second - fixed) / static_cast<double>(one.bytes));
    }
  }
  return sure.empty() ? std::nullopt : std::optional(std::max(median(sure), 0.0));
}

std::vector<Equation> equations(const LmoTimes& times, const std::vector<LmoTimes::OneToTwo>& experiments,
                                double per_byte) {
  std::vector<Equation> system;
  for (const LmoTimes::OneToTwo& one : experiments) {
    const Estimate& first = *times.roundtrip(one.source, one.first, one.bytes);
    const Estimate& second = *times.roundtrip(one.source, one.second, one.bytes);
    const bool is_second_last = second.value + per_byte * static_cast<double>(one.bytes) >= first.value;
    system.push_back(is_second_last ? equation(one, second, one.bytes) : equation(one, first, 0));
  }
  return system;
}

struct Solution {
  Eigen::Vector2d value;       ///< C_i, t_i
  Eigen::Vector2d half_width;  ///< of their intervals
};

/// The roundtrip of i and k is in all equations of k, so that errors of equations are not independent: the solution is
/// a linear function of the measured times, and their errors are propagated through it. Where equations contradict each
/// other by more than that, what they scatter counts.
Solution solve(const std::vector<Equation>& system) {
  const auto count = static_cast<Eigen::Index>(system.size());
  double largest = 0;
  for (const Equation& one : system) {
    largest = std::max(largest, one.bytes);
  }
  Eigen::MatrixX2d rows(count, 2);
  Eigen::VectorXd right(count);
  Eigen::VectorXd weight(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const Equation& one = system[static_cast<std::size_t>(i)];
    weight(i) = 1 / std::hypot(one.experiment_error, standard_error(*one.roundtrip), kFinest * one.roundtrip->value);
    rows.row(i) << weight(i), weight(i) * one.bytes / largest;
    right(i) = weight(i) * one.right;
  }
  const Eigen::Matrix2Xd inverse = pseudo_inverse(rows);
  Eigen::Vector2d value = inverse * right;
  const double degrees = std::max(static_cast<double>(count) - 2, 1.0);
  const double scatter = (rows * value - right).squaredNorm() / degrees;
  Eigen::Vector2d half_width;
  for (Eigen::Index parameter = 0; parameter < 2; ++parameter) {
    std::map<const Estimate*, double> shares;
    double propagated = 0;
    for (Eigen::Index i = 0; i < count; ++i) {
      const Equation& one = system[static_cast<std::size_t>(i)];
      const double share = inverse(parameter, i) * weight(i);
      propagated += std::pow(share * one.experiment_error, 2);
      shares[one.roundtrip] += share;
    }
    for (const auto& [roundtrip, share] : shares) {
      propagated += std::pow(share * standard_error(*roundtrip), 2);
    }
    const double scattered = scatter * inverse.row(parameter).squaredNorm();
    half_width(parameter) =
        std::max(kHalfWidth * std::sqrt(propagated), student_t_quantile(0.975, degrees) * std::sqrt(scattered));
  }
  value(1) /= largest;
  half_width(1) /= largest;
  return {value, half_width};
}

Estimate estimate(double value, double half_width) {
  return at_least_zero({value, value - half_width, value + half_width});
}

/// Nothing where no experiment tells C_i, or none t_i: then the rank takes its channel's.
std::optional<ProcessorEstimate> estimate_processor(const LmoTimes& times,
                                                    const std::vector<LmoTimes::OneToTwo>& experiments) {
  std::vector<double> empty;
  for (const LmoTimes::OneToTwo& one : experiments) {
    if (one.bytes == 0) {
      empty.push_back(equations(times, {one}, 0).front().right);
    }
  }
  if (empty.empty()) {
    return std::nullopt;
  }
  std::optional<double> per_byte = first_per_byte(times, experiments, median(empty));
  if (!per_byte) {
    return std::nullopt;
  }
  Solution solution;
  for (int round = 0; round < kMostRounds; ++round) {
    solution = solve(equations(times, experiments, *per_byte));
    const double before = std::exchange(*per_byte, std::max(solution.value(1), 0.0));
    if (before == *per_byte) {
      break;
    }
  }
  return ProcessorEstimate{estimate(solution.value(0), solution.half_width(0)),
                           estimate(solution.value(1), solution.half_width(1))};
}

/// 1/beta: what is left of a byte's time, which is no less than a small share of it.
Estimate left_for_wire(const Estimate& whole, const ProcessorEstimate& a, const ProcessorEstimate& b) {
  return no_less_than(kLeastWireShare * whole.value, minus(minus(whole, a.per_byte), b.per_byte));
}

/// What a byte takes one way, by least squares of T(M) - T(0) over M.
Estimate per_byte_of(const LmoTimes& times, int a, int b, const std::vector<Bytes>& sizes) {
  const Estimate& empty = *times.roundtrip(a, b, 0);
  double squares = 0;
  double sum = 0;
  double all = 0;
  double variance = 0;
  for (const Bytes bytes : sizes) {
    if (const Estimate* time = times.roundtrip(a, b, bytes)) {
      const auto m = static_cast<double>(bytes);
      squares += m * m;
      all += m;
      sum += m * (time->value - empty.value);
      variance += std::pow(m * standard_error(*time), 2);
    }
  }
  variance += std::pow(all * standard_error(empty), 2);
  const double half_width = kHalfWidth * std::sqrt(variance) / squares;
  return {sum / squares, sum / squares - half_width, sum / squares + half_width};
}

}  // namespace

LmoEstimates estimate_lmo_physically(const LmoTimes& times, const std::vector<Bytes>& sizes) {
  LmoEstimates found;
  const std::set<Bytes> wanted(sizes.begin(), sizes.end());
  for (const int rank : times.sources()) {
    std::vector<LmoTimes::OneToTwo> experiments = times.from(rank);
    std::erase_if(experiments, [&](const auto& one) { return one.bytes > 0 && !wanted.contains(one.bytes); });
    if (const std::optional<ProcessorEstimate> processor = estimate_processor(times, experiments)) {
      found.processors[rank] = *processor;
    }
  }
  for (const PairData& pair : times.campaign().pairs) {
    const auto a = found.processors.find(pair.first);
    const auto b = found.processors.find(pair.second);
    const Estimate* empty = times.roundtrip(pair.first, pair.second, 0);
    const bool has_bytes = std::ranges::any_of(
        sizes, [&](Bytes bytes) { return times.roundtrip(pair.first, pair.second, bytes) != nullptr; });
    if (a == found.processors.end() || b == found.processors.end() || empty == nullptr || !has_bytes) {
      continue;
    }
    found.links[{pair.first, pair.second}] = {
        at_least_zero(minus(minus(scaled(*empty, 0.5), a->second.fixed), b->second.fixed)),
        left_for_wire(per_byte_of(times, pair.first, pair.second, sizes), a->second, b->second)};
  }
  return found;
}

}  // namespace postage
