#include "program/rank_layout.hpp"

#include <postage/base/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace postage {
namespace {

/// What the collectives' tables have in common.
class Conventions {
 public:
  Conventions(const Schedule& schedule, Rank rank, bool in_place)
      : blocks_(schedule.layout),
        ranks_(schedule.ranks),
        rank_(rank),
        is_root_(rank == schedule.root),
        in_place_(in_place) {}

  [[nodiscard]] RankLayout bcast() const {
    RankLayout layout{.receive_bytes = blocks_.total(), .results = {all(Memory::kReceive)}};
    if (is_root_) {
      layout.initial = all(Memory::kReceive);
    }
    return layout;
  }

  /// reduce, allreduce, scan and exscan.
  [[nodiscard]] RankLayout vector(bool has_result) const {
    const Memory given = in_place_ ? Memory::kReceive : Memory::kSend;
    RankLayout layout{.send_bytes = in_place_ ? 0 : blocks_.total(),
                      .receive_bytes = in_place_ || has_result ? blocks_.total() : 0,
                      .initial = all(given)};
    if (has_result) {
      layout.results = {all(Memory::kReceive)};
    }
    return layout;
  }

  [[nodiscard]] RankLayout reduce_scatter() const {
    RankLayout layout = vector(false);
    layout.receive_bytes = std::max(layout.receive_bytes, blocks_.size(rank_));
    layout.results = {own({Memory::kReceive, 0})};
    return layout;
  }

  /// gather and allgather.
  [[nodiscard]] RankLayout gather(bool has_result) const {
    const Address given = in_place_ ? Address{Memory::kReceive, blocks_.offset(rank_)} : Address{};
    RankLayout layout{.send_bytes = in_place_ ? 0 : blocks_.size(rank_),
                      .initial = own(given),
                      .staging_begin = blocks_.offset(rank_)};
    if (has_result) {
      layout.receive_bytes = blocks_.total();
      layout.results = {all(Memory::kReceive)};
    }
    return layout;
  }

  [[nodiscard]] RankLayout scatter() const {
    RankLayout layout{.staging_begin = blocks_.offset(rank_)};
    if (is_root_) {
      layout.send_bytes = blocks_.total();
      layout.initial = all(Memory::kSend);
    }
    if (!in_place_) {
      layout.receive_bytes = blocks_.size(rank_);
      layout.results = {own({Memory::kReceive, 0})};
    }
    return layout;
  }

  /// In place, the blocks to be sent are first moved to the staging area, because others arrive over them.
  [[nodiscard]] RankLayout alltoall() const {
    const Bytes row = blocks_.offset(Index{rank_} * ranks_);
    RankLayout layout{.staging_begin = row};
    const Bytes row_end = blocks_.offset((Index{rank_} + 1) * ranks_);
    layout.initial = {row, row_end, {in_place_ ? Memory::kStaging : Memory::kSend, 0}};
    layout.send_bytes = in_place_ ? 0 : row_end - row;
    for (Index source = 0; source < ranks_; ++source) {
      add_column_block(layout, source);
    }
    return layout;
  }

 private:
  [[nodiscard]] IovecSegment all(Memory memory) const { return {0, blocks_.total(), {memory, 0}}; }
  [[nodiscard]] IovecSegment own(Address at) const { return {blocks_.offset(rank_), blocks_.offset(rank_ + 1), at}; }

  void add_column_block(RankLayout& layout, Index source) const {
    const Index block = source * ranks_ + rank_;
    const Index opposite = rank_ * Index{ranks_} + source;
    if (in_place_ && blocks_.size(block) != blocks_.size(opposite)) {
      throw UsageError(
          fmt::format("alltoall in place: rank {} sends {} bytes to rank {} but gets {}; both must be equal", rank_,
                      blocks_.size(opposite), source, blocks_.size(block)));
    }
    layout.results.push_back(
        {blocks_.offset(block), blocks_.offset(block + 1), {Memory::kReceive, layout.receive_bytes}});
    layout.receive_bytes += blocks_.size(block);
  }

  const BlockLayout& blocks_;
  Index ranks_;
  Rank rank_;
  bool is_root_;
  bool in_place_;
};

bool only_root_in_place(Collective collective) {
  return collective == Collective::kReduce || collective == Collective::kGather || collective == Collective::kScatter;
}

}  // namespace

RankLayout rank_layout(const Schedule& schedule, Rank rank, bool in_place) {
  const bool is_root = rank == schedule.root;
  if (in_place && !is_root && only_root_in_place(schedule.collective)) {
    throw UsageError(fmt::format("rank {} cannot work in place: in {} only the root can, which is {}", rank,
                                 name_of(schedule.collective), schedule.root));
  }
  const Conventions conventions(schedule, rank, in_place);
  switch (schedule.collective) {
    case Collective::kBarrier:
      return {};
    case Collective::kBcast:
      return conventions.bcast();
    case Collective::kReduce:
      return conventions.vector(is_root);
    case Collective::kAllreduce:
    case Collective::kScan:
      return conventions.vector(true);
    case Collective::kExscan:
      return conventions.vector(rank > 0);
    case Collective::kGather:
      return conventions.gather(is_root);
    case Collective::kAllgather:
      return conventions.gather(true);
    case Collective::kScatter:
      return conventions.scatter();
    case Collective::kAlltoall:
      return conventions.alltoall();
    case Collective::kReduceScatter:
      return conventions.reduce_scatter();
  }
  throw Error("rank_layout: unknown collective");
}

}  // namespace postage
