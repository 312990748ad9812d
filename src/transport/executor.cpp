#include <postage/base/error.hpp>
#include <postage/transport/executor.hpp>

#include <algorithm>
#include <cstring>

namespace postage {
namespace {

// Messages between two ranks match in order; the tag only catches mistakes early.
constexpr int kTags = 1024;
constexpr int kFirstTag = 4096;

bool meets(Bytes a_offset, Bytes a_bytes, Bytes b_offset, Bytes b_bytes) {
  return a_bytes > 0 && b_bytes > 0 && a_offset < b_offset + b_bytes && b_offset < a_offset + a_bytes;
}

template <typename Messages>
bool any_meets(const Messages& some, const Messages& others) {
  for (const auto& a : some) {
    for (const auto& b : others) {
      for (const auto& p : a.pieces) {
        for (const auto& q : b.pieces) {
          if (meets(p.offset, p.bytes, q.offset, q.bytes)) {
            return true;
          }
        }
      }
    }
  }
  return false;
}

template <typename Byte>
std::span<Byte> part(std::span<Byte> all, Bytes offset, Bytes bytes) {
  return all.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(bytes));
}

/// Start of segment `segment` within a block.
Bytes segment_offset(Bytes bytes, Index segment, Index segments, Bytes element_bytes) {
  const Bytes first = segment_bytes(bytes, 0, segments, element_bytes);
  return std::min(bytes, segment * first);
}

}  // namespace

RankProgram::RankProgram(const Schedule& schedule, Rank rank) : buffer_bytes_(schedule.layout.total()) {
  for_each_rank_round(schedule, rank, [&](const RankRound& round) { append(schedule, round); });
  decide_overlap();
}

void RankProgram::append(const Schedule& schedule, const RankRound& round) {
  Step step{.tag = kFirstTag + static_cast<int>(round.place.iteration % kTags)};
  for (const Transfer& transfer : round.sends) {
    if (transfer.target != transfer.source) {
      step.sends.push_back(compile(schedule, round.place, transfer, false));
    }
  }
  for (const Transfer& transfer : round.receives) {
    if (transfer.target != transfer.source) {
      step.receives.push_back(compile(schedule, round.place, transfer, true));
    }
  }
  steps_.push_back(std::move(step));
}

RankProgram::Message RankProgram::compile(const Schedule& schedule, const Place& place, const Transfer& transfer,
                                          bool receiving) {
  const Index segments = schedule.stages[place.stage].segments;
  const BlockLayout& layout = schedule.layout;
  Message message{.peer = receiving ? transfer.source : transfer.target, .combine = transfer.pattern->combine};
  const auto add = [&](Bytes offset, Bytes bytes) {
    message.bytes += bytes;
    if (!message.pieces.empty() && message.pieces.back().offset + message.pieces.back().bytes == offset) {
      message.pieces.back().bytes += bytes;
    } else {
      message.pieces.push_back({offset, bytes});
    }
  };
  for_each_run(transfer.pattern->blocks, transfer.virtual_place, [&](BlockRun run) {
    for (Index block = run.first; block < run.first + run.count; ++block) {
      const Bytes size = layout.size(block);
      add(layout.offset(block) + segment_offset(size, place.segment, segments, layout.element_bytes()),
          segment_bytes(size, place.segment, segments, layout.element_bytes()));
    }
  });
  message.in_place = message.pieces.size() <= 1 && (!receiving || message.combine == Combine::kCopy);
  return message;
}

void RankProgram::decide_overlap() {
  std::size_t scratch = 0;
  std::vector<Message> unfinished;  // sends that no step has waited for yet
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    Step& step = steps_[i];
    step.waits_for_earlier_sends = any_meets(step.receives, unfinished);
    step.waits_for_own_sends = any_meets(step.receives, step.sends);
    if (step.waits_for_own_sends) {
      // What arrives must not take the place of what still leaves.
      for (Message& message : step.receives) {
        message.in_place = false;
      }
    }
    if (step.waits_for_earlier_sends || step.waits_for_own_sends) {
      unfinished.clear();
    }
    if (!step.waits_for_own_sends) {
      unfinished.insert(unfinished.end(), step.sends.begin(), step.sends.end());
    }
    if (i > 0) {
      const Step& before = steps_[i - 1];
      step.receives_may_start_early = !step.waits_for_earlier_sends && !any_meets(step.receives, before.receives) &&
                                      !any_meets(step.receives, before.sends);
    }
    // Every message has a place of its own: a send may still be under way when a later step packs.
    for (auto* messages : {&step.sends, &step.receives}) {
      for (Message& message : *messages) {
        if (!message.in_place) {
          message.scratch = scratch;
          scratch += static_cast<std::size_t>(message.bytes);
        }
      }
    }
  }
  scratch_.resize(scratch);
}

void RankProgram::post_receives(Transport& transport, std::span<std::byte> blocks, const Step& step) {
  for (const Message& message : step.receives) {
    const Bytes offset = message.pieces.empty() ? 0 : message.pieces.front().offset;
    const std::span<std::byte> where =
        message.in_place ? part(blocks, offset, message.bytes)
                         : part(std::span(scratch_), static_cast<Bytes>(message.scratch), message.bytes);
    receiving_.push_back(transport.start_receive(where, message.peer, step.tag));
  }
}

void RankProgram::post_sends(Transport& transport, std::span<const std::byte> blocks, const Step& step) {
  for (const Message& message : step.sends) {
    if (message.in_place) {
      const Bytes offset = message.pieces.empty() ? 0 : message.pieces.front().offset;
      sending_.push_back(transport.start_send(part(blocks, offset, message.bytes), message.peer, step.tag));
      continue;
    }
    std::byte* packed = scratch_.data() + message.scratch;
    for (const Piece& piece : message.pieces) {
      std::memcpy(packed, blocks.data() + piece.offset, static_cast<std::size_t>(piece.bytes));
      packed += piece.bytes;
    }
    sending_.push_back(transport.start_send(
        part(std::span<const std::byte>(scratch_), static_cast<Bytes>(message.scratch), message.bytes), message.peer,
        step.tag));
  }
}

void RankProgram::take_in(std::span<std::byte> blocks, const Step& step, const CombineFunction& combine) {
  for (const Message& message : step.receives) {
    if (message.in_place) {
      continue;
    }
    if (message.combine != Combine::kCopy && !combine) {
      throw Error("this schedule reduces, but no operation was given to combine with");
    }
    Bytes at = static_cast<Bytes>(message.scratch);
    for (const Piece& piece : message.pieces) {
      const auto arrived = part(std::span<const std::byte>(scratch_), at, piece.bytes);
      const auto own = part(blocks, piece.offset, piece.bytes);
      if (message.combine == Combine::kCopy) {
        std::copy(arrived.begin(), arrived.end(), own.begin());
      } else {
        combine(arrived, own, message.combine == Combine::kReduceLeft);
      }
      at += piece.bytes;
    }
  }
}

void RankProgram::run(Transport& transport, std::span<std::byte> blocks, const CombineFunction& combine) {
  const auto wait = [&](std::vector<Transport::Request>& requests) {
    transport.wait_all(requests);
    requests.clear();
  };
  bool posted = false;
  std::vector<Transport::Request> now;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const Step& step = steps_[i];
    if (step.waits_for_earlier_sends) {
      wait(sending_);
    }
    if (!posted && step.sends.empty() && step.receives.size() == 1 && step.receives.front().in_place) {
      // A leaf's life: blocking costs half of what posting and waiting cost for a small message.
      const Message& only = step.receives.front();
      const Bytes offset = only.pieces.empty() ? 0 : only.pieces.front().offset;
      transport.receive(part(blocks, offset, only.bytes), only.peer, step.tag);
      continue;
    }
    if (!posted) {
      post_receives(transport, blocks, step);
    }
    post_sends(transport, blocks, step);
    now.swap(receiving_);
    posted = i + 1 < steps_.size() && steps_[i + 1].receives_may_start_early;
    if (posted) {
      post_receives(transport, blocks, steps_[i + 1]);
    }
    wait(now);
    if (step.waits_for_own_sends) {
      wait(sending_);
    }
    take_in(blocks, step, combine);
  }
  wait(sending_);
}

}  // namespace postage
