#include "mpi/case_buffers.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

namespace postage {
namespace {

/// Elements in front of a buffer's first and behind its last that must stay as they are.
constexpr int kGuard = 2;

Blocks one_after_another(std::vector<int> counts) {
  Blocks blocks{std::move(counts), {}};
  blocks.displacements.resize(blocks.counts.size());
  std::exclusive_scan(blocks.counts.begin(), blocks.counts.end(), blocks.displacements.begin(), 0);
  return blocks;
}

/// The last block first, and an element that belongs to no block before each.
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

}  // namespace

CaseBuffers::CaseBuffers(const Comparison& comparison) : c_(comparison) {
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
  is_root_ = rank_ == c_.root;
  extent_ = extent_of(c_.type->type);
  lay_out();
  fill();
}

bool CaseBuffers::works_in_place() const {
  return c_.in_place && (is_root_ || !has_root(c_.algorithm->collective));
}

bool CaseBuffers::cuts_vector() const {
  return !is_reduction(c_.algorithm->collective) && !is(Collective::kBcast);
}

int CaseBuffers::block_count(int i) const {
  return c_.uneven ? i * 5 % 4 * c_.count / 2 + i % 2 : c_.count;
}

/// Symmetric, so that it serves in place too.
int CaseBuffers::pair_count(int source, int target) const {
  return block_count(std::min(source, target) + 3 * std::max(source, target));
}

Blocks CaseBuffers::blocks_of(int count, const std::function<int(int)>& count_of) const {
  std::vector<int> counts(static_cast<std::size_t>(count));
  std::generate(counts.begin(), counts.end(), [&, i = 0]() mutable { return count_of(i++); });
  return c_.uneven && cuts_vector() ? in_reverse(std::move(counts)) : one_after_another(std::move(counts));
}

void CaseBuffers::lay_out() {
  const auto block = [&](int i) { return block_count(i); };
  const Blocks own = one_after_another({block_count(rank_)});
  const Blocks vector = one_after_another({c_.count});
  switch (c_.algorithm->collective) {
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

Buffer CaseBuffers::buffer_for(int elements) const {
  return Buffer(static_cast<std::size_t>(elements + 2 * kGuard) * extent_, std::byte{0xA5});
}

std::byte* CaseBuffers::first(Buffer& buffer) const {
  return buffer.data() + kGuard * extent_;
}

const std::byte* CaseBuffers::first(const Buffer& buffer) const {
  return buffer.data() + kGuard * extent_;
}

void CaseBuffers::fill() {
  send = buffer_for(sent_.end());
  write(send, sent_, 0);
  const bool keeps_input = works_in_place() && is(Collective::kReduceScatter);
  receive = buffer_for(std::max(received_.end(), keeps_input ? sent_.end() : 0));
  if (is(Collective::kBcast) && is_root_) {
    write(receive, received_, 0);
  } else if (works_in_place()) {
    fill_in_place();
  }
}

void CaseBuffers::fill_in_place() {
  const auto rank = static_cast<std::size_t>(rank_);
  if (is(Collective::kGather) || is(Collective::kAllgather)) {
    write(receive, {{received_.counts[rank]}, {received_.displacements[rank]}}, 0);
  } else if (!is(Collective::kScatter)) {
    write(receive, sent_, 0);
  }
}

void CaseBuffers::write(Buffer& buffer, const Blocks& blocks, int i) const {
  for (std::size_t block = 0; block < blocks.counts.size(); ++block) {
    for (int element = 0; element < blocks.counts[block]; ++element, ++i) {
      write_element(*c_.type, rank_, i,
                    first(buffer) + static_cast<std::size_t>(blocks.displacements[block] + element) * extent_);
    }
  }
}

/// What counts: all of the receive buffer that MPI defines.
Blocks CaseBuffers::defined() const {
  const bool is_undefined = (is(Collective::kExscan) && rank_ == 0) || (is(Collective::kScatter) && works_in_place()) ||
                            is(Collective::kBarrier);
  return is_undefined ? Blocks{} : received_;
}

Buffer CaseBuffers::content(const Buffer& buffer) const {
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
Buffer CaseBuffers::with_content(Buffer before, const Buffer& after) const {
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

std::string CaseBuffers::find_mistake(const Buffer& before, const Buffer& theirs) const {
  if (content(receive) != content(theirs)) {
    return "the result differs from the library's";
  }
  if (receive != with_content(before, receive)) {
    return "bytes beside the result changed";
  }
  return "";
}

}  // namespace postage
