#include "mpi/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <string_view>

namespace postage {
namespace {

using Buffer = std::vector<std::byte>;

/// Elements in front of a buffer's first and behind its last that nobody may touch.
constexpr int kGuard = 2;

/// Blocks of a buffer, in elements.
struct Blocks {
  std::vector<int> counts;
  std::vector<int> displacements;

  [[nodiscard]] int end() const {
    int end = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      end = std::max(end, displacements[i] + counts[i]);
    }
    return end;
  }
};

Blocks one_after_another(std::vector<int> counts) {
  Blocks blocks{std::move(counts), {}};
  blocks.displacements.resize(blocks.counts.size());
  std::exclusive_scan(blocks.counts.begin(), blocks.counts.end(), blocks.displacements.begin(), 0);
  return blocks;
}

/// The last block first, and an element that belongs to nobody before each.
Blocks in_reverse(std::vector<int> counts) {
  Blocks blocks{std::move(counts), {}};
  blocks.displacements.resize(blocks.counts.size());
  int at = 0;
  for (std::size_t i = blocks.counts.size(); i-- > 0;) {
    blocks.displacements[i] = at + 1;
    at += 1 + blocks.counts[i];
  }
  return blocks;
}

/// One rank's side of a comparison.
class RankCase {
 public:
  RankCase(MpiCollectives& collectives, const Comparison& comparison)
      : collectives_(collectives), c_(comparison), collective_(comparison.algorithm->collective) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
    is_root_ = rank_ == c_.root;
    extent_ = extent_of(c_.type->type);
    lay_out();
    fill();
  }

  std::string run() {
    const Buffer given = send_;
    const Buffer before = receive_;
    Buffer theirs = before;
    by_library(theirs);
    std::string mistake;
    for (int repeat = 0; repeat < 2; ++repeat) {
      receive_ = before;
      by_postage();
      mistake = mistake.empty() ? find_mistake(given, before, theirs) : mistake;
    }
    return mistake;
  }

 private:
  [[nodiscard]] bool is(Collective collective) const { return collective_ == collective; }
  [[nodiscard]] bool has_root() const {
    return is(Collective::kBcast) || is(Collective::kReduce) || is(Collective::kGather) || is(Collective::kScatter);
  }
  [[nodiscard]] bool works_in_place() const { return c_.in_place && (is_root_ || !has_root()); }
  [[nodiscard]] bool cuts_vector() const { return !is_reduction(collective_) && !is(Collective::kBcast); }

  [[nodiscard]] int block_count(int i) const { return c_.uneven ? i * 5 % 4 * c_.count / 2 + i % 2 : c_.count; }
  /// Symmetric, so that it serves in place too.
  [[nodiscard]] int pair_count(int source, int target) const {
    return block_count(std::min(source, target) + 3 * std::max(source, target));
  }

  [[nodiscard]] Blocks blocks_of(int count, const auto& count_of) const {
    std::vector<int> counts(static_cast<std::size_t>(count));
    std::generate(counts.begin(), counts.end(), [&, i = 0]() mutable { return count_of(i++); });
    return c_.uneven && cuts_vector() ? in_reverse(std::move(counts)) : one_after_another(std::move(counts));
  }

  /// What the send and the receive buffer hold by MPI's conventions, without MPI_IN_PLACE.
  void lay_out() {
    const auto block = [&](int i) { return block_count(i); };
    const Blocks own = one_after_another({block_count(rank_)});
    const Blocks vector = one_after_another({c_.count});
    switch (collective_) {
      case Collective::kGather:
      case Collective::kAllgather:
        sent_ = own;
        received_ = is_root_ || is(Collective::kAllgather) ? blocks_of(ranks_, block) : Blocks{};
        break;
      case Collective::kScatter:
        sent_ = is_root_ ? blocks_of(ranks_, block) : Blocks{};
        received_ = own;
        break;
      case Collective::kAlltoall:
        sent_ = blocks_of(ranks_, [&](int i) { return pair_count(rank_, i); });
        received_ = blocks_of(ranks_, [&](int i) { return pair_count(i, rank_); });
        break;
      case Collective::kReduceScatter:
        sent_ = blocks_of(ranks_, block);
        received_ = own;
        break;
      case Collective::kBcast:
        received_ = vector;
        break;
      case Collective::kReduce:
        sent_ = vector;
        received_ = is_root_ ? vector : Blocks{};
        break;
      default:
        sent_ = vector;
        received_ = vector;
    }
  }

  [[nodiscard]] Buffer buffer_for(int elements) const {
    return Buffer(static_cast<std::size_t>(elements + 2 * kGuard) * extent_, std::byte{0xA5});
  }
  [[nodiscard]] std::byte* first(Buffer& buffer) const { return buffer.data() + kGuard * extent_; }
  [[nodiscard]] const std::byte* first(const Buffer& buffer) const { return buffer.data() + kGuard * extent_; }

  void fill() {
    send_ = buffer_for(sent_.end());
    write(send_, sent_, 0);
    const bool keeps_input = works_in_place() && is(Collective::kReduceScatter);
    receive_ = buffer_for(std::max(received_.end(), keeps_input ? sent_.end() : 0));
    if (is(Collective::kBcast) && is_root_) {
      write(receive_, received_, 0);
    } else if (works_in_place()) {
      fill_in_place();
    }
  }

  void fill_in_place() {
    const auto rank = static_cast<std::size_t>(rank_);
    if (is(Collective::kGather) || is(Collective::kAllgather)) {
      write(receive_, {{received_.counts[rank]}, {received_.displacements[rank]}}, 0);
    } else if (!is(Collective::kScatter)) {
      write(receive_, sent_, 0);
    }
  }

  void write(Buffer& buffer, const Blocks& blocks, int i) const {
    for (std::size_t block = 0; block < blocks.counts.size(); ++block) {
      for (int element = 0; element < blocks.counts[block]; ++element, ++i) {
        write_element(*c_.type, rank_, i,
                      first(buffer) + static_cast<std::size_t>(blocks.displacements[block] + element) * extent_);
      }
    }
  }

  /// What counts: all of the receive buffer that MPI defines.
  [[nodiscard]] Blocks defined() const {
    const bool is_undefined = (is(Collective::kExscan) && rank_ == 0) ||
                              (is(Collective::kScatter) && works_in_place()) || is(Collective::kBarrier);
    return is_undefined ? Blocks{} : received_;
  }

  [[nodiscard]] Buffer content(const Buffer& buffer) const {
    Buffer all;
    const Blocks blocks = defined();
    for (std::size_t block = 0; block < blocks.counts.size(); ++block) {
      const Buffer part = packed(first(buffer) + static_cast<std::size_t>(blocks.displacements[block]) * extent_,
                                 blocks.counts[block], c_.type->type);
      all.insert(all.end(), part.begin(), part.end());
    }
    return all;
  }

  /// `before`, with the defined elements of `after`. A reduce_scatter in place may use all of its buffer.
  [[nodiscard]] Buffer with_content(Buffer before, const Buffer& after) const {
    Blocks blocks = defined();
    if (works_in_place() && is(Collective::kReduceScatter)) {
      blocks = one_after_another({sent_.end()});
    }
    for (std::size_t block = 0; block < blocks.counts.size(); ++block) {
      const auto at = static_cast<std::size_t>(blocks.displacements[block]) * extent_;
      const Buffer part = packed(first(after) + at, blocks.counts[block], c_.type->type);
      if (part.empty()) {
        continue;
      }
      int position = 0;
      MPI_Unpack(part.data(), static_cast<int>(part.size()), &position, first(before) + at, blocks.counts[block],
                 c_.type->type, MPI_COMM_SELF);
    }
    return before;
  }

  [[nodiscard]] std::string find_mistake(const Buffer& given, const Buffer& before, const Buffer& theirs) const {
    if (content(receive_) != content(theirs)) {
      return "the result differs from the library's";
    }
    if (receive_ != with_content(before, receive_)) {
      return "bytes beside the result changed";
    }
    return send_ == given ? "" : "the send buffer changed";
  }

  void by_postage() {
    const CollectiveChoice choice{c_.algorithm->name, c_.segment_bytes, c_.parameters};
    const void* const send = works_in_place() ? MPI_IN_PLACE : first(send_);
    void* const receive = first(receive_);
    const MPI_Datatype type = c_.type->type;
    const MPI_Op op = c_.op->op;
    switch (collective_) {
      case Collective::kBarrier:
        return collectives_.barrier(choice);
      case Collective::kBcast:
        return collectives_.bcast(receive, c_.count, type, c_.root, choice);
      case Collective::kReduce:
        return collectives_.reduce(send, receive, c_.count, type, op, c_.root, choice);
      case Collective::kAllreduce:
        return collectives_.allreduce(send, receive, c_.count, type, op, choice);
      case Collective::kScan:
        return collectives_.scan(send, receive, c_.count, type, op, choice);
      case Collective::kExscan:
        return collectives_.exscan(send, receive, c_.count, type, op, choice);
      case Collective::kReduceScatter:
        return c_.uneven ? collectives_.reduce_scatter(send, receive, sent_.counts.data(), type, op, choice)
                         : collectives_.reduce_scatter_block(send, receive, c_.count, type, op, choice);
      case Collective::kGather:
        return c_.uneven ? collectives_.gatherv(send, block_count(rank_), type, receive, received_.counts.data(),
                                                received_.displacements.data(), type, c_.root, choice)
                         : collectives_.gather(send, c_.count, type, receive, c_.count, type, c_.root, choice);
      case Collective::kAllgather:
        return c_.uneven ? collectives_.allgatherv(send, block_count(rank_), type, receive, received_.counts.data(),
                                                   received_.displacements.data(), type, choice)
                         : collectives_.allgather(send, c_.count, type, receive, c_.count, type, choice);
      case Collective::kScatter:
        return scatter_by_postage(choice);
      case Collective::kAlltoall:
        return c_.uneven ? collectives_.alltoallv(send, sent_.counts.data(), sent_.displacements.data(), type, receive,
                                                  received_.counts.data(), received_.displacements.data(), type, choice)
                         : collectives_.alltoall(send, c_.count, type, receive, c_.count, type, choice);
    }
  }

  void scatter_by_postage(const CollectiveChoice& choice) {
    void* const receive = works_in_place() ? MPI_IN_PLACE : first(receive_);
    const MPI_Datatype type = c_.type->type;
    if (c_.uneven) {
      collectives_.scatterv(first(send_), sent_.counts.data(), sent_.displacements.data(), type, receive,
                            block_count(rank_), type, c_.root, choice);
    } else {
      collectives_.scatter(first(send_), c_.count, type, receive, c_.count, type, c_.root, choice);
    }
  }

  /// Never in place: the library's result must not depend on how well it does that.
  void by_library(Buffer& buffer) {
    const std::byte* const send = first(send_);
    std::byte* const receive = first(buffer);
    const MPI_Datatype type = c_.type->type;
    const MPI_Op op = c_.op->op;
    const MPI_Comm world = MPI_COMM_WORLD;
    switch (collective_) {
      case Collective::kBarrier:
        MPI_Barrier(world);
        break;
      case Collective::kBcast:
        MPI_Bcast(receive, c_.count, type, c_.root, world);
        break;
      case Collective::kReduce:
        MPI_Reduce(send, receive, c_.count, type, op, c_.root, world);
        break;
      case Collective::kAllreduce:
        MPI_Allreduce(send, receive, c_.count, type, op, world);
        break;
      case Collective::kScan:
      case Collective::kExscan:
        prefix_by_library(receive);
        break;
      case Collective::kReduceScatter:
        MPI_Reduce_scatter(send, receive, sent_.counts.data(), type, op, world);
        break;
      case Collective::kGather:
        MPI_Gatherv(send, block_count(rank_), type, receive, received_.counts.data(), received_.displacements.data(),
                    type, c_.root, world);
        break;
      case Collective::kAllgather:
        MPI_Allgatherv(send, block_count(rank_), type, receive, received_.counts.data(), received_.displacements.data(),
                       type, world);
        break;
      case Collective::kScatter:
        MPI_Scatterv(send, sent_.counts.data(), sent_.displacements.data(), type, receive, block_count(rank_), type,
                     c_.root, world);
        break;
      case Collective::kAlltoall:
        MPI_Alltoallv(send, sent_.counts.data(), sent_.displacements.data(), type, receive, received_.counts.data(),
                      received_.displacements.data(), type, world);
        break;
    }
  }

  void prefix_by_library(std::byte* receive) {
    const bool is_scan = is(Collective::kScan);
    if (!c_.op->commutative && is_smpi()) {
      // SMPI 3.32 leaves out the other ranks then: gather them and combine them here.
      Buffer all(static_cast<std::size_t>(ranks_ * c_.count) * extent_);
      MPI_Allgather(first(send_), c_.count, c_.type->type, all.data(), c_.count, c_.type->type, MPI_COMM_WORLD);
      const auto contribution = [&](int rank) {
        return all.data() + static_cast<std::size_t>(rank * c_.count) * extent_;
      };
      const int last = is_scan ? rank_ : rank_ - 1;
      for (int rank = last - 1; rank >= 0; --rank) {
        MPI_Reduce_local(contribution(rank), contribution(last), c_.count, c_.type->type, c_.op->op);
      }
      if (last >= 0) {
        MPI_Sendrecv(contribution(last), c_.count, c_.type->type, rank_, 0, receive, c_.count, c_.type->type, rank_, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      }
    } else if (is_scan) {
      MPI_Scan(first(send_), receive, c_.count, c_.type->type, c_.op->op, MPI_COMM_WORLD);
    } else {
      MPI_Exscan(first(send_), receive, c_.count, c_.type->type, c_.op->op, MPI_COMM_WORLD);
    }
  }

  [[nodiscard]] static bool is_smpi() {
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> version{};
    int length = 0;
    MPI_Get_library_version(version.data(), &length);
    return std::string_view(version.data()).starts_with("SMPI");
  }

  MpiCollectives& collectives_;
  const Comparison& c_;
  Collective collective_;
  int rank_ = 0;
  int ranks_ = 1;
  bool is_root_ = false;
  std::size_t extent_ = 1;
  Blocks sent_;
  Blocks received_;
  Buffer send_;
  Buffer receive_;
};

}  // namespace

std::string describe(const Comparison& comparison, int ranks) {
  std::string parameters;
  for (const auto& [name, value] : comparison.parameters) {
    parameters += fmt::format(", {} {}", name, value);
  }
  return fmt::format("{} {}: {} ranks, {} of {}{}, {}, root {}{}, segments of {}{}",
                     name_of(comparison.algorithm->collective), comparison.algorithm->name, ranks, comparison.count,
                     comparison.type->name, comparison.uneven ? " uneven" : "", comparison.op->name, comparison.root,
                     comparison.in_place ? ", in place" : "", comparison.segment_bytes, parameters);
}

std::string compare(MpiCollectives& collectives, const Comparison& comparison) {
  return RankCase(collectives, comparison).run();
}

}  // namespace postage
