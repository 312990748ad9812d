#include <postage/base/error.hpp>
#include <postage/tuning/library.hpp>

#include <gtest/gtest.h>

#include <array>

namespace postage {
namespace {

constexpr std::array kLibraries{TuningTarget::kOpenMpi, TuningTarget::kMpich, TuningTarget::kUcc,
                                TuningTarget::kIntelMpi, TuningTarget::kSmpi};

TEST(Library, EveryRowsScheduleExistsAndTakesWhatTheRowSays) {
  for (const TuningTarget target : kLibraries) {
    EXPECT_FALSE(library_algorithms(target).empty()) << name_of(target);
    for (const LibraryAlgorithm& row : library_algorithms(target)) {
      EXPECT_FALSE(row.name.empty());
      if (row.ours.empty()) {
        continue;
      }
      const Algorithm& ours = find_algorithm(row.collective, row.ours);
      ScheduleRequest request{.ranks = 2, .bytes = row.collective == Collective::kBarrier ? 0 : 64};
      request.element_bytes = row.collective == Collective::kBarrier ? 1 : 8;
      request.parameters = row.fixed_parameters;
      if (!row.fan_out.empty()) {
        request.parameters[std::string(row.fan_out)] = 2;
      }
      EXPECT_NO_THROW(static_cast<void>(build_schedule(ours, request))) << name_of(target) << " " << row.name;
    }
  }
}

ScheduleRequest decided(Collective collective, std::string_view name, Rank ranks, Bytes bytes) {
  ScheduleRequest request{.ranks = ranks, .bytes = bytes};
  find_library_algorithm(TuningTarget::kSmpi, {3, 32, 0}, collective, name)->decides(request);
  return request;
}

/// By hand from the lines in SimGrid's sources: 2 MiB are 5.49, 6.14 and 15.5 ranks.
TEST(Library, KnowsTheSegmentsThatSmpiChoosesItself) {
  constexpr Bytes kTwoMebibytes = 2 << 20;
  const auto bcast = [](Rank ranks, Bytes bytes) {
    return decided(Collective::kBcast, "ompi_pipeline", ranks, bytes).segment_bytes;
  };
  EXPECT_EQ(bcast(5, kTwoMebibytes), 131072);
  EXPECT_EQ(bcast(6, kTwoMebibytes), 65536);
  EXPECT_EQ(bcast(8, kTwoMebibytes), 16384);
  EXPECT_EQ(bcast(16, kTwoMebibytes), 131072);
  const auto reduce = [](Rank ranks, Bytes bytes) {
    return decided(Collective::kReduce, "ompi_pipeline", ranks, bytes).segment_bytes;
  };
  EXPECT_EQ(reduce(12, 8), 1024);        // above 9.71
  EXPECT_EQ(reduce(8, 1 << 20), 32768);  // above 5.06
  EXPECT_EQ(reduce(5, 1 << 20), 65536);
  EXPECT_EQ(decided(Collective::kReduce, "ompi_chain", 7, 8).parameters.at("chains"), 3);
}

TEST(Library, OneNumberIsOneAlgorithmOfARelease) {
  for (const TuningTarget target : kLibraries) {
    const auto rows = library_algorithms(target);
    for (const LibraryAlgorithm& a : rows) {
      for (const LibraryAlgorithm& b : rows) {
        const bool meet =
            &a != &b && a.collective == b.collective && a.since < b.before && b.since < a.before && a.ranks == b.ranks;
        EXPECT_FALSE(meet && a.number >= 0 && a.number == b.number)
            << name_of(target) << " " << a.name << " " << b.name;
        EXPECT_FALSE(meet && a.name == b.name) << name_of(target) << " " << a.name;
      }
    }
  }
}

TEST(Library, AgreesWithTheCounterpartsOfTheSchedules) {
  for (const Algorithm& ours : algorithms()) {
    const auto number = ours.counterparts.open_mpi;
    if (number > 0) {
      const LibraryAlgorithm* const row =
          find_library_algorithm(TuningTarget::kOpenMpi, {4, 1, 4}, ours.collective, "", ours.name);
      ASSERT_NE(row, nullptr) << ours.name;
      EXPECT_EQ(row->number, number) << ours.name;
    }
    if (!ours.counterparts.mpich.empty()) {
      EXPECT_NE(find_library_algorithm(TuningTarget::kMpich, {4, 0, 2}, ours.collective, ours.counterparts.mpich),
                nullptr)
          << ours.name;
    }
  }
}

TEST(Library, KnowsWhichReleaseHasWhat) {
  EXPECT_EQ(find_library_algorithm(TuningTarget::kMpich, {4, 0, 2}, Collective::kAllreduce, "ring"), nullptr);
  EXPECT_NE(find_library_algorithm(TuningTarget::kMpich, {4, 1, 0}, Collective::kAllreduce, "ring"), nullptr);
  EXPECT_EQ(find_library_algorithm(TuningTarget::kMpich, {4, 0, 2}, Collective::kAlltoall, "pairwise", "", 6)->ours,
            "pairwise");
  EXPECT_EQ(find_library_algorithm(TuningTarget::kMpich, {4, 0, 2}, Collective::kAlltoall, "pairwise", "", 8)->ours,
            "pairwise-xor");
  EXPECT_EQ(known_algorithms(TuningTarget::kOpenMpi, {4, 1, 4}, Collective::kAllgather).size(), 5U);
  EXPECT_TRUE(library_algorithms(TuningTarget::kPreload).empty());
}

TEST(Library, ReadsVersions) {
  EXPECT_EQ(parse_library_version("4.1.4"), (LibraryVersion{4, 1, 4}));
  EXPECT_EQ(parse_library_version("5.0.7rc1"), (LibraryVersion{5, 0, 7}));
  EXPECT_EQ(parse_library_version("3"), (LibraryVersion{3, 0, 0}));
  EXPECT_EQ(format_version(parse_library_version("2021.10")), "2021.10.0");
  EXPECT_EQ(parse_library_version("4.2b1"), (LibraryVersion{4, 2, 0}));
  EXPECT_EQ(parse_library_version("4.1.4-3"), (LibraryVersion{4, 1, 4}));
  EXPECT_EQ(parse_library_version("4.1.x"), (LibraryVersion{4, 1, 0}));
  for (const char* const none : {"new", "-1.2", "", "1e999", "4.1e3", "4.", "4..1", "4.99999999999", "4.1.4."}) {
    EXPECT_THROW(static_cast<void>(parse_library_version(none)), UsageError) << none;
  }
  EXPECT_EQ(parse_tuning_target("ucc"), TuningTarget::kUcc);
  EXPECT_THROW(static_cast<void>(parse_tuning_target("lam")), UsageError);
}

}  // namespace
}  // namespace postage
