#include <postage/base/error.hpp>
#include <postage/measure/collective_data.hpp>
#include <postage/schedule/algorithms.hpp>
#include <postage/schedule/prefix.hpp>
#include <postage/schedule/tree_file.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace postage {
namespace {

constexpr Bytes kDoubleBytes = sizeof(double);

/// What one rank gives to element i, but for its own number.
std::int64_t pattern(Bytes i) {
  return (i * 131 + i / 251 + 7) % 251;
}

/// The sum of what ranks first, ..., last give to element i. Doubles hold it exactly, bytes modulo 256.
std::int64_t value_of(Rank first, Rank last, Bytes i) {
  const std::int64_t count = last - first + 1;
  const std::int64_t sum_of_ranks = count * (first + last) / 2;
  return count * pattern(i) + 29 * sum_of_ranks;
}

/// In every byte between pieces.
constexpr std::byte kMark{0x5A};

template <typename Element>
void add(std::span<const std::byte> left, std::span<std::byte> right) {
  const auto* from = reinterpret_cast<const Element*>(left.data());
  auto* to = reinterpret_cast<Element*>(right.data());
  for (std::size_t i = 0; i < right.size() / sizeof(Element); ++i) {
    to[i] = static_cast<Element>(from[i] + to[i]);
  }
}

/// Elements of pieces need not be aligned.
template <typename Element>
void add_pieces(std::span<const std::byte> left, std::span<std::byte> right, const Strides& strides) {
  for (std::size_t piece = 0; piece < right.size(); piece += static_cast<std::size_t>(strides.stride)) {
    for (std::size_t at = piece; at < piece + static_cast<std::size_t>(strides.run); at += sizeof(Element)) {
      Element a{};
      Element b{};
      std::memcpy(&a, left.data() + at, sizeof a);
      std::memcpy(&b, right.data() + at, sizeof b);
      b = static_cast<Element>(a + b);
      std::memcpy(right.data() + at, &b, sizeof b);
    }
  }
}

CollectiveTree tree_of(const CollectiveRun& run, Rank ranks) {
  CollectiveTree tree =
      resized(read_schedule_file(run.algorithm), run.bytes > 0 ? std::optional(run.bytes) : std::nullopt);
  if (tree.request.ranks != ranks) {
    throw UsageError(fmt::format("{} is for {} ranks, not {}", run.algorithm, tree.request.ranks, ranks));
  }
  tree.request.element_bytes =
      std::max(tree.request.element_bytes, run.strides.is_contiguous() ? element_bytes_for(run) : run.strides.run);
  tree.request.segment_bytes = run.segment_bytes > 0 ? run.segment_bytes : tree.request.segment_bytes;
  return tree;
}

}  // namespace

Bytes element_bytes_for(Collective collective, Bytes bytes) {
  return is_reduction(collective) && bytes % kDoubleBytes == 0 ? kDoubleBytes : 1;
}

Bytes element_bytes_for(const CollectiveRun& run) {
  return element_bytes_for(run.collective, run.strides.is_contiguous() ? run.bytes : run.strides.run);
}

Schedule schedule_of(const CollectiveRun& run, Rank ranks) {
  if (is_schedule_file(run.algorithm)) {
    return first_steps(schedule_along(tree_of(run, ranks)), run.steps);
  }
  Schedule whole =
      build_schedule(find_algorithm(run.collective, run.algorithm),
                     {.ranks = ranks,
                      .root = run.root,
                      .bytes = run.bytes,
                      .element_bytes = run.strides.is_contiguous() ? element_bytes_for(run) : run.strides.run,
                      .segment_bytes = run.segment_bytes});
  return first_steps(std::move(whole), run.steps);
}

CollectiveData::CollectiveData(const Schedule& schedule, Bytes element_bytes, Rank rank, const RankProgram& program,
                               const Strides& strides)
    : schedule_(schedule),
      element_bytes_(element_bytes),
      rank_(rank),
      strides_(strides),
      send_(static_cast<std::size_t>(program.send_bytes()), kMark),
      receive_(static_cast<std::size_t>(program.receive_bytes()), kMark) {
  const std::vector<std::byte> content = content_of(given());
  std::copy(content.begin(), content.end(), send_.empty() ? receive_.begin() : send_.begin());
}

Reduction sum_of_elements(Bytes element_bytes, const Strides& strides) {
  if (strides.is_contiguous()) {
    return element_bytes == kDoubleBytes ? add<double> : add<unsigned char>;
  }
  return [strides, of_pieces = element_bytes == kDoubleBytes ? add_pieces<double> : add_pieces<unsigned char>](
             std::span<const std::byte> left, std::span<std::byte> right) { of_pieces(left, right, strides); };
}

LibraryCall library_call(const CollectiveRun& run, const RankBuffers& buffers) {
  return {.collective = run.collective,
          .root = run.root,
          .bytes = run.bytes,
          .block_bytes = is_schedule_file(run.algorithm) ? read_schedule_file(run.algorithm).request.block_bytes
                                                         : std::vector<Bytes>{},
          .element_bytes = element_bytes_for(run),
          .strides = run.strides,
          .send = buffers.send,
          .receive = buffers.receive};
}

Reduction CollectiveData::sum() const {
  return sum_of_elements(element_bytes_, strides_);
}

void CollectiveData::check() const {
  const std::vector<std::byte> expected = content_of(promised());
  const auto [found, wanted] = std::mismatch(receive_.begin(), receive_.end(), expected.begin(), expected.end());
  if (wanted != expected.end()) {
    throw Error(fmt::format("{} {} delivered a wrong byte {} to rank {}", name_of(schedule_.collective),
                            schedule_.algorithm, found - receive_.begin(), rank_));
  }
}

CollectiveData::Origin CollectiveData::block(Rank owner, Index index) const {
  return {owner, owner, schedule_.layout.offset(index), schedule_.layout.offset(index + 1)};
}

CollectiveData::Origin CollectiveData::all(Rank first, Rank last) const {
  return {first, last, 0, schedule_.layout.total()};
}

std::vector<CollectiveData::Origin> CollectiveData::given() const {
  const bool is_root = rank_ == schedule_.root;
  switch (schedule_.collective) {
    case Collective::kBarrier:
      return {};
    case Collective::kBcast:
    case Collective::kScatter:
      return is_root ? std::vector{all(rank_, rank_)} : std::vector<Origin>{};
    case Collective::kGather:
    case Collective::kAllgather:
      return {block(rank_, rank_)};
    case Collective::kAlltoall: {
      const Index first = Index{rank_} * schedule_.ranks;
      return {{rank_, rank_, schedule_.layout.offset(first), schedule_.layout.offset(first + schedule_.ranks)}};
    }
    default:
      return {all(rank_, rank_)};
  }
}

std::vector<CollectiveData::Origin> CollectiveData::promised() const {
  const Rank last = schedule_.ranks - 1;
  const bool is_root = rank_ == schedule_.root;
  std::vector<Origin> origins;
  switch (schedule_.collective) {
    case Collective::kBarrier:
      break;
    case Collective::kBcast:
      return {all(schedule_.root, schedule_.root)};
    case Collective::kScatter:
      return {block(schedule_.root, rank_)};
    case Collective::kReduce:
      return is_root ? std::vector{all(0, last)} : origins;
    case Collective::kAllreduce:
      return {all(0, last)};
    case Collective::kScan:
      return {all(0, rank_)};
    case Collective::kExscan:
      return rank_ > 0 ? std::vector{all(0, rank_ - 1)} : origins;
    case Collective::kReduceScatter:
      return {{0, last, schedule_.layout.offset(rank_), schedule_.layout.offset(rank_ + 1)}};
    case Collective::kGather:
    case Collective::kAllgather:
      for (Rank owner = 0; (is_root || schedule_.collective == Collective::kAllgather) && owner <= last; ++owner) {
        origins.push_back(block(owner, owner));
      }
      break;
    case Collective::kAlltoall:
      for (Rank source = 0; source <= last; ++source) {
        origins.push_back(block(source, Index{source} * schedule_.ranks + rank_));
      }
      break;
  }
  return origins;
}

std::vector<std::byte> CollectiveData::content_of(const std::vector<Origin>& origins) const {
  std::vector<std::byte> data = data_of(origins);
  if (strides_.is_contiguous()) {
    return data;
  }
  const auto bytes = static_cast<Bytes>(data.size());
  std::vector<std::byte> memory(static_cast<std::size_t>(strides_.extent(bytes)), kMark);
  unpack(data, {bytes / strides_.run, strides_.run, strides_.stride}, memory);
  return memory;
}

std::vector<std::byte> CollectiveData::data_of(const std::vector<Origin>& origins) const {
  std::vector<std::byte> content;
  for (const Origin& origin : origins) {
    for (Bytes at = origin.begin; at < origin.end; at += element_bytes_) {
      const std::int64_t value = value_of(origin.first, origin.last, at / element_bytes_);
      const auto number = static_cast<double>(value);
      std::array<std::byte, kDoubleBytes> bytes{static_cast<std::byte>(value)};
      if (element_bytes_ == kDoubleBytes) {
        std::memcpy(bytes.data(), &number, sizeof number);
      }
      content.insert(content.end(), bytes.begin(), bytes.begin() + element_bytes_);
    }
  }
  return content;
}

}  // namespace postage
