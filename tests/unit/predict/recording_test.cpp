#include <postage/base/error.hpp>
#include <postage/model/model.hpp>
#include <postage/predict/given_parameters.hpp>
#include <postage/predict/timeline/timeline.hpp>
#include <postage/predict/traces/goal.hpp>
#include <postage/predict/traces/play_trace.hpp>
#include <postage/predict/traces/recording.hpp>
#include <postage/schedule/algorithms.hpp>

#include <gtest/gtest.h>

#include <random>

namespace postage {
namespace {

const std::string kExchange =
    "postage recording 1\nranks 2\nrank 0\nt 1000\nS 1 7 100 55\nr 1 -1 100 0\nw 55\nrank 1\nR -1 7 100 9\nS 0 8 100 "
    "55\nt 500\nw 9 55\n";

Seconds seconds_of(const Recording& recording) {
  const std::vector<std::string> channels{kAllChannels};
  const Model model = build_model(parse_parameters("loggp", "L=5us,o=1us,g=2us,G=1ns"), channels);
  return play_trace(trace_of(recording), ChannelMap::single_channel(), model).seconds();
}

std::string mistake_in_recording(const std::string& text) {
  try {
    static_cast<void>(seconds_of(read_recording(text)));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Recording, BecomesMessagesThatMeet) {
  const Trace trace = trace_of(read_recording(kExchange));
  EXPECT_EQ(trace.operations(), 6U);
  EXPECT_EQ(trace.ranks[1].operations[0].peer, 0);  // found, though any source was asked for
  EXPECT_EQ(trace.ranks[1].operations[0].tag, trace.ranks[0].operations[1].tag);
  EXPECT_NEAR(seconds_of(read_recording(kExchange)), 1e-6 + 1e-6 + 99e-9 + 5e-6 + 1e-6, 1e-12);
  EXPECT_EQ(goal_text(read_goal(goal_text(trace))), goal_text(trace));
}

TEST(Recording, TakesCollectivesAsTheirAlgorithms) {
  std::string text = "postage recording 1\nranks 4\n";
  for (int rank = 0; rank < 4; ++rank) {
    text += "rank " + std::to_string(rank) + "\ng 3 2 1 0\nc Bcast 0 3 4096 0\n";
  }
  const Schedule schedule = build_schedule(find_algorithm(Collective::kBcast, "binomial"), {.ranks = 4, .bytes = 4096});
  const std::vector<std::string> channels{kAllChannels};
  const Model model = build_model(parse_parameters("loggp", "L=5us,o=1us,g=2us,G=1ns"), channels);
  EXPECT_NEAR(seconds_of(read_recording(text)), play(schedule, ChannelMap::single_channel(), model).seconds(), 1e-12);
}

TEST(Recording, TakesEveryCollective) {
  for (const char* call :
       {"Barrier 0 -1 0 0", "Reduce 0 0 64 0", "Allreduce 0 -1 100000 0", "Allgather 0 -1 64 0",
        "Allgatherv 0 -1 64 192", "Gather 0 2 64 0", "Gatherv 0 2 64 0", "Scatter 0 1 64 0", "Scatterv 0 1 0 64",
        "Alltoall 0 -1 64 0", "Alltoallv 0 -1 3 3 1 1 1", "Reduce_scatter 0 -1 192 64",
        "Reduce_scatter_block 0 -1 64 0", "Scan 0 -1 64 0", "Exscan 0 -1 64 0", "Iallreduce 0 -1 64 0"}) {
    std::string text = "postage recording 1\nranks 3\n";
    for (int rank = 0; rank < 3; ++rank) {
      text += "rank " + std::to_string(rank) + "\ng 0 1 2\nc " + call + "\n";
    }
    EXPECT_EQ(mistake_in_recording(text), "") << call;
    EXPECT_GT(seconds_of(read_recording(text)), 0) << call;
  }
}

TEST(Recording, IsWrittenForSmpi) {
  const std::vector<std::string> expected{
      "0 init\n0 compute 1000\n0 isend 1 0 100 6\n0 recv 1 0 100 6\n0 wait 0 1 0\n0 finalize\n",
      "1 init\n1 irecv 0 0 100 6\n1 isend 0 0 100 6\n1 compute 500\n1 wait 0 1 0\n1 wait 1 0 0\n1 finalize\n"};
  EXPECT_EQ(time_independent_texts(read_recording(kExchange)), expected);
}

TEST(Recording, NamesTheLineOfAMistake) {
  EXPECT_NE(mistake_in_recording("GOAL").find("line 1"), std::string::npos);
  EXPECT_NE(mistake_in_recording("postage recording 1\n").find("'ranks'"), std::string::npos);
  EXPECT_NE(mistake_in_recording("postage recording 1\nranks 1\nt 5\n").find("line 3"), std::string::npos);
  EXPECT_NE(mistake_in_recording("postage recording 1\nranks 1\nrank 0\ns 4 0 0 0\n").find("line 4"),
            std::string::npos);
  EXPECT_NE(mistake_in_recording("postage recording 1\nranks 1\nrank 0\nc Bcast 0 0 0 0\n").find("line 4"),
            std::string::npos);
  EXPECT_NE(mistake_in_recording("postage recording 1\nranks 1\nrank 0\ng 0\nc Jump 0 0 0 0\n").find("no collective"),
            std::string::npos);
  EXPECT_NE(
      mistake_in_recording("postage recording 1\nranks 2\nrank 0\ng 0 1\nc Barrier 0 -1 0 0\n").find("do not call"),
      std::string::npos);
}

TEST(Recording, SurvivesAnyText) {
  std::mt19937 random(20240229);
  for (int i = 0; i < 2000; ++i) {
    std::string text = kExchange;
    for (int change = 0; change < 3; ++change) {
      const std::size_t at = 20 + random() % (text.size() - 20);
      (random() % 2 == 0) ? text[at] = static_cast<char>(random()) : text.erase(at, random() % 5)[0];
    }
    static_cast<void>(mistake_in_recording(text));
  }
}

}  // namespace
}  // namespace postage
