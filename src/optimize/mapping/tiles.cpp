#include <postage/optimize/mapping/placement.hpp>

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

namespace postage {
namespace {

/// A box of a grid: its first point and its sides.
struct GridBox {
  std::vector<Rank> first;
  std::vector<Rank> sides;
};

std::int64_t points_of(const std::vector<Rank>& sides) {
  std::int64_t points = 1;
  for (const Rank side : sides) {
    points *= side;
  }
  return points;
}

/// Pairs of neighbours that a box of these sides has on its surface, if it lies within a grid.
std::int64_t surface_of(const std::vector<Rank>& sides) {
  std::int64_t surface = 0;
  for (const Rank side : sides) {
    surface += 2 * points_of(sides) / side;
  }
  return surface;
}

/// Into how many equal parts to cut each side, so that there are `count` boxes with the least surface; none where no
/// cuts give so many.
class Cuts {
 public:
  Cuts(const std::vector<Rank>& sides, Rank count) : sides_(sides), tried_(sides.size(), 1) { try_from(0, count); }

  [[nodiscard]] const std::vector<Rank>& best() const { return best_; }

 private:
  void try_from(std::size_t dimension, Rank left) {
    if (dimension == sides_.size()) {
      rate(left);
      return;
    }
    for (Rank parts = 1; parts <= std::min(left, sides_[dimension]); ++parts) {
      if (left % parts == 0 && sides_[dimension] % parts == 0) {
        tried_[dimension] = parts;
        try_from(dimension + 1, left / parts);
      }
    }
  }

  void rate(Rank left) {
    std::vector<Rank> box(sides_.size());
    for (std::size_t i = 0; i < box.size(); ++i) {
      box[i] = sides_[i] / tried_[i];
    }
    if (left == 1 && surface_of(box) < least_) {
      least_ = surface_of(box);
      best_ = tried_;
    }
  }

  const std::vector<Rank>& sides_;
  std::vector<Rank> tried_;
  std::vector<Rank> best_{};
  std::int64_t least_ = std::numeric_limits<std::int64_t>::max();
};

/// Cuts a grid group by group, from the widest groups of slots to the narrowest.
class Tiles {
 public:
  Tiles(const std::vector<Rank>& lengths, std::vector<std::vector<int>> places)
      : lengths_(lengths), places_(std::move(places)), slot_of_rank_(places_.size(), -1) {}

  std::vector<Rank> run() {
    std::vector<Rank> slots;
    for (std::size_t slot = 0; slot < places_.size(); ++slot) {
      slots.push_back(static_cast<Rank>(slot));
    }
    divide({.first = std::vector<Rank>(lengths_.size(), 0), .sides = lengths_}, slots, 0);
    return std::move(slot_of_rank_);
  }

 private:
  void divide(const GridBox& box, const std::vector<Rank>& slots, std::size_t level) {
    if (level >= places_.front().size()) {
      fill(box, slots);
      return;
    }
    const std::vector<std::vector<Rank>> groups = groups_at(slots, level);
    const bool are_alike =
        std::ranges::all_of(groups, [&](const auto& group) { return group.size() == groups.front().size(); });
    const std::vector<Rank> parts =
        are_alike ? Cuts(box.sides, static_cast<Rank>(groups.size())).best() : std::vector<Rank>{};
    if (parts.empty()) {
      divide(box, slots, level + 1);
      return;
    }
    for (std::size_t i = 0; i < groups.size(); ++i) {
      divide(part_of(box, parts, static_cast<Rank>(i)), groups[i], level + 1);
    }
  }

  /// The `number`-th of a box's parts; the last dimension varies fastest.
  [[nodiscard]] static GridBox part_of(GridBox box, const std::vector<Rank>& parts, Rank number) {
    for (std::size_t i = parts.size(); i-- > 0;) {
      box.sides[i] /= parts[i];
      box.first[i] += number % parts[i] * box.sides[i];
      number /= parts[i];
    }
    return box;
  }

  void fill(const GridBox& box, const std::vector<Rank>& slots) {
    for (std::size_t i = 0; i < slots.size(); ++i) {
      const GridBox point = part_of(box, box.sides, static_cast<Rank>(i));
      Rank rank = 0;
      for (std::size_t d = 0; d < lengths_.size(); ++d) {
        rank = rank * lengths_[d] + point.first[d];
      }
      slot_of_rank_[static_cast<std::size_t>(rank)] = slots[i];
    }
  }

  [[nodiscard]] std::vector<std::vector<Rank>> groups_at(const std::vector<Rank>& slots, std::size_t level) const {
    std::map<int, std::vector<Rank>> groups;
    for (const Rank slot : slots) {
      const std::vector<int>& place = places_[static_cast<std::size_t>(slot)];
      groups[place[std::min(level, place.size() - 1)]].push_back(slot);
    }
    std::vector<std::vector<Rank>> in_order;
    for (auto& [number, group] : groups) {
      in_order.push_back(std::move(group));
    }
    return in_order;
  }

  const std::vector<Rank>& lengths_;
  std::vector<std::vector<int>> places_;
  std::vector<Rank> slot_of_rank_;
};

}  // namespace

std::vector<Rank> tile_placement(const std::vector<Rank>& lengths, const Platform& platform, const Mapping& slots) {
  return Tiles(lengths, places_of(platform, slots)).run();
}

}  // namespace postage
