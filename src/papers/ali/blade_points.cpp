#include "papers/ali/blade_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace postage::ali_paper {
namespace {

constexpr Rank kBlade = 16;

constexpr Bytes kSmallestData = 64;
constexpr Bytes kLargestData = 32 * 1024;

/// An algorithm of Tables 2-5.
struct TableRow {
  const char* collective;
  const char* formula;
  const char* name;  ///< the paper's
  bool on_one_chip = true;
};

constexpr std::array<TableRow, 4> kBarriers{{
    {"barrier", "ali-barrier-recursive-doubling", "recursive doubling"},
    {"barrier", "ali-barrier-bruck", "Bruck"},
    {"barrier", "ali-barrier-gather-broadcast", "gather-broadcast"},
    {"barrier", "ali-barrier-one-to-all", "one-to-all"},
}};

constexpr std::array<TableRow, 11> kRows{{
    {"bcast", "ali-bcast-one-to-all", "broadcast one-to-all"},
    {"bcast", "ali-bcast-binomial-simple", "broadcast binomial-simple"},
    {"bcast", "ali-bcast-binomial-opt", "broadcast binomial-opt"},
    {"bcast", "ali-bcast-segmented-binomial", "broadcast segmented-binomial"},
    {"bcast", "ali-bcast-hybrid-segmented", "broadcast hybrid-segmented", false},
    {"allgather", "ali-allgather-recursive-doubling", "all-gather recursive doubling"},
    {"reduce", "ali-reduce-binomial", "reduce binomial"},
    {"reduce", "ali-reduce-scatter-gather", "reduce reduce-scatter + gather"},
    {"allreduce", "ali-allreduce-recursive-doubling", "all-reduce recursive doubling"},
    {"allreduce", "ali-allreduce-reduce-scatter-allgather", "all-reduce reduce-scatter + all-gather"},
    {"allreduce", "ali-allreduce-reduce-scatter-gather-bcast", "all-reduce reduce-scatter + gather + broadcast"},
}};

constexpr std::array<TableRow, 3> kHybrids{{
    {"allgather", "ali-allgather-hybrid", "all-gather hybrid"},
    {"allreduce", "ali-allreduce-hybridA", "all-reduce hybridA"},
    {"allreduce", "ali-allreduce-hybridB", "all-reduce hybridB"},
}};

/// Rounds that may switch to recursive doubling on 16 SPEs, but the first, with which nothing else comes before.
constexpr Index kFirstSwitch = 2;
constexpr Index kLastSwitch = 4;

/// Segmented broadcasts are the paper's where each message waits for the acknowledgement of the one before.
bool has_setting(const Formula& formula, std::string_view name) {
  const Algorithm& algorithm = find_algorithm(parse_collective(formula.collective), formula.algorithm);
  return std::any_of(algorithm.parameters.begin(), algorithm.parameters.end(),
                     [&](const AlgorithmParameter& parameter) { return parameter.name == name; });
}

class PointList {
 public:
  void add_barriers(const TableRow& row) {
    for (Rank ranks = 2; ranks <= kBlade; ++ranks) {
      points_.push_back({.series = fmt::format("barrier {}", row.name),
                         .formula = &find_formula(row.collective, row.formula),
                         .ranks = ranks});
    }
  }

  void add_sizes(const TableRow& row, Rank ranks, const std::string& name, ParameterValues settings) {
    const Formula& formula = find_formula(row.collective, row.formula);
    if (has_setting(formula, "acknowledged")) {
      settings["acknowledged"] = 1;
    }
    for (Bytes bytes = kSmallestData; bytes <= kLargestData; bytes *= 2) {
      points_.push_back({fmt::format("{}, {}", name, ranks == kSpesOfChip ? "one chip" : "two chips"), &formula, ranks,
                         bytes, settings});
    }
  }

  [[nodiscard]] std::vector<StudyPoint> take() { return std::move(points_); }

 private:
  std::vector<StudyPoint> points_;
};

}  // namespace

std::vector<StudyPoint> study_points() {
  PointList list;
  for (const TableRow& row : kBarriers) {
    list.add_barriers(row);
  }
  for (const TableRow& row : kRows) {
    if (row.on_one_chip) {
      list.add_sizes(row, kSpesOfChip, row.name, {});
    }
    list.add_sizes(row, kBlade, row.name, {});
  }
  for (const TableRow& row : kHybrids) {
    for (Index x = kFirstSwitch; x <= kLastSwitch; ++x) {
      list.add_sizes(row, kBlade, fmt::format("{}-{}-{}", row.name, x, kBlade >> (x - 1)), {{"x", x}});
    }
  }
  return list.take();
}

std::string drawn_name(const std::string& series) {
  std::string name = series.substr(series.find(' ') + 1);
  for (const auto& [words, instead] :
       {std::pair{"reduce-scatter", "RS"}, std::pair{" chips", ""}, std::pair{" chip", ""}}) {
    if (const auto at = name.find(words); at != std::string::npos) {
      name.replace(at, std::string_view(words).size(), instead);
    }
  }
  return name;
}

std::string points_file(const std::vector<StudyPoint>& points) {
  std::string text;
  for (const StudyPoint& point : points) {
    text += fmt::format("{} {}:{}:{}", point.ranks, point.formula->collective, point.formula->algorithm, point.bytes);
    for (const auto& [name, value] : point.settings) {
      text += fmt::format(" {}={}", name, value);
    }
    text += "\n";
  }
  return text;
}

}  // namespace postage::ali_paper
