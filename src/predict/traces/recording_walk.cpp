#include "predict/traces/recording_walk.hpp"

#include "predict/traces/recorded_schedule.hpp"

#include <postage/base/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <utility>

namespace postage {
namespace {

using Kind = RecordedCall::Kind;

/// Tags of collectives lie above those of messages, which are counted by pair of ranks.
constexpr std::uint32_t kFirstCollectiveTag = std::uint32_t{1} << 31U;

bool is_send(const RecordedCall& call) {
  return call.kind == Kind::kSend || call.kind == Kind::kStartSend;
}

bool is_receive(const RecordedCall& call) {
  return call.kind == Kind::kReceive || call.kind == Kind::kStartReceive;
}

/// A send that no receive has got yet.
struct OpenSend {
  Rank source = 0;
  std::int32_t tag = 0;
  WalkedMessage message{};  ///< as its receiver knows it
};

bool suits(const OpenSend& send, const RecordedCall& receive) {
  return receive.tag < 0 || receive.tag == send.tag;
}

}  // namespace

RecordingWalk::RecordingWalk(const Recording& recording) : recording_(recording), messages_(recording.ranks.size()) {
  match_messages();
  match_collectives();
}

void RecordingWalk::match_messages() {
  const auto ranks = static_cast<Rank>(recording_.ranks.size());
  std::map<std::pair<Rank, Rank>, std::deque<OpenSend>> open;  // by target and source
  for (Rank source = 0; source < ranks; ++source) {
    const auto& calls = recording_.ranks[static_cast<std::size_t>(source)].calls;
    auto& own = messages_[static_cast<std::size_t>(source)];
    own.resize(calls.size(), {.tag = kNoMessage});
    std::map<Rank, std::uint32_t> sent;
    for (std::size_t i = 0; i < calls.size(); ++i) {
      if (is_send(calls[i])) {
        own[i] = {calls[i].peer, sent[calls[i].peer]++, calls[i].bytes};
        open[{calls[i].peer, source}].push_back({source, calls[i].tag, {source, own[i].tag, own[i].bytes}});
      }
    }
  }
  const auto take = [&](std::deque<OpenSend>& sends, const RecordedCall& receive, WalkedMessage& message) {
    const auto found =
        std::find_if(sends.begin(), sends.end(), [&](const OpenSend& send) { return suits(send, receive); });
    if (found == sends.end()) {
      return false;
    }
    message = found->message;
    sends.erase(found);
    return true;
  };
  for (const bool takes_any : {false, true}) {
    for (Rank target = 0; target < ranks; ++target) {
      const auto& calls = recording_.ranks[static_cast<std::size_t>(target)].calls;
      for (std::size_t i = 0; i < calls.size(); ++i) {
        if (!is_receive(calls[i]) || (calls[i].peer < 0) != takes_any) {
          continue;
        }
        WalkedMessage& message = messages_[static_cast<std::size_t>(target)][i];
        const Rank first = takes_any ? 0 : calls[i].peer;
        const Rank last = takes_any ? ranks - 1 : calls[i].peer;
        for (Rank source = first; source <= last; ++source) {
          const auto sends = open.find({target, source});
          if (sends != open.end() && take(sends->second, calls[i], message)) {
            break;
          }
        }
      }
    }
  }
}

void RecordingWalk::match_collectives() {
  std::map<Members, std::vector<std::vector<const RecordedCall*>>> called;  // [instance][rank of the communicator]
  for (std::size_t rank = 0; rank < recording_.ranks.size(); ++rank) {
    std::map<Members, std::size_t> count;
    for (const RecordedCall& call : recording_.ranks[rank].calls) {
      if (call.kind == Kind::kCollective) {
        const Members& members = recording_.ranks[rank].groups[call.group];
        auto& instances = called[members];
        const std::size_t number = count[members]++;
        instances.resize(std::max(instances.size(), number + 1));
        instances[number].push_back(&call);
      }
    }
  }
  std::uint32_t tag = kFirstCollectiveTag;
  for (const auto& [members, instances] : called) {
    for (const auto& calls : instances) {
      if (calls.size() != members.size()) {
        throw Error(
            fmt::format("{} of the {} ranks of a communicator call a collective ({}) that the others do not call",
                        calls.size(), members.size(), calls.front()->name));
      }
      // Ranks were visited in their order, which the communicator's may differ from.
      std::vector<std::pair<Rank, std::size_t>> order;
      for (std::size_t i = 0; i < members.size(); ++i) {
        order.emplace_back(members[i], i);
      }
      std::sort(order.begin(), order.end());
      std::vector<const RecordedCall*> by_member(members.size());
      for (std::size_t i = 0; i < order.size(); ++i) {
        by_member[order[i].second] = calls[i];
      }
      const auto root = std::find(members.begin(), members.end(), calls.front()->peer);
      const Rank number = root == members.end() ? 0 : static_cast<Rank>(root - members.begin());
      collectives_[members].push_back({tag++, recorded_schedule(by_member, number)});
    }
  }
}

void RecordingWalk::exchange_rounds(Rank rank, const Members& members, const Instance& instance, WalkSink& sink) const {
  const auto own = static_cast<Rank>(std::find(members.begin(), members.end(), rank) - members.begin());
  const auto world = [&](Rank member) { return members[static_cast<std::size_t>(member)]; };
  for_each_rank_round(instance.schedule, own, [&](const RankRound& round) {
    std::vector<WalkedMessage> sends;
    std::vector<WalkedMessage> receives;
    for (const Transfer& send : round.sends) {
      if (send.target != own) {
        sends.push_back({world(send.target), instance.tag, send.bytes});
      }
    }
    for (const Transfer& receive : round.receives) {
      if (receive.source != own) {
        receives.push_back({world(receive.source), instance.tag, receive.bytes});
      }
    }
    if (!sends.empty() || !receives.empty()) {
      sink.exchange(sends, receives);
    }
  });
}

void RecordingWalk::walk(Rank rank, WalkSink& sink) const {
  const RecordedRank& self = recording_.ranks[static_cast<std::size_t>(rank)];
  const auto& messages = messages_[static_cast<std::size_t>(rank)];
  std::map<Members, std::size_t> count;
  for (std::size_t i = 0; i < self.calls.size(); ++i) {
    const RecordedCall& call = self.calls[i];
    const bool is_message = messages[i].tag != kNoMessage;
    switch (call.kind) {
      case Kind::kCompute:
        sink.compute(call.seconds);
        break;
      case Kind::kSend:
        sink.send(messages[i]);
        break;
      case Kind::kStartSend:
        sink.start_send(messages[i], call.requests.front());
        break;
      case Kind::kReceive:
        is_message ? sink.receive(messages[i]) : void();
        break;
      case Kind::kStartReceive:
        is_message ? sink.start_receive(messages[i], call.requests.front()) : void();
        break;
      case Kind::kWait:
        sink.wait(call.requests);
        break;
      case Kind::kCollective: {
        const Members& members = self.groups[call.group];
        exchange_rounds(rank, members, collectives_.at(members)[count[members]++], sink);
        break;
      }
    }
  }
}

}  // namespace postage
