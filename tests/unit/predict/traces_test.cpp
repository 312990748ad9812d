#include <postage/base/error.hpp>
#include <postage/predict/given_parameters.hpp>
#include <postage/predict/timeline/timeline.hpp>
#include <postage/predict/traces/goal.hpp>
#include <postage/predict/traces/play_trace.hpp>
#include <postage/schedule/algorithms.hpp>

#include <gtest/gtest.h>

#include <random>

namespace postage {
namespace {

Model logp_like() {
  const std::vector<std::string> channels{kAllChannels};
  return build_model(parse_parameters("loggp", "L=5us,o=1us,g=2us,G=1ns"), channels);
}

TraceTimes played(std::string_view text) {
  return play_trace(read_goal(text), ChannelMap::single_channel(), logp_like());
}

std::string mistake_of(std::string_view text) {
  try {
    static_cast<void>(played(text));
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Goal, ReadsWhatLogGopSimWrites) {
  const Trace trace = read_goal(
      "num_ranks 2\n\nrank 0 {\nl1: calc 100 cpu 0\nl2: send 10b to 1 tag 3 cpu 0 nic 0 // to the other\nl2 requires "
      "l1\n}\n"
      "rank 1 { /* waits */ l1: recv 10b from 0 tag 3\nl2: calc 200 cpu 1\nl2 irequires l1 }\n");
  ASSERT_EQ(trace.ranks.size(), 2U);
  EXPECT_EQ(trace.operations(), 4U);
  EXPECT_EQ(trace.ranks[0].operations[1].bytes, 10);
  EXPECT_EQ(trace.ranks[0].operations[1].tag, 3U);
  EXPECT_EQ(trace.ranks[1].operations[1].processor, 1U);
  EXPECT_TRUE(trace.ranks[1].dependencies[0].of_start);
}

TEST(Goal, IsWrittenAsItIsRead) {
  const std::string text =
      "num_ranks 2\nrank 0 {\nl1: calc 100\nl2: send 10b to 1 tag 3 cpu 2\nl2 requires l1\n}\nrank 1 {\nl1: recv 10b "
      "from 0 tag 3\n}\n";
  EXPECT_EQ(goal_text(read_goal(text)), text);
}

TEST(Goal, NamesTheLineOfAMistake) {
  EXPECT_EQ(mistake_of(""), "line 1: the text ends where 'num_ranks' is expected");
  EXPECT_EQ(mistake_of("num_ranks 99999999"),
            "line 1: num_ranks is 99999999, but a text of 18 bytes describes no more than 2; give every rank its 'rank "
            "N { }'");
  EXPECT_NE(mistake_of("num_ranks 1\nrank 0 {\nl1: send 8 to 0\n}").find("line 3: the size '8'"), std::string::npos);
  EXPECT_NE(mistake_of("num_ranks 1\nrank 0 {\nl1: send 8b to 7\n}").find("line 3: the rank '7'"), std::string::npos);
  EXPECT_NE(mistake_of("num_ranks 1\nrank 0 {\nl1: send -8b to 0\n}").find("line 3"), std::string::npos);
  EXPECT_NE(mistake_of("num_ranks 1\nrank 0 {\nl1: calc 1e3\n}").find("line 3"), std::string::npos);
  EXPECT_NE(mistake_of("num_ranks 1\nrank 0 {\nl1: calc 99999999999999999999\n}").find("line 3"), std::string::npos);
  EXPECT_NE(mistake_of("num_ranks 1\nrank 0 {\nl1: calc 1\nl1: calc 1\n}").find("two operations"), std::string::npos);
  EXPECT_NE(mistake_of("num_ranks 1\nrank 0 {\nl1 requires l2\n}").find("no operation above"), std::string::npos);
  EXPECT_NE(mistake_of("num_ranks 2\nrank 0 {}\nrank 0 {}").find("twice"), std::string::npos);
  EXPECT_NE(mistake_of("num_ranks 1\nrank 0 {\nl1: calc 1").find("ends"), std::string::npos);
  EXPECT_NE(mistake_of("num_ranks 1 /* rank 0").find("does not end"), std::string::npos);
  EXPECT_NE(mistake_of("num_ranks 1 rank 0 { \x01\xff: }").find("line 1"), std::string::npos);
}

TEST(Goal, SurvivesAnyText) {
  const std::string good =
      "num_ranks 2\nrank 0 {\nl1: calc 100\nl2: send 10b to 1 tag 3 cpu 2\nl2 requires l1\n}\nrank 1 {\nl1: recv 10b "
      "from 0 tag 3\n}\n";
  std::mt19937 random(20240229);
  for (int i = 0; i < 3000; ++i) {
    std::string text = good;
    for (int change = 0; change < 3; ++change) {
      const std::size_t at = random() % text.size();
      switch (random() % 3) {
        case 0:
          text[at] = static_cast<char>(random());
          break;
        case 1:
          text.erase(at, random() % 9);
          break;
        default:
          text.insert(at, good.substr(random() % good.size(), random() % 9));
      }
      text += text.empty() ? " " : "";
    }
    static_cast<void>(mistake_of(text));
  }
}

TEST(PlayTrace, SumsWhatAModelSaysOfAMessage) {
  const TraceTimes times =
      played("num_ranks 2 rank 0 { a: calc 10000 b: send 1001b to 1 b requires a } rank 1 { r: recv 1001b from 0 }");
  // 10 us of computing, then o + (m-1) G + L + o.
  EXPECT_NEAR(times.finish[0], 11e-6, 1e-12);
  EXPECT_NEAR(times.finish[1], 10e-6 + 1e-6 + 1e-6 + 5e-6 + 1e-6, 1e-12);
  EXPECT_NEAR(times.computing[0], 10e-6, 1e-12);
}

TEST(PlayTrace, OverlapsComputingWithAReceive) {
  const std::string sender =
      "num_ranks 2 rank 0 { c: calc 50000 s: send 1b to 1 s requires c } rank 1 { r: recv 1b from 0 ";
  EXPECT_NEAR(played(sender + "c: calc 40000 c requires r }").seconds(), 57e-6 + 40e-6, 1e-12);
  EXPECT_NEAR(played(sender + "c: calc 40000 c irequires r }").seconds(), 57e-6, 1e-12);
}

TEST(PlayTrace, MeetsMessagesByTagAndInOrder) {
  EXPECT_NEAR(played("num_ranks 2 rank 0 { a: send 1b to 1 tag 1 b: send 1b to 1 tag 2 b requires a }"
                     "rank 1 { x: recv 1b from 0 tag 2 y: recv 1b from 0 tag 1 y requires x }")
                  .seconds(),
              2e-6 + 7e-6 + 1e-6, 1e-12);
}

TEST(PlayTrace, SaysWhyATraceDoesNotEnd) {
  EXPECT_EQ(mistake_of("num_ranks 2 rank 0 { } rank 1 { x: recv 1b from 0 tag 2 }"),
            "the trace does not end: rank 1 waits for a message of tag 2 from rank 0, which does not send it");
  EXPECT_EQ(mistake_of("num_ranks 1 rank 0 { a: calc 1 b: calc 1 a requires b b requires a }"),
            "the trace does not end: operations of rank 0 wait for each other in a circle");
}

/// A schedule as a trace: each round's sends and receives follow those of the round before.
Trace trace_by_hand(const Schedule& schedule) {
  Trace trace{std::vector<RankTrace>(static_cast<std::size_t>(schedule.ranks))};
  for (Rank rank = 0; rank < schedule.ranks; ++rank) {
    RankTrace& own = trace.ranks[static_cast<std::size_t>(rank)];
    std::vector<std::uint32_t> before;
    for_each_rank_round(schedule, rank, [&](const RankRound& round) {
      std::vector<std::uint32_t> now;
      const auto add = [&](TraceKind kind, Rank peer, Bytes bytes) {
        const auto number = static_cast<std::uint32_t>(own.operations.size());
        own.operations.push_back({.kind = kind, .peer = peer, .bytes = bytes});
        for (const std::uint32_t on : before) {
          own.dependencies.push_back({number, on, false});
        }
        now.push_back(number);
      };
      for (const Transfer& send : round.sends) {
        add(TraceKind::kSend, send.target, send.bytes);
      }
      for (const Transfer& receive : round.receives) {
        add(TraceKind::kReceive, receive.source, receive.bytes);
      }
      before = now;
    });
  }
  return trace;
}

TEST(PlayTrace, IsTheTimelineOfASchedule) {
  for (const auto& [collective, algorithm] :
       {std::pair{Collective::kBcast, "binomial"}, std::pair{Collective::kAllreduce, "recursive-doubling"},
        std::pair{Collective::kAllgather, "ring"}, std::pair{Collective::kBarrier, "dissemination"}}) {
    const Schedule schedule = build_schedule(find_algorithm(collective, algorithm),
                                             {.ranks = 16, .bytes = collective == Collective::kBarrier ? 0 : 4096});
    const Timeline timeline = play(schedule, ChannelMap::single_channel(), logp_like());
    const TraceTimes times = play_trace(trace_by_hand(schedule), ChannelMap::single_channel(), logp_like());
    EXPECT_NEAR(times.seconds(), timeline.seconds(), 1e-9 * timeline.seconds()) << algorithm;
  }
}

}  // namespace
}  // namespace postage
