#include "transport/instructions.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

namespace postage {
namespace {

using Kind = Instruction::Kind;

Message message(Rank peer, Memory memory, Bytes offset = 0) {
  return {.peer = peer, .where = {{memory, offset}, 8}};
}

/// A letter for each instruction, waits with their counts.
std::string told(const Program& program) {
  std::string text;
  for (const Instruction& i : instructions_of(program)) {
    switch (i.kind) {
      case Kind::kSend:
        text += "S";
        break;
      case Kind::kReceive:
        text += "R";
        break;
      case Kind::kStartSend:
        text += "s";
        break;
      case Kind::kStartReceive:
        text += "r";
        break;
      case Kind::kWaitForSends:
        text += fmt::format("<{}>", i.count);
        break;
      case Kind::kWaitForReceives:
        text += fmt::format("({})", i.count);
        break;
      case Kind::kRendezvous:
        text += i.is_acknowledged ? "g" : "o";
        break;
      case Kind::kAcknowledge:
        text += "a";
        break;
      case Kind::kCopy:
        text += "c";
        break;
      case Kind::kCombine:
        text += "+";
        break;
    }
  }
  return text;
}

TEST(Instructions, KeepTheOrderOfAStep) {
  Program program;
  const LocalOperation copy{.from = {{Memory::kSend, 0}, 8}, .to = {Memory::kReceive, 0}};
  const LocalOperation combine{.from = {{Memory::kScratch, 0}, 8}, .to = {Memory::kReceive, 0}, .combines = true};
  program.start = {copy};
  program.steps.push_back({.receives = {message(1, Memory::kScratch)},
                           .before_sends = {copy},
                           .sends = {message(1, Memory::kSend), message(2, Memory::kSend)},
                           .meanwhile = {copy},
                           .after = {combine}});
  EXPECT_EQ(told(program), "crcssc(1)+<2>");
  program.steps[0].waits_for_sends = true;
  EXPECT_EQ(told(program), "crcssc(1)<2>+");
  program.waits_before_finish = true;
  program.finish = {copy};
  program.steps[0].waits_for_sends = false;
  EXPECT_EQ(told(program), "crcssc(1)+<2>c");
}

TEST(Instructions, PostReceivesAStepAheadWhereTheyMay) {
  Program program;
  for (int i = 0; i < 3; ++i) {
    program.steps.push_back({.waits_for_earlier_sends = i == 2,
                             .receives_start_early = i > 0,
                             .receives = {message(1, Memory::kReceive, 8 * i)},
                             .sends = {message(1, Memory::kSend)}});
  }
  EXPECT_EQ(told(program), "rsr(1)sr(1)<2>s(1)<1>");
}

TEST(Instructions, BlockWhereAStepDoes) {
  Program program;
  program.steps.push_back({.sends = {message(1, Memory::kSend)}, .uses_blocking_call = true});
  program.steps.push_back({.receives = {message(1, Memory::kReceive)}, .uses_blocking_call = true});
  EXPECT_EQ(told(program), "SR");
}

// A get is two requests at its source: the rendezvous and the acknowledgement.
TEST(Instructions, AcknowledgeGetsWhenTheyHaveArrived) {
  Program program;
  Message from = message(1, Memory::kReceive);
  Message to = message(2, Memory::kSend);
  from.protocol = to.protocol = Protocol::kGet;
  program.steps.push_back({.receives = {from}, .sends = {to}});
  EXPECT_EQ(told(program), "rg(1)a<2>");
  program.steps[0].sends[0].protocol = Protocol::kRendezvous;
  EXPECT_EQ(told(program), "ro(1)a<1>");
  program.steps[0].receives[0].protocol = Protocol::kEager;
  EXPECT_EQ(told(program), "ro(1)<1>");
}

// To wait in the middle of a step for acknowledgements of peers that wait for this rank's would never end.
TEST(Instructions, LetAllGetsOfAStepBeUnderWay) {
  Program program;
  program.steps.resize(1);
  for (Rank peer = 1; peer <= 300; ++peer) {
    program.steps[0].sends.push_back(message(peer, Memory::kSend));
    program.steps[0].sends.back().protocol = Protocol::kGet;
  }
  EXPECT_EQ(told(program), std::string(300, 'g') + "<600>");
}

TEST(Instructions, LeaveOutOperationsOnNothing) {
  Program program;
  program.start = {{.from = {{Memory::kSend, 0}, 0}, .to = {Memory::kReceive, 0}}};
  EXPECT_EQ(told(program), "");
}

TEST(Instructions, LetOnlySoManySendsBeUnderWay) {
  Program program;
  program.steps.resize(2);
  for (Rank peer = 1; peer <= 200; ++peer) {
    program.steps[0].sends.push_back(message(peer, Memory::kSend));
  }
  program.steps[1] = program.steps[0];
  const std::string sends(200, 's');
  EXPECT_EQ(told(program), sends + sends + "<272><128>");
}

}  // namespace
}  // namespace postage
