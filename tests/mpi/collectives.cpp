// Runs every algorithm of the list that can do the number of ranks, on MPI's datatypes and operations, and compares
// with the library's own collectives. Started by mpirun; says which case failed and exits with 1.
#include "mpi/comparison.hpp"
#include "mpi/random_trees.hpp"
#include "support/exhaustive.hpp"

#include <postage/base/error.hpp>
#include <postage/transport/mpi/mpi_program.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace postage {
namespace {

/// Up to so many ranks take part in everything; beyond, each algorithm has only a few cases.
constexpr int kMostForAll = 9;

bool has_blocks(Collective collective) {
  return collective == Collective::kGather || collective == Collective::kScatter ||
         collective == Collective::kAllgather || collective == Collective::kAlltoall ||
         collective == Collective::kReduceScatter;
}

/// The cases of one algorithm.
class Cases {
 public:
  Cases(const TypedData& data, const Algorithm& algorithm, std::size_t number, int ranks)
      : data_(data), algorithm_(algorithm), number_(number), ranks_(ranks) {}

  std::vector<Comparison> make() {
    if (algorithm_.collective == Collective::kBarrier) {
      return {of(0)};
    }
    add_counts();
    add_segments();
    add_uneven();
    if (ranks_ <= kMostForAll) {
      add_roots();
      add_types();
      add_order();
      add_parameters();
      add_large();
    }
    return std::move(cases_);
  }

 private:
  [[nodiscard]] Comparison of(int count) const {
    return {.algorithm = &algorithm_,
            .type = &data_.type("INT"),
            .op = &data_.operation("SUM"),
            .count = count,
            .root = has_root(algorithm_.collective) ? static_cast<int>(cases_.size()) % ranks_ : 0,
            .in_place = cases_.size() % 3 == 1};
  }

  void add_counts() {
    for (const int count : {0, 1, ranks_ - 1, 3 * ranks_ + 1}) {
      cases_.push_back(of(count));
    }
  }

  void add_segments() {
    if (algorithm_.segmentable) {
      for (const Bytes segment : {4, 20, 4096}) {
        Comparison segmented = of(37);
        segmented.segment_bytes = segment;
        cases_.push_back(segmented);
      }
    }
  }

  void add_uneven() {
    for (const bool in_place : {false, true}) {
      for (const Bytes segment : {Bytes{0}, Bytes{algorithm_.segmentable ? 8 : 0}}) {
        Comparison uneven = of(6);
        uneven.uneven = has_blocks(algorithm_.collective);
        uneven.in_place = in_place;
        uneven.segment_bytes = segment;
        cases_.push_back(uneven);
      }
    }
  }

  void add_roots() {
    for (int root = 0; has_root(algorithm_.collective) && root < ranks_; ++root) {
      Comparison rooted = of(5);
      rooted.root = root;
      cases_.push_back(rooted);
    }
  }

  void add_types() {
    const bool all = &algorithm_ == &algorithms_of(algorithm_.collective).front();
    const auto& types = data_.types();
    for (std::size_t i = 0; i < (all ? types.size() : 3); ++i) {
      const TypeUnderTest& type = types[(5 * number_ + 11 * i) % types.size()];
      if (!is_reduction(algorithm_.collective)) {
        add_typed(type, data_.operation("SUM"));
        continue;
      }
      for (const OperationUnderTest& op : data_.operations()) {
        if (op.takes(type.kind) && op.commutative) {
          add_typed(type, op);
        }
      }
    }
  }

  void add_typed(const TypeUnderTest& type, const OperationUnderTest& op) {
    Comparison typed = of(7);
    typed.type = &type;
    typed.op = &op;
    cases_.push_back(typed);
  }

  void add_order() {
    if (is_reduction(algorithm_.collective) && !algorithm_.keeps_order) {
      return;
    }
    for (const char* type : {"two numbers", "two numbers with a gap"}) {
      for (const bool in_place : {false, true}) {
        add_typed(data_.type(type), data_.operation("composition"));
        cases_.back().in_place = in_place;
        cases_.back().segment_bytes = algorithm_.segmentable && in_place ? 16 : 0;
        cases_.back().uneven = has_blocks(algorithm_.collective) && in_place;
      }
    }
  }

  void add_parameters() {
    for (const AlgorithmParameter& parameter : algorithm_.parameters) {
      for (const Index value : {parameter.minimum, parameter.default_value + 1}) {
        cases_.push_back(of(2 * ranks_ + 1));
        cases_.back().parameters.emplace(parameter.name, std::min(value, parameter.maximum));
      }
    }
  }

  /// Beyond what libraries send at once, and beyond what scratch memory keeps apart.
  void add_large() {
    cases_.push_back(of(has_blocks(algorithm_.collective) ? 9001 : 40001));
    cases_.back().in_place = number_ % 2 == 0;
    cases_.back().segment_bytes = algorithm_.segmentable ? 30000 : 0;
  }

  const TypedData& data_;
  const Algorithm& algorithm_;
  std::size_t number_;
  int ranks_;
  std::vector<Comparison> cases_;
};

class Tally {
 public:
  explicit Tally(int rank) : rank_(rank) {}

  void add(const std::string& what, const std::string& mistake) {
    ++cases_;
    if (!mistake.empty()) {
      ++failures_;
      fmt::print(stderr, "rank {}: {}: {}\n", rank_, what, mistake);
    }
  }

  /// The exit status: 0 where something ran and nothing failed on any rank.
  [[nodiscard]] int finish(int ranks) const {
    int all_failures = 0;
    MPI_Allreduce(&failures_, &all_failures, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank_ == 0) {
      fmt::print("{} cases on {} ranks, {} wrong results\n", cases_, ranks, all_failures);
    }
    return cases_ > 0 && all_failures == 0 ? 0 : 1;
  }

 private:
  int rank_;
  int cases_ = 0;
  int failures_ = 0;
};

/// Invalid requests are refused on all ranks, before any message.
template <typename Call>
std::string refuses(const Call& call) {
  try {
    call();
  } catch (const UsageError&) {
    return {};
  }
  return "not refused";
}

void check_refusals(MpiCollectives& collectives, const TypedData& data, Tally& tally) {
  int value = 0;
  tally.add("an unknown algorithm", refuses([&] { collectives.barrier({.algorithm = "magic"}); }));
  tally.add("a negative count", refuses([&] { collectives.bcast(&value, -1, MPI_INT, 0, {.algorithm = "binomial"}); }));
  tally.add("a root that is no rank",
            refuses([&] { collectives.bcast(&value, 1, MPI_INT, 1000, {.algorithm = "binomial"}); }));
  const OperationUnderTest& composition = data.operation("composition");
  const TypeUnderTest& function = data.type("two numbers");
  for (const Algorithm& algorithm : algorithms_of(Collective::kAllreduce)) {
    if (!algorithm.keeps_order) {
      std::array<std::byte, 8> element{};
      tally.add(fmt::format("allreduce {} out of order", algorithm.name), refuses([&] {
                  collectives.allreduce(MPI_IN_PLACE, element.data(), 1, function.type, composition.op,
                                        {.algorithm = algorithm.name});
                }));
    }
  }
}

/// A prime, so that over the algorithms all kinds of cases come up; every algorithm has more cases.
constexpr std::size_t kUsualStep = 7;

/// Every `step`-th case of the algorithms whose name begins with `wanted`.
std::vector<Comparison> cases_to_run(const TypedData& data, int ranks, std::size_t step, std::string_view wanted) {
  std::vector<Comparison> chosen;
  std::size_t number = 0;
  const auto all = algorithms();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string name = fmt::format("{} {}", name_of(all[i].collective), all[i].name);
    if (can_do(all[i], ranks) && name.starts_with(wanted)) {
      for (const Comparison& comparison : Cases(data, all[i], i, ranks).make()) {
        if (number++ % step == 0) {
          chosen.push_back(comparison);
        }
      }
    }
  }
  return chosen;
}

std::size_t step_of(std::size_t asked) {
  return test::is_exhaustive() ? asked : std::max(asked, kUsualStep);
}

int run(std::size_t step, std::string_view wanted) {
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  register_random_trees();
  const TypedData data;
  MpiCollectives collectives(MPI_COMM_WORLD);
  Tally tally(rank);
  check_refusals(collectives, data, tally);
  for (const Comparison& comparison : cases_to_run(data, ranks, step, wanted)) {
    const std::string what = describe(comparison, ranks);
    try {
      tally.add(what, compare(collectives, comparison));
    } catch (const Error& error) {
      throw Error(fmt::format("{}: {}", what, error.what()));
    }
  }
  return tally.finish(ranks);
}

}  // namespace
}  // namespace postage

int main(int argc, char** argv) {
  return postage::run_mpi_program("test-collectives", argc, argv, [&] {
    return postage::run(postage::step_of(argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1), argc > 2 ? argv[2] : "");
  });
}
