#include "tuning/lint/mpich/file_kind.hpp"

#include "tuning/lint/mpich/algorithms.hpp"

#include <algorithm>
#include <array>

namespace postage {
namespace {

using LeafCounts = std::array<std::size_t, 3>;

void count_leaves(const JsonLine& object, LeafCounts& counts) {
  for (const JsonLine& member : object.items) {
    const MpichKey key = parse_mpich_key(member.name);
    if (key.is_leaf()) {
      ++counts.at(static_cast<std::size_t>(mpich_file_of(key)));
    } else {
      count_leaves(member, counts);
    }
  }
}

bool names_collective(const JsonLine& object, const std::string& name) {
  return std::ranges::any_of(object.items, [&](const JsonLine& member) {
    const MpichKey key = parse_mpich_key(member.name);
    return (key.name == "collective" && key.value == name) ||
           (key.name != "collective" && !key.is_leaf() && names_collective(member, name));
  });
}

}  // namespace

MpichFile mpich_file_of(const MpichKey& leaf) {
  // MPIR_Bcast_impl and the like hand a call of shared memory's back.
  if (leaf.value.starts_with("MPIDI_POSIX_") || leaf.value.ends_with("_impl")) {
    return MpichFile::kSharedMemory;
  }
  return leaf.name == "composition" ? MpichFile::kCompositions : MpichFile::kAlgorithms;
}

MpichFile mpich_file_of(const JsonLine& root) {
  LeafCounts counts{};
  count_leaves(root, counts);
  return static_cast<MpichFile>(std::ranges::max_element(counts) - counts.begin());
}

std::string missing_collectives(const JsonLine& root) {
  std::string missing;
  for (const std::string& name : mpich_collectives()) {
    if (!names_collective(root, name)) {
      missing += (missing.empty() ? "" : ", ") + name;
    }
  }
  return missing;
}

}  // namespace postage
