// What one of two ranks has and the other wants, both move at once where it is long.
#include "direct_group_ways.hpp"

#include <algorithm>
#include <array>

namespace postage::direct_group_tests {
namespace {

constexpr DirectWay kReadOfTwo{2, true, 4096};
constexpr std::byte kUntouched{0x5a};
constexpr std::size_t kPage = 4096;
constexpr std::size_t kGuard = 64;

/// Around what one part is at least, whole pages and others.
constexpr Bytes kLong[] = {65535, 65536, 98'305, 131'072, 262'921, 1'048'576};

/// Memory at a place in a page, between bytes that nobody may write.
class Placed {
 public:
  Placed(std::size_t in_page, std::size_t bytes) : memory_(bytes + 2 * kPage + kGuard, kUntouched), bytes_(bytes) {
    const auto begin = reinterpret_cast<std::uintptr_t>(memory_.data()) + kGuard;
    at_ = kGuard + (kPage + in_page - begin % kPage) % kPage;
  }
  Placed(std::size_t in_page, const Data& data) : Placed(in_page, data.size()) {
    std::copy(data.begin(), data.end(), this->data());
  }
  [[nodiscard]] std::byte* data() { return memory_.data() + at_; }
  [[nodiscard]] Data content() const { return {begin(), begin() + static_cast<std::ptrdiff_t>(bytes_)}; }
  [[nodiscard]] bool is_untouched_around() const {
    const auto is_untouched = [](std::byte byte) { return byte == kUntouched; };
    return std::all_of(memory_.begin(), begin(), is_untouched) &&
           std::all_of(begin() + static_cast<std::ptrdiff_t>(bytes_), memory_.end(), is_untouched);
  }

 private:
  [[nodiscard]] Data::const_iterator begin() const { return memory_.begin() + static_cast<std::ptrdiff_t>(at_); }

  Data memory_;
  std::size_t bytes_;
  std::size_t at_;
};

/// The places in their pages of what rank 0 and rank 1 have: alike, a few bytes apart, which reading knows a way
/// around, and further apart.
class MovedByBoth : public testing::TestWithParam<std::array<std::size_t, 2>> {
 public:
  static Placed placed(std::int32_t rank, const Data& data) {
    return {GetParam()[static_cast<std::size_t>(rank)], data};
  }
};

TEST_P(MovedByBoth, BroadcastGoesToItsPlace) {
  on_ranks(kReadOfTwo, [](std::int32_t rank, DirectGroup& group) {
    for (const Bytes bytes : kLong) {
      for (std::int32_t root = 0; root < 2; ++root) {
        Placed buffer = placed(rank, block_of(rank, 1, bytes));
        group.bcast({buffer.data(), static_cast<std::size_t>(bytes)}, root);
        EXPECT_EQ(buffer.content(), block_of(root, 1, bytes));
        EXPECT_TRUE(buffer.is_untouched_around());
      }
    }
  });
}

TEST_P(MovedByBoth, RootGathersAndScattersWithItsBlockInPlaceOrNot) {
  on_ranks(kReadOfTwo, [](std::int32_t rank, DirectGroup& group) {
    for (const Bytes bytes : kLong) {
      for (const std::int32_t root : {0, 1}) {
        for (const bool in_place : {false, true}) {
          Data both = block_of(0, 0, bytes);
          const Data second = block_of(1, 0, bytes);
          both.insert(both.end(), second.begin(), second.end());
          const bool is_root = rank == root;
          const bool own_is_there = is_root && in_place;

          Placed block = placed(rank, block_of(rank, 0, bytes));
          Placed gathered = placed(rank, is_root ? both : Data());
          std::byte* const place = gathered.data() + root * bytes;
          if (is_root) {
            std::fill_n(gathered.data() + (1 - root) * bytes, bytes, std::byte{0});
          }
          group.gather(own_is_there ? place : block.data(), gathered.data(), bytes, root);
          EXPECT_TRUE(!is_root || gathered.content() == both);
          EXPECT_TRUE(gathered.is_untouched_around());

          Placed all = placed(rank, is_root ? both : Data());
          Placed own = placed(rank, Data(static_cast<std::size_t>(bytes)));
          group.scatter(all.data(), own_is_there ? all.data() + root * bytes : own.data(), bytes, root);
          EXPECT_TRUE(own_is_there || own.content() == block_of(rank, 0, bytes));
          EXPECT_TRUE(own.is_untouched_around());
          EXPECT_TRUE(!is_root || all.content() == both);
        }
      }
    }
  });
}

/// Neither commutes nor is any operand left out unnoticed.
void thrice_left_and_right(const void*, const std::byte* left, const std::byte* right, std::byte* out, Bytes bytes) {
  for (Bytes i = 0; i < bytes; ++i) {
    out[i] = static_cast<std::byte>(3 * static_cast<unsigned>(left[i]) + static_cast<unsigned>(right[i]));
  }
}
constexpr ReduceOperation kTestOperation{.element_bytes = 1, .commutative = false, .combine = thrice_left_and_right};

Data combined(Bytes bytes) {
  const Data left = block_of(0, 3, bytes);
  const Data right = block_of(1, 3, bytes);
  Data out(left.size());
  thrice_left_and_right(nullptr, left.data(), right.data(), out.data(), bytes);
  return out;
}

/// Calls act(rank, group, send, receive, bytes), which gives what the rank is to have, or nothing for anything.
template <typename Act>
void combine_everywhere(const Act& act) {
  on_ranks(kReadOfTwo, [&](std::int32_t rank, DirectGroup& group) {
    for (const Bytes bytes : kLong) {
      for (const bool in_place : {false, true}) {
        Placed send = MovedByBoth::placed(rank, block_of(rank, 3, bytes));
        Placed receive = MovedByBoth::placed(rank, Data(static_cast<std::size_t>(bytes)));
        std::byte* const from = in_place ? receive.data() : send.data();
        std::copy_n(send.data(), bytes, from);
        const Data wanted = act(rank, group, from, receive.data(), bytes);
        EXPECT_TRUE(wanted.empty() || receive.content() == wanted);
        EXPECT_EQ(send.content(), block_of(rank, 3, bytes));
        EXPECT_TRUE(receive.is_untouched_around());
      }
    }
  });
}

TEST_P(MovedByBoth, ExscanGivesTheSecondRankWhatTheFirstHas) {
  combine_everywhere([](std::int32_t rank, DirectGroup& group, std::byte* send, std::byte* receive, Bytes bytes) {
    group.exscan(send, receive, bytes, kTestOperation);
    return rank == 0 ? Data() : block_of(0, 3, bytes);
  });
}

TEST_P(MovedByBoth, ScanGivesTheSecondRankBothCombined) {
  combine_everywhere([](std::int32_t rank, DirectGroup& group, std::byte* send, std::byte* receive, Bytes bytes) {
    group.scan(send, receive, bytes, kTestOperation);
    return rank == 0 ? block_of(0, 3, bytes) : combined(bytes);
  });
}

TEST_P(MovedByBoth, ReductionGoesToItsRoot) {
  for (const std::int32_t root : {0, 1}) {
    combine_everywhere([&](std::int32_t rank, DirectGroup& group, std::byte* send, std::byte* receive, Bytes bytes) {
      group.reduce(send, rank == root ? receive : nullptr, bytes, kTestOperation, root);
      return rank == root ? combined(bytes) : Data();
    });
  }
}

using Places = std::array<std::size_t, 2>;

INSTANTIATE_TEST_SUITE_P(PlacesInPages, MovedByBoth,
                         testing::Values(Places{0, 0}, Places{0, 1}, Places{15, 0}, Places{16, 0}, Places{100, 2049},
                                         Places{4095, 4088}));

}  // namespace
}  // namespace postage::direct_group_tests
